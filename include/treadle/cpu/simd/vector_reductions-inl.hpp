// Sums, extrema and row normalisations over arrays, for one target.
#if defined(TREADLE_CPU_SIMD_VECTOR_REDUCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TREADLE_CPU_SIMD_VECTOR_REDUCTIONS_INL
#undef TREADLE_CPU_SIMD_VECTOR_REDUCTIONS_INL
#else
#define TREADLE_CPU_SIMD_VECTOR_REDUCTIONS_INL
#endif

#include <cmath>
#include <cstddef>
#include <limits>

#include <hwy/highway.h>

#include <treadle/cpu/simd/partial-inl.hpp>
#include <treadle/cpu/simd/vector_functions-inl.hpp>
#include <treadle/cpu/simd/vector_maps-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Terms of a sum: the vector at index i, whole or its first lanes with zeros behind them.
template <class T>
struct PlainTerm {
  const T* in;
  template <class D>
  HWY_INLINE hn::Vec<D> whole(D d, std::size_t i) const {
    return hn::LoadU(d, in + i);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> part(D d, std::size_t i, std::size_t count) const {
    return load_first(d, in + i, count);
  }
};

template <class T>
struct ProductTerm {
  const T* a;
  const T* b;
  template <class D>
  HWY_INLINE hn::Vec<D> whole(D d, std::size_t i) const {
    return hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
  }
  template <class D>
  HWY_INLINE hn::Vec<D> part(D d, std::size_t i, std::size_t count) const {
    return hn::Mul(load_first(d, a + i, count), load_first(d, b + i, count));
  }
};

struct DeviationTerm {
  const float* in;
  float mean;
  template <class D>
  HWY_INLINE hn::Vec<D> whole(D d, std::size_t i) const {
    const auto x = hn::Sub(hn::LoadU(d, in + i), hn::Set(d, mean));
    return hn::Mul(x, x);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> part(D d, std::size_t i, std::size_t count) const {
    const auto x = hn::Sub(load_first(d, in + i, count), hn::Set(d, mean));
    return hn::IfThenElseZero(hn::FirstN(d, count), hn::Mul(x, x));
  }
};

/// e^(x - max), stored where `out` is not null.
struct ExpTerm {
  const float* in;
  float max;
  float* out;
  template <class D>
  HWY_INLINE hn::Vec<D> whole(D d, std::size_t i) const {
    const auto e = exp_vector(d, hn::Sub(hn::LoadU(d, in + i), hn::Set(d, max)));
    if (out) hn::StoreU(e, d, out + i);
    return e;
  }
  template <class D>
  HWY_INLINE hn::Vec<D> part(D d, std::size_t i, std::size_t count) const {
    const auto e = exp_vector(d, hn::Sub(load_first(d, in + i, count), hn::Set(d, max)));
    if (out) store_first(e, d, out + i, count);
    return hn::IfThenElseZero(hn::FirstN(d, count), e);
  }
};

/// Adds up to 64 vectors in four interleaved chains. A function of its own: terms may be long.
template <class T, class Term>
HWY_NOINLINE T sum_block(const Term& term, std::size_t begin, std::size_t end) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  std::size_t i = begin;
  for (; i + 4 * lanes <= end; i += 4 * lanes) {
    s0 = hn::Add(s0, term.whole(d, i));
    s1 = hn::Add(s1, term.whole(d, i + lanes));
    s2 = hn::Add(s2, term.whole(d, i + 2 * lanes));
    s3 = hn::Add(s3, term.whole(d, i + 3 * lanes));
  }
  for (; i + lanes <= end; i += lanes) s0 = hn::Add(s0, term.whole(d, i));
  if (i < end) s1 = hn::Add(s1, term.part(d, i, end - i));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

/// Pairwise sum over fixed blocks of 64 vectors (Higham 1993): the blocks' sums are joined like the
/// digits of a binary counter, so the error grows with the logarithm of n.
template <class T, class Term>
T sum_terms(const Term& term, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t block = 64 * hn::Lanes(d);
  if (n <= block) return sum_block<T>(term, 0, n);
  T levels[64] = {};
  std::size_t done = 0;
  for (std::size_t i = 0; i < n; i += block, ++done) {
    T sum = sum_block<T>(term, i, i + block < n ? i + block : n);
    std::size_t level = 0;
    for (; (done >> level) & 1; ++level) sum = levels[level] + sum;
    levels[level] = sum;
  }
  T total = 0;
  for (std::size_t level = 0; (done >> level) != 0; ++level)
    if ((done >> level) & 1) total = levels[level] + total;
  return total;
}

template <class T>
T sum(const T* in, std::size_t n) {
  return sum_terms<T>(PlainTerm<T>{in}, n);
}
template <class T>
T dot(const T* a, const T* b, std::size_t n) {
  return sum_terms<T>(ProductTerm<T>{a, b}, n);
}

/// Sums that stay in registers for all rows: `Registers` vectors of doubles beside each other.
template <std::size_t Registers>
void sum_column_block(double* sums, const float* rows, std::ptrdiff_t stride, std::size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> half;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::LoadU(d, sums), s1 = s0, s2 = s0, s3 = s0;
  if constexpr (Registers == 4) {
    s1 = hn::LoadU(d, sums + lanes);
    s2 = hn::LoadU(d, sums + 2 * lanes);
    s3 = hn::LoadU(d, sums + 3 * lanes);
  }
  for (std::size_t r = 0; r < count; ++r, rows += stride) {
    s0 = hn::Add(s0, hn::PromoteTo(d, hn::LoadU(half, rows)));
    if constexpr (Registers == 4) {
      s1 = hn::Add(s1, hn::PromoteTo(d, hn::LoadU(half, rows + lanes)));
      s2 = hn::Add(s2, hn::PromoteTo(d, hn::LoadU(half, rows + 2 * lanes)));
      s3 = hn::Add(s3, hn::PromoteTo(d, hn::LoadU(half, rows + 3 * lanes)));
    }
  }
  hn::StoreU(s0, d, sums);
  if constexpr (Registers == 4) {
    hn::StoreU(s1, d, sums + lanes);
    hn::StoreU(s2, d, sums + 2 * lanes);
    hn::StoreU(s3, d, sums + 3 * lanes);
  }
}

inline void sum_columns(double* sums, const float* rows, std::ptrdiff_t stride, std::size_t count,
                        std::size_t n) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<double>());
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) sum_column_block<4>(sums + i, rows + i, stride, count);
  for (; i + lanes <= n; i += lanes) sum_column_block<1>(sums + i, rows + i, stride, count);
  for (; i < n; ++i)
    for (std::size_t r = 0; r < count; ++r)
      sums[i] += static_cast<double>(
          rows[static_cast<std::ptrdiff_t>(r) * stride + static_cast<std::ptrdiff_t>(i)]);
}

/// The extremum by `F` (Larger or Smaller); `worst` for no elements.
template <class F>
float reduce_extremum(const float* in, std::size_t n, float worst) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const F f;
  auto m0 = hn::Set(d, worst), m1 = m0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    m0 = f(d, m0, hn::LoadU(d, in + i));
    m1 = f(d, m1, hn::LoadU(d, in + i + lanes));
  }
  for (; i + lanes <= n; i += lanes) m0 = f(d, m0, hn::LoadU(d, in + i));
  HWY_ALIGN float all[2 * HWY_MAX_BYTES / sizeof(float)];
  hn::Store(f(d, m0, m1), d, all);
  std::size_t count = lanes;
  for (; i < n; ++i) all[count++] = in[i];
  float best = worst;
  for (std::size_t j = 0; j < count; ++j) {
    const hn::CappedTag<float, 1> one;
    best = hn::GetLane(f(one, hn::Set(one, best), hn::Set(one, all[j])));
  }
  return best;
}
inline float reduce_max(const float* in, std::size_t n) {
  return reduce_extremum<Larger>(in, n, -std::numeric_limits<float>::infinity());
}
inline float reduce_min(const float* in, std::size_t n) {
  return reduce_extremum<Smaller>(in, n, std::numeric_limits<float>::infinity());
}

inline float exp_sum(const float* in, float max, float* out, std::size_t n) {
  return sum_terms<float>(ExpTerm{in, max, out}, n);
}

inline void softmax(const float* in, float* out, std::size_t n) {
  const float total = exp_sum(in, reduce_max(in, n), out, n);
  map_scalar<Times, float>(out, 1.0F / total, out, n);
}

inline void log_softmax(const float* in, float* out, std::size_t n) {
  const float max = reduce_max(in, n);
  const float total = exp_sum(in, max, nullptr, n);
  map_scalar<Minus, float>(in, max, out, n);
  map_scalar<Minus, float>(out, std::log(total), out, n);
}

inline void mean_variance(const float* in, std::size_t n, float* mean, float* variance) {
  const float count = static_cast<float>(n);
  *mean = sum(in, n) / count;
  *variance = sum_terms<float>(DeviationTerm{in, *mean}, n) / count;
}

/// out = (in - mean) · scale [· weight] [+ bias].
inline void scale_row(const float* in, float mean, float scale, const float* weight,
                      const float* bias, float* out, std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto shift = hn::Set(d, mean), factor = hn::Set(d, scale);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    auto x = hn::Mul(hn::Sub(hn::LoadU(d, in + i), shift), factor);
    if (weight) x = hn::Mul(x, hn::LoadU(d, weight + i));
    if (bias) x = hn::Add(x, hn::LoadU(d, bias + i));
    hn::StoreU(x, d, out + i);
  }
  if (const std::size_t rest = n - i; rest != 0) {
    auto x = hn::Mul(hn::Sub(load_first(d, in + i, rest), shift), factor);
    if (weight) x = hn::Mul(x, load_first(d, weight + i, rest));
    if (bias) x = hn::Add(x, load_first(d, bias + i, rest));
    store_first(x, d, out + i, rest);
  }
}

inline void layer_norm(const float* in, const float* weight, const float* bias, float epsilon,
                       float* out, std::size_t n, float* mean, float* rstd) {
  float center = 0, variance = 0;
  mean_variance(in, n, &center, &variance);
  const float scale = 1.0F / std::sqrt(variance + epsilon);
  scale_row(in, center, scale, weight, bias, out, n);
  if (mean) *mean = center;
  if (rstd) *rstd = scale;
}

inline void rms_norm(const float* in, const float* weight, float epsilon, float* out,
                     std::size_t n) {
  const float square = dot(in, in, n) / static_cast<float>(n);
  scale_row(in, 0.0F, 1.0F / std::sqrt(square + epsilon), weight, nullptr, out, n);
}

}  // namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
