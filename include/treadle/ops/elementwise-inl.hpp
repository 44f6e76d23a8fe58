// The tables of elementwise operators.
#pragma once

#include <treadle/ops/elementwise.hpp>
#include <treadle/ops/elementwise/activation.hpp>
#include <treadle/ops/elementwise/arithmetic.hpp>
#include <treadle/ops/elementwise/compare.hpp>
#include <treadle/ops/elementwise/copy.hpp>
#include <treadle/ops/elementwise/math.hpp>
#include <treadle/ops/elementwise/select.hpp>
#include <treadle/ops/elementwise/special.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> arithmetic_ops() {
  return detail::elementwise_arithmetic_table;
}
TREADLE_INLINE std::span<const OpDef> compare_ops() { return detail::elementwise_compare_table; }
TREADLE_INLINE std::span<const OpDef> math_ops() { return detail::elementwise_math_table; }
TREADLE_INLINE std::span<const OpDef> activation_ops() {
  return detail::elementwise_activation_table;
}
TREADLE_INLINE std::span<const OpDef> select_ops() { return detail::elementwise_select_table; }
TREADLE_INLINE std::span<const OpDef> special_ops() { return detail::elementwise_special_table; }
TREADLE_INLINE std::span<const OpDef> copy_ops() { return detail::elementwise_copy_table; }

}  // namespace treadle::inline v0
