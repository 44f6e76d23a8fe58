// The folds of variances, norms and logsumexp.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <treadle/cpu/reduction/folds.hpp>

namespace treadle::inline v0::cpu::detail {

template <class T>
double squared_length(T x) noexcept {
  if constexpr (is_complex_number<T>)
    return x.real() * x.real() + x.imag() * x.imag();
  else
    return static_cast<double>(x) * static_cast<double>(x);
}

/// Variance, or its root, and mean. Chunks are combined as in Chan, Golub and LeVeque, "Updating
/// formulae and a pairwise algorithm for computing sample variances" (1979).
template <class T>
struct VarianceFold {
  using Element = T;
  using Mean = std::conditional_t<is_complex_number<T>, T, double>;
  struct State {
    Mean mean;
    double squares;
    double count;
  };
  using First = RealOf<T>;
  using Second = T;
  static State start() { return {}; }
  static void fold(const ReduceParameters&, State& s, const T* in, std::int64_t n) {
    Mean sum{};
    for (std::int64_t i = 0; i < n; ++i) sum += static_cast<Mean>(in[i]);
    const double count = static_cast<double>(n), total = s.count + count;
    const Mean mean = sum / count, delta = mean - s.mean;
    double squares = 0;
    for (std::int64_t i = 0; i < n; ++i) squares += squared_length(static_cast<Mean>(in[i]) - mean);
    s.squares += squares + squared_length(delta) * (s.count * count / total);
    s.mean += delta * (count / total);
    s.count = total;
  }
  static void finish(const ReduceParameters& p, const State& s, First* variance, Second* mean) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const double freedom = s.count - p.correction;
    const double v = s.count == 0 ? nan : s.squares / (freedom > 0 ? freedom : 0.0);
    *variance = static_cast<First>(p.root ? std::sqrt(v) : v);
    // As dividing a sum of nothing by zero: both parts of a complex number are NaN.
    *mean = static_cast<Second>(s.count == 0 ? s.mean / 0.0 : s.mean);
  }
};

/// The p-norm for any p; sums run in double.
template <class T>
struct NormFold {
  using Element = T;
  using State = double;
  using First = RealOf<T>;
  using Second = RealOf<T>;
  static State start() { return 0; }
  static void fold(const ReduceParameters& p, State& s, const T* in, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i)
      s += std::pow(static_cast<double>(std::abs(in[i])), p.order);
  }
  static void finish(const ReduceParameters& p, const State& s, First* out, Second*) {
    *out = static_cast<First>(std::pow(s, 1 / p.order));
  }
};
template <class T>
struct Norm2Fold : NormFold<T> {
  static void row(double& s, T x) { s += squared_length(x); }
  static void fold(const ReduceParameters&, double& s, const T* in, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) s += squared_length(in[i]);
  }
  static void finish(const ReduceParameters&, const double& s, RealOf<T>* out, RealOf<T>*) {
    *out = static_cast<RealOf<T>>(std::sqrt(s));
  }
};
template <class T>
struct Norm1Fold : NormFold<T> {
  static void row(double& s, T x) { s += static_cast<double>(std::abs(x)); }
  static void fold(const ReduceParameters&, double& s, const T* in, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) row(s, in[i]);
  }
  static void finish(const ReduceParameters&, const double& s, RealOf<T>* out, RealOf<T>*) {
    *out = static_cast<RealOf<T>>(s);
  }
};
template <class T>
struct Norm0Fold : Norm1Fold<T> {
  static void row(double& s, T x) { s += x != T{} ? 1 : 0; }
  static void fold(const ReduceParameters&, double& s, const T* in, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) row(s, in[i]);
  }
};
template <class T, bool Largest>
struct ExtremeNormFold : Norm1Fold<T> {
  static double start() { return Largest ? 0 : std::numeric_limits<double>::infinity(); }
  static void row(double& s, T x) {
    ExtremeFold<double, Largest>::row(s, static_cast<double>(std::abs(x)));
  }
  static void fold(const ReduceParameters&, double& s, const T* in, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) row(s, in[i]);
  }
};
template <class T>
struct MaxNormFold : ExtremeNormFold<T, true> {};
template <class T>
struct MinNormFold : ExtremeNormFold<T, false> {};

/// log(sum(exp(x))), shifted by the largest element so far.
template <class T>
struct LogSumExpFold {
  using Element = T;
  using Sum = std::conditional_t<is_complex_number<T>, T, double>;
  struct State {
    double largest;  ///< by the real part
    Sum sum;
  };
  using First = T;
  using Second = T;
  static double real_part(T x) noexcept {
    if constexpr (is_complex_number<T>)
      return x.real();
    else
      return static_cast<double>(x);
  }
  static State start() { return {-std::numeric_limits<double>::infinity(), Sum(0)}; }
  static void fold(const ReduceParameters&, State& s, const T* in, std::int64_t n) {
    double largest = s.largest;
    for (std::int64_t i = 0; i < n; ++i) ExtremeFold<double, true>::row(largest, real_part(in[i]));
    const double shift = std::isinf(largest) ? 0 : largest;
    Sum sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += std::exp(static_cast<Sum>(in[i]) - shift);
    const double old_shift = std::isinf(s.largest) ? 0 : s.largest;
    s.sum = s.sum * std::exp(old_shift - shift) + sum;
    s.largest = largest;
  }
  static void finish(const ReduceParameters&, const State& s, First* out, Second*) {
    const double shift = std::isinf(s.largest) ? 0 : s.largest;
    *out = static_cast<First>(std::log(s.sum) + shift);
  }
};

}  // namespace treadle::inline v0::cpu::detail
