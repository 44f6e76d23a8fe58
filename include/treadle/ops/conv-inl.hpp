// The table behind `conv_ops`.
#pragma once

#include <treadle/ops/conv.hpp>
#include <treadle/ops/conv/conv_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> conv_ops() { return detail::conv_table; }

}  // namespace treadle::inline v0
