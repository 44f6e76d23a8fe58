// Definition of the second table of composite operators.
#pragma once

#include <treadle/ops/composite/composite_table.hpp>
#include <treadle/ops/decompositions.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> further_composite_ops() {
  return detail::composite::further_table;
}

}  // namespace treadle::inline v0
