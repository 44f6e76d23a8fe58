// The tables of pooling.
#pragma once

#include <treadle/ops/pool.hpp>
#include <treadle/ops/pool/pool_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> pool_ops() { return detail::pool_table; }
TREADLE_INLINE std::span<const OpDef> fractional_pool_ops() {
  return detail::fractional_pool_table;
}

}  // namespace treadle::inline v0
