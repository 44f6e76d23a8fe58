// Definitions of the Fourier transforms.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `fft_fft` and its relatives, `_fft_r2c`, `_fft_c2r`, `_fft_c2c`.
[[nodiscard]] std::span<const OpDef> fft_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/fft-inl.hpp>
#endif
