// The table behind `linear_ops`.
#pragma once

#include <treadle/ops/linear.hpp>
#include <treadle/ops/linear/linear_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> linear_ops() { return detail::linear_table; }

}  // namespace treadle::inline v0
