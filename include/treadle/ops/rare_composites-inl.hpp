// Definition of the third table of composite operators.
#pragma once

#include <treadle/ops/composite/rare_table.hpp>
#include <treadle/ops/decompositions.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> rare_composite_ops() { return detail::composite::rare_table; }

}  // namespace treadle::inline v0
