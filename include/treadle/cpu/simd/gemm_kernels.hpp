// The micro-kernels of matrix multiplication, one table per instruction set.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/simd/gemm_tile.hpp>
#include <treadle/cpu/simd/target.hpp>

namespace treadle::inline v0::cpu::simd {

[[nodiscard]] const GemmKernels<float>& gemm_kernels_f32(Target target) noexcept;
[[nodiscard]] const GemmKernels<double>& gemm_kernels_f64(Target target) noexcept;

}  // namespace treadle::inline v0::cpu::simd

#if !TREADLE_COMPILED
#include <treadle/cpu/simd/isa.hpp>
#endif
