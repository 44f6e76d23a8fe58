// Elementary functions on one vector of floats, for one target.
#if defined(TREADLE_CPU_SIMD_VECTOR_FUNCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TREADLE_CPU_SIMD_VECTOR_FUNCTIONS_INL
#undef TREADLE_CPU_SIMD_VECTOR_FUNCTIONS_INL
#else
#define TREADLE_CPU_SIMD_VECTOR_FUNCTIONS_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The polynomial with these coefficients, highest power first (Horner).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V polynomial(D, V, V sum) {
  return sum;
}
template <class D, class V = hn::Vec<D>, class... Rest>
HWY_INLINE V polynomial(D d, V x, V sum, float next, Rest... rest) {
  return polynomial(d, x, hn::MulAdd(sum, x, hn::Set(d, next)), rest...);
}

/// Larger and smaller of two vectors; NaN in either is NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V larger(D, V a, V b) {
  const V x = hn::IfThenElse(hn::Gt(a, b), a, b);
  return hn::IfThenElse(hn::IsNaN(a), a, x);
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V smaller(D, V a, V b) {
  const V x = hn::IfThenElse(hn::Lt(a, b), a, b);
  return hn::IfThenElse(hn::IsNaN(a), a, x);
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V bounded(D, V x, V low, V high) {
  x = hn::IfThenElse(hn::Lt(x, low), low, x);
  return hn::IfThenElse(hn::Gt(x, high), high, x);
}

/// 2^n for whole n in [-126, 127], as float bits.
template <class D, class VI>
HWY_INLINE hn::Vec<D> power_of_two(D d, VI n) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127))));
}

/// e^x: 2^n · e^r with |r| ≤ ln 2 / 2; polynomial of the Cephes library. The power of two comes in
/// two factors so that results pass through the denormals.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_vector(D d, V x) {
  const hn::RebindToSigned<D> di;
  x = bounded(d, x, hn::Set(d, -104.0F), hn::Set(d, 89.0F));
  const auto n = hn::NearestInt(hn::Mul(x, hn::Set(d, 1.44269504F)));
  const V whole = hn::ConvertTo(d, n);
  V r = hn::NegMulAdd(whole, hn::Set(d, 0.693359375F), x);
  r = hn::NegMulAdd(whole, hn::Set(d, -2.12194440e-4F), r);
  V p = polynomial(d, r, hn::Set(d, 1.9875691500e-4F), 1.3981999507e-3F, 8.3334519073e-3F,
                   4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F);
  p = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(d, 1.0F));
  const auto safe = hn::Max(hn::Min(n, hn::Set(di, 130)), hn::Set(di, -152));
  const auto half = hn::ShiftRight<1>(safe);
  return hn::Mul(hn::Mul(p, power_of_two(d, half)), power_of_two(d, hn::Sub(safe, half)));
}

/// ln x: exponent · ln 2 + polynomial on [√½, √2) of the Cephes library.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log_vector(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V one = hn::Set(d, 1.0F);
  const auto tiny = hn::Lt(x, hn::Set(d, 1.17549435e-38F));
  const V y = hn::IfThenElse(tiny, hn::Mul(x, hn::Set(d, 8388608.0F)), x);
  const auto bits = hn::BitCast(di, y);
  // Bits of √½, so that the remaining mantissa lies in [√½, √2).
  const auto offset = hn::Sub(bits, hn::Set(di, 0x3F3504F3));
  V exponent = hn::ConvertTo(d, hn::ShiftRight<23>(offset));
  exponent = hn::Sub(exponent, hn::IfThenElseZero(tiny, hn::Set(d, 23.0F)));
  const auto mantissa = hn::Add(hn::And(offset, hn::Set(di, 0x007FFFFF)), hn::Set(di, 0x3F3504F3));
  const V f = hn::Sub(hn::BitCast(d, mantissa), one);
  const V z = hn::Mul(f, f);
  V p = polynomial(d, f, hn::Set(d, 7.0376836292e-2F), -1.1514610310e-1F, 1.1676998740e-1F,
                   -1.2420140846e-1F, 1.4249322787e-1F, -1.6668057665e-1F, 2.0000714765e-1F,
                   -2.4999993993e-1F, 3.3333331174e-1F);
  p = hn::Mul(hn::Mul(p, f), z);
  p = hn::MulAdd(exponent, hn::Set(d, -2.12194440e-4F), p);
  p = hn::NegMulAdd(hn::Set(d, 0.5F), z, p);
  V result = hn::MulAdd(exponent, hn::Set(d, 0.693359375F), hn::Add(f, p));
  const V infinity = hn::Inf(d);
  result = hn::IfThenElse(hn::Eq(x, infinity), infinity, result);
  result = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity), result);
  result = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::NaN(d), result);
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

/// tanh: polynomial of the Cephes library below 0.625, 1 - 2 / (e^2x + 1) above.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V tanh_vector(D d, V x) {
  const V one = hn::Set(d, 1.0F);
  const V a = hn::Abs(x);
  const V z = hn::Mul(x, x);
  V p = polynomial(d, z, hn::Set(d, -5.70498872745e-3F), 2.06390887954e-2F, -5.37397155531e-2F,
                   1.33314422036e-1F, -3.33332819422e-1F);
  p = hn::MulAdd(hn::Mul(p, z), x, x);
  const V e = exp_vector(d, hn::Add(a, a));
  const V large = hn::Sub(one, hn::Div(hn::Set(d, 2.0F), hn::Add(e, one)));
  return hn::IfThenElse(hn::Lt(a, hn::Set(d, 0.625F)), p, hn::CopySign(large, x));
}

/// 1 / (1 + e^-x), by e^-|x| so that nothing overflows.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sigmoid_vector(D d, V x) {
  const V one = hn::Set(d, 1.0F);
  const V e = exp_vector(d, hn::Neg(hn::Abs(x)));
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
}

/// erf: x + x · P(x²) up to 1, 1 - e^Q(|x|) above; least-maximum fits of our own.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf_vector(D d, V x) {
  const V one = hn::Set(d, 1.0F);
  const V a = hn::Abs(x);
  const V z = hn::Mul(x, x);
  const V p = polynomial(d, z, hn::Set(d, 7.853858242e-5F), -8.010193159e-4F, 5.188327699e-3F,
                         -2.685381199e-2F, 1.128358515e-1F, -3.761262582e-1F, 1.28379166e-1F);
  const V b = hn::IfThenElse(hn::Gt(a, hn::Set(d, 4.0F)), hn::Set(d, 4.0F), a);
  const V q = polynomial(d, b, hn::Set(d, 1.863806238e-4F), -2.947672294e-3F, 2.183811979e-2F,
                         -1.031068708e-1F, -6.381446992e-1F, -1.127089271F, -3.415032087e-4F);
  const V large = hn::CopySign(hn::Sub(one, exp_vector(d, q)), x);
  return hn::IfThenElse(hn::Lt(a, one), hn::MulAdd(x, p, x), large);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V gelu_vector(D d, V x) {
  const V e = erf_vector(d, hn::Mul(x, hn::Set(d, 0.707106781F)));
  return hn::Mul(hn::Mul(x, hn::Set(d, 0.5F)), hn::Add(hn::Set(d, 1.0F), e));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V gelu_tanh_vector(D d, V x) {
  const V cube = hn::Mul(hn::Mul(x, x), x);
  const V inner = hn::MulAdd(cube, hn::Set(d, 0.044715F), x);
  const V t = tanh_vector(d, hn::Mul(inner, hn::Set(d, 0.797884561F)));
  return hn::Mul(hn::Mul(x, hn::Set(d, 0.5F)), hn::Add(hn::Set(d, 1.0F), t));
}

}  // namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
