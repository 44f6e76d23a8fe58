// The table behind `quantized_ops`.
#pragma once

#include <treadle/ops/quantized.hpp>
#include <treadle/ops/quantized/quantized_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> quantized_ops() { return detail::quantized_table; }

}  // namespace treadle::inline v0
