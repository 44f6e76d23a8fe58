// Weighted sums of shifted rows: the core of depthwise convolution, one function per target.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/simd/tap_sum.hpp>
#include <treadle/cpu/simd/target.hpp>

namespace treadle::inline v0::cpu::simd {

[[nodiscard]] TapFunction<float> tap_sum_f32(Target target) noexcept;
[[nodiscard]] TapFunction<double> tap_sum_f64(Target target) noexcept;

}  // namespace treadle::inline v0::cpu::simd

#if !TREADLE_COMPILED
#include <treadle/cpu/simd/isa.hpp>
#endif
