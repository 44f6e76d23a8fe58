// The table behind `pool_ops`.
#pragma once

#include <treadle/ops/pool.hpp>
#include <treadle/ops/pool/pool_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> pool_ops() { return detail::pool_table; }

}  // namespace treadle::inline v0
