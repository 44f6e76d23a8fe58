// Definitions of operators that reduce or scan along dimensions.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `sum`, `mean`, `amax`, `argmax`, `var`, `norm` and their relatives.
[[nodiscard]] std::span<const OpDef> reduction_ops();
/// `softmax`, `log_softmax`.
[[nodiscard]] std::span<const OpDef> softmax_ops();
/// `cumsum`, `cumprod`, `cummax`, `cummin`, `logcumsumexp`.
[[nodiscard]] std::span<const OpDef> scan_ops();
/// `mse_loss`, `binary_cross_entropy` and other losses that compare elements.
[[nodiscard]] std::span<const OpDef> loss_ops();
/// `nll_loss`, `cross_entropy_loss`.
[[nodiscard]] std::span<const OpDef> class_loss_ops();
/// `cdist`, `pairwise_distance`, `cosine_similarity`.
[[nodiscard]] std::span<const OpDef> distance_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/reduction-inl.hpp>
#endif
