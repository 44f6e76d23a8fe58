// Builds the row sums of simd/tap_kernels.hpp once, for every target.
#include <treadle/cpu/simd/disabled_targets.hpp>
#include <treadle/cpu/simd/tap_kernels.hpp>

#define HWY_TARGET_INCLUDE <treadle/cpu/simd/tap_kernels-inl.hpp>
// clang-format off: the order matters.
#include <hwy/foreach_target.h>
#include <treadle/cpu/simd/tap_kernels-inl.hpp>
// clang-format on
