// Definitions of the operators of linear algebra.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `linear`, `matmul`, `mm`, `addmm` and their relatives.
[[nodiscard]] std::span<const OpDef> product_ops();
/// `einsum`, `tensordot`, `outer`, `bilinear` and their relatives.
[[nodiscard]] std::span<const OpDef> contraction_ops();
/// `_grouped_mm` and what the transformers package puts in its place.
[[nodiscard]] std::span<const OpDef> grouped_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/linear-inl.hpp>
#endif
