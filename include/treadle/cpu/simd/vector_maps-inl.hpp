// Element-wise loops over arrays, for one target.
#if defined(TREADLE_CPU_SIMD_VECTOR_MAPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TREADLE_CPU_SIMD_VECTOR_MAPS_INL
#undef TREADLE_CPU_SIMD_VECTOR_MAPS_INL
#else
#define TREADLE_CPU_SIMD_VECTOR_MAPS_INL
#endif

#include <cstddef>

#include <hwy/highway.h>

#include <treadle/cpu/simd/partial-inl.hpp>
#include <treadle/cpu/simd/vector_functions-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Functions of one, two or three vectors. They are types, not lambdas: a lambda would not be
// compiled for the target.
#define TREADLE_FUNCTION_1(name, expression)  \
  struct name {                               \
    template <class D, class V>               \
    HWY_INLINE V operator()(D d, V x) const { \
      static_cast<void>(d);                   \
      return expression;                      \
    }                                         \
  }
#define TREADLE_FUNCTION_2(name, expression)       \
  struct name {                                    \
    template <class D, class V>                    \
    HWY_INLINE V operator()(D d, V x, V y) const { \
      static_cast<void>(d);                        \
      return expression;                           \
    }                                              \
  }

TREADLE_FUNCTION_1(Exp, exp_vector(d, x));
TREADLE_FUNCTION_1(Log, log_vector(d, x));
TREADLE_FUNCTION_1(Tanh, tanh_vector(d, x));
TREADLE_FUNCTION_1(Sigmoid, sigmoid_vector(d, x));
TREADLE_FUNCTION_1(Erf, erf_vector(d, x));
TREADLE_FUNCTION_1(Gelu, gelu_vector(d, x));
TREADLE_FUNCTION_1(GeluTanh, gelu_tanh_vector(d, x));
TREADLE_FUNCTION_1(Silu, hn::Mul(x, sigmoid_vector(d, x)));
TREADLE_FUNCTION_1(Relu, hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Zero(d), x));
TREADLE_FUNCTION_1(Sqrt, hn::Sqrt(x));
TREADLE_FUNCTION_1(Rsqrt, hn::Div(hn::Set(d, 1.0F), hn::Sqrt(x)));
TREADLE_FUNCTION_1(Negate, hn::Neg(x));
TREADLE_FUNCTION_1(Absolute, hn::Abs(x));
TREADLE_FUNCTION_1(Reciprocal, hn::Div(hn::Set(d, 1.0F), x));
TREADLE_FUNCTION_2(Plus, hn::Add(x, y));
TREADLE_FUNCTION_2(Minus, hn::Sub(x, y));
TREADLE_FUNCTION_2(Times, hn::Mul(x, y));
TREADLE_FUNCTION_2(Over, hn::Div(x, y));
TREADLE_FUNCTION_2(ReversedMinus, hn::Sub(y, x));
TREADLE_FUNCTION_2(ReversedOver, hn::Div(y, x));
TREADLE_FUNCTION_2(Larger, larger(d, x, y));
TREADLE_FUNCTION_2(Smaller, smaller(d, x, y));

#undef TREADLE_FUNCTION_1
#undef TREADLE_FUNCTION_2

template <class F, class T>
void map_unary(const T* in, T* out, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const F f;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(f(d, hn::LoadU(d, in + i)), d, out + i);
  if (i < n) store_first(f(d, load_first(d, in + i, n - i)), d, out + i, n - i);
}

template <class F, class T>
void map_binary(const T* a, const T* b, T* out, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const F f;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(f(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
  if (i < n)
    store_first(f(d, load_first(d, a + i, n - i), load_first(d, b + i, n - i)), d, out + i, n - i);
}

template <class F, class T>
void map_scalar(const T* a, T b, T* out, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const F f;
  const auto y = hn::Set(d, b);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(f(d, hn::LoadU(d, a + i), y), d, out + i);
  if (i < n) store_first(f(d, load_first(d, a + i, n - i), y), d, out + i, n - i);
}

inline void map_fma(const float* a, const float* b, const float* c, float* out, std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), hn::LoadU(d, c + i)), d,
               out + i);
  if (const std::size_t rest = n - i; rest != 0)
    store_first(hn::MulAdd(load_first(d, a + i, rest), load_first(d, b + i, rest),
                           load_first(d, c + i, rest)),
                d, out + i, rest);
}

inline void map_affine(const float* in, float centre, float scale, float shift, float* out,
                       std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto origin = hn::Set(d, centre), factor = hn::Set(d, scale), term = hn::Set(d, shift);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::MulAdd(hn::Sub(hn::LoadU(d, in + i), origin), factor, term), d, out + i);
  if (i < n)
    store_first(hn::MulAdd(hn::Sub(load_first(d, in + i, n - i), origin), factor, term), d, out + i,
                n - i);
}

}  // namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
