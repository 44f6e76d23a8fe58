// Definitions of the elementwise operators.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// Arithmetic of two operands: `add`, `mul`, `div`, `pow`, `maximum` …
[[nodiscard]] std::span<const OpDef> arithmetic_ops();
/// Comparisons, logic and bits.
[[nodiscard]] std::span<const OpDef> compare_ops();
/// Mathematical functions of one operand: `exp`, `sin`, `abs`, `round` …
[[nodiscard]] std::span<const OpDef> math_ops();
/// Bessel, gamma and zeta functions, orthogonal polynomials.
[[nodiscard]] std::span<const OpDef> special_ops();
/// Activation functions: `relu`, `gelu`, `softplus` …
[[nodiscard]] std::span<const OpDef> activation_ops();
/// `where`, `clamp`, `addcmul`, `lerp`, `masked_fill`, `complex` …
[[nodiscard]] std::span<const OpDef> select_ops();
/// Copies and casts: `clone`, `contiguous`, `copy_`, `to` …
[[nodiscard]] std::span<const OpDef> copy_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/elementwise-inl.hpp>
#endif
