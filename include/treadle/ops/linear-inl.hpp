// The tables behind the operators of linear algebra.
#pragma once

#include <treadle/ops/linear.hpp>
#include <treadle/ops/linear/contraction_table.hpp>
#include <treadle/ops/linear/grouped_product_table.hpp>
#include <treadle/ops/linear/product_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> product_ops() { return detail::product_table; }
TREADLE_INLINE std::span<const OpDef> contraction_ops() { return detail::contraction_table; }
TREADLE_INLINE std::span<const OpDef> grouped_ops() { return detail::grouped_product_table; }

}  // namespace treadle::inline v0
