// The table behind `upsample_ops`.
#pragma once

#include <treadle/ops/upsample.hpp>
#include <treadle/ops/upsample/upsample_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> upsample_ops() { return detail::upsample_table; }

}  // namespace treadle::inline v0
