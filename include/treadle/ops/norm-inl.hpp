// The table behind `norm_ops`.
#pragma once

#include <treadle/ops/norm.hpp>
#include <treadle/ops/norm/norm_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> norm_ops() { return detail::norm_table; }

}  // namespace treadle::inline v0
