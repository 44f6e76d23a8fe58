// The tables of vector functions for one target.
#if defined(TREADLE_CPU_SIMD_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TREADLE_CPU_SIMD_VECTOR_MATH_INL
#undef TREADLE_CPU_SIMD_VECTOR_MATH_INL
#else
#define TREADLE_CPU_SIMD_VECTOR_MATH_INL
#endif

#include <hwy/highway.h>

#include <treadle/config.hpp>
#include <treadle/cpu/simd/target.hpp>
#include <treadle/cpu/simd/vector_maps-inl.hpp>
#include <treadle/cpu/simd/vector_math_table.hpp>
#include <treadle/cpu/simd/vector_reductions-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE {

inline constexpr VectorMaps vector_maps_table = {
    .exp = &map_unary<Exp, float>,
    .log = &map_unary<Log, float>,
    .tanh = &map_unary<Tanh, float>,
    .sigmoid = &map_unary<Sigmoid, float>,
    .erf = &map_unary<Erf, float>,
    .gelu = &map_unary<Gelu, float>,
    .gelu_tanh = &map_unary<GeluTanh, float>,
    .silu = &map_unary<Silu, float>,
    .relu = &map_unary<Relu, float>,
    .sqrt = &map_unary<Sqrt, float>,
    .rsqrt = &map_unary<Rsqrt, float>,
    .neg = &map_unary<Negate, float>,
    .abs = &map_unary<Absolute, float>,
    .reciprocal = &map_unary<Reciprocal, float>,
    .add = &map_binary<Plus, float>,
    .sub = &map_binary<Minus, float>,
    .mul = &map_binary<Times, float>,
    .div = &map_binary<Over, float>,
    .max = &map_binary<Larger, float>,
    .min = &map_binary<Smaller, float>,
    .add_scalar = &map_scalar<Plus, float>,
    .mul_scalar = &map_scalar<Times, float>,
    .rsub_scalar = &map_scalar<ReversedMinus, float>,
    .div_scalar = &map_scalar<Over, float>,
    .rdiv_scalar = &map_scalar<ReversedOver, float>,
    .fma = &map_fma,
    .affine = &map_affine,
};

inline constexpr VectorReductions vector_reductions_table = {
    .sum = &sum<float>,
    .sum_f64 = &sum<double>,
    .sum_columns = &sum_columns,
    .dot = &dot<float>,
    .reduce_max = &reduce_max,
    .reduce_min = &reduce_min,
    .exp_sum = &exp_sum,
    .softmax = &softmax,
    .log_softmax = &log_softmax,
    .mean_variance = &mean_variance,
    .layer_norm = &layer_norm,
    .rms_norm = &rms_norm,
};

}  // namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE && defined(HWY_TARGET_INCLUDE)
#include <treadle/cpu/simd/vector_math.hpp>

namespace treadle::inline v0::cpu::simd {

TREADLE_INLINE const VectorMaps& vector_maps(Target target) noexcept {
#if HWY_TARGETS & HWY_AVX3
  if (target == Target::avx512) return N_AVX3::vector_maps_table;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (target >= Target::avx2) return N_AVX2::vector_maps_table;
#endif
  static_cast<void>(target);
  return HWY_STATIC_DISPATCH(vector_maps_table);
}

TREADLE_INLINE const VectorReductions& vector_reductions(Target target) noexcept {
#if HWY_TARGETS & HWY_AVX3
  if (target == Target::avx512) return N_AVX3::vector_reductions_table;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (target >= Target::avx2) return N_AVX2::vector_reductions_table;
#endif
  static_cast<void>(target);
  return HWY_STATIC_DISPATCH(vector_reductions_table);
}

}  // namespace treadle::inline v0::cpu::simd
#endif

#endif
