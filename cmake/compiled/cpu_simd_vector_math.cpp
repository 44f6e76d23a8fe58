// Builds the vector functions of simd/vector_math.hpp once, for every target.
#include <treadle/cpu/simd/disabled_targets.hpp>
#include <treadle/cpu/simd/vector_math.hpp>

#define HWY_TARGET_INCLUDE <treadle/cpu/simd/vector_math-inl.hpp>
// clang-format off: the order matters.
#include <hwy/foreach_target.h>
#include <treadle/cpu/simd/vector_math-inl.hpp>
// clang-format on
