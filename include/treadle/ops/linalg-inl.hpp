// The table behind `linalg_ops`.
#pragma once

#include <treadle/ops/linalg.hpp>
#include <treadle/ops/linalg/linalg_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> linalg_ops() { return detail::linalg_table; }

}  // namespace treadle::inline v0
