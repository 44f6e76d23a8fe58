// Builds the micro-kernels of simd/gemm_kernels.hpp once, for every target.
#include <treadle/cpu/simd/disabled_targets.hpp>
#include <treadle/cpu/simd/gemm_kernels.hpp>

#define HWY_TARGET_INCLUDE <treadle/cpu/simd/gemm_kernels-inl.hpp>
// clang-format off: the order matters.
#include <hwy/foreach_target.h>
#include <treadle/cpu/simd/gemm_kernels-inl.hpp>
// clang-format on
