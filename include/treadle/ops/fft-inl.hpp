// The table behind `fft_ops`.
#pragma once

#include <treadle/ops/fft.hpp>
#include <treadle/ops/fft/fft_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> fft_ops() { return detail::fft_table; }

}  // namespace treadle::inline v0
