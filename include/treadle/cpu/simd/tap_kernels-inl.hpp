// Weighted sums of shifted rows for one target.
#if defined(TREADLE_CPU_SIMD_TAP_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TREADLE_CPU_SIMD_TAP_KERNELS_INL
#undef TREADLE_CPU_SIMD_TAP_KERNELS_INL
#else
#define TREADLE_CPU_SIMD_TAP_KERNELS_INL
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include <treadle/config.hpp>
#include <treadle/cpu/simd/partial-inl.hpp>
#include <treadle/cpu/simd/tap_sum.hpp>
#include <treadle/cpu/simd/target.hpp>
#include <treadle/cpu/simd/vector_functions-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> finish_taps(D d, hn::Vec<D> x, const TapSum<T>& sum) {
  return sum.has_bounds ? bounded(d, x, hn::Set(d, sum.low), hn::Set(d, sum.high)) : x;
}

template <class T>
void tap_sum(const TapSum<T>& sum, T* out, std::int64_t count) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto bias = hn::Set(d, sum.bias);
  std::int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    auto x0 = bias, x1 = bias, x2 = bias, x3 = bias;
    for (std::int64_t t = 0; t < sum.taps; ++t) {
      const T* in = sum.in + sum.offsets[t] + i;
      const auto w = hn::Set(d, sum.weights[t]);
      x0 = hn::MulAdd(w, hn::LoadU(d, in), x0);
      x1 = hn::MulAdd(w, hn::LoadU(d, in + lanes), x1);
      x2 = hn::MulAdd(w, hn::LoadU(d, in + 2 * lanes), x2);
      x3 = hn::MulAdd(w, hn::LoadU(d, in + 3 * lanes), x3);
    }
    hn::StoreU(finish_taps(d, x0, sum), d, out + i);
    hn::StoreU(finish_taps(d, x1, sum), d, out + i + lanes);
    hn::StoreU(finish_taps(d, x2, sum), d, out + i + 2 * lanes);
    hn::StoreU(finish_taps(d, x3, sum), d, out + i + 3 * lanes);
  }
  for (; i + lanes <= count; i += lanes) {
    auto x = bias;
    for (std::int64_t t = 0; t < sum.taps; ++t)
      x = hn::MulAdd(hn::Set(d, sum.weights[t]), hn::LoadU(d, sum.in + sum.offsets[t] + i), x);
    hn::StoreU(finish_taps(d, x, sum), d, out + i);
  }
  if (const auto rest = static_cast<std::size_t>(count - i); rest != 0) {
    auto x = bias;
    for (std::int64_t t = 0; t < sum.taps; ++t)
      x = hn::MulAdd(hn::Set(d, sum.weights[t]), load_first(d, sum.in + sum.offsets[t] + i, rest),
                     x);
    store_first(finish_taps(d, x, sum), d, out + i, rest);
  }
}

}  // namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE && defined(HWY_TARGET_INCLUDE)
#include <treadle/cpu/simd/tap_kernels.hpp>

namespace treadle::inline v0::cpu::simd {

namespace detail {
template <class T>
TapFunction<T> find_tap_sum(Target target) noexcept {
#if HWY_TARGETS & HWY_AVX3
  if (target == Target::avx512) return &N_AVX3::tap_sum<T>;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (target >= Target::avx2) return &N_AVX2::tap_sum<T>;
#endif
  static_cast<void>(target);
  return &HWY_STATIC_DISPATCH(tap_sum<T>);
}
}  // namespace detail

TREADLE_INLINE TapFunction<float> tap_sum_f32(Target target) noexcept {
  return detail::find_tap_sum<float>(target);
}
TREADLE_INLINE TapFunction<double> tap_sum_f64(Target target) noexcept {
  return detail::find_tap_sum<double>(target);
}

}  // namespace treadle::inline v0::cpu::simd
#endif

#endif
