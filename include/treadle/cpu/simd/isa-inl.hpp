// The cores of one target; included once per target by isa.hpp.
// clang-format off: Highway comes first.
#include <hwy/highway.h>
// clang-format on

#include <treadle/cpu/simd/gemm_kernels-inl.hpp>
#include <treadle/cpu/simd/tap_kernels-inl.hpp>
#include <treadle/cpu/simd/vector_math-inl.hpp>
