// Definitions of operators that count, pick boxes or take numbers apart.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `bincount`, `frexp`, `torchvision::nms`.
[[nodiscard]] std::span<const OpDef> counting_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/counting-inl.hpp>
#endif
