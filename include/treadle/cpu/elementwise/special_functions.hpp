// Special functions of one real number, in double precision.
#pragma once

#include <array>
#include <cmath>
#include <limits>

namespace treadle::inline v0::cpu::detail {

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double sqrt_half = 0.70710678118654752440;
inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <std::size_t Size>
double polynomial(const std::array<double, Size>& highest_first, double x) noexcept {
  double y = 0;
  for (double c : highest_first) y = y * x + c;
  return y;
}

/// The logarithmic derivative of the gamma function: reflection, recurrence, asymptotic series
/// (Abramowitz and Stegun 6.3.7, 6.3.5, 6.3.18).
inline double digamma(double x) noexcept {
  if (x == 0) return std::copysign(infinite, -x);
  if (x < 0) {
    if (x == std::floor(x)) return not_a_number;
    const double rest = x - std::floor(x);
    return digamma(1 - x) - pi / std::tan(pi * rest);
  }
  double shift = 0;
  for (; x < 10; ++x) shift -= 1 / x;
  if (std::isinf(x)) return x;
  constexpr std::array<double, 7> series = {1.0 / 12,  -691.0 / 32760, 1.0 / 132, -1.0 / 240,
                                            1.0 / 252, -1.0 / 120,     1.0 / 12};
  const double z = 1 / (x * x);
  return shift + std::log(x) - 0.5 / x - z * polynomial(series, z);
}

/// exp(x²) erfc(x): directly where that is exact enough, by its continued fraction elsewhere.
inline double scaled_erfc(double x) noexcept {
  if (x < 5) return std::exp(x * x) * std::erfc(x);
  double fraction = x;
  for (int k = 60; k > 0; --k) fraction = x + 0.5 * k / fraction;
  return 1 / (std::sqrt(pi) * fraction);
}

/// The distribution function of the standard normal.
inline double normal_cdf(double x) noexcept { return 0.5 * std::erfc(-x * sqrt_half); }
inline double log_normal_cdf(double x) noexcept {
  if (x < -1) return std::log(0.5 * scaled_erfc(-x * sqrt_half)) - 0.5 * x * x;
  return std::log1p(-0.5 * std::erfc(x * sqrt_half));
}
/// Its inverse for p <= 0.5: a rational start (Acklam), then Halley's steps.
inline double lower_normal_quantile(double p) noexcept {
  constexpr std::array<double, 6> a = {-3.969683028665376e+01, 2.209460984245205e+02,
                                       -2.759285104469687e+02, 1.383577518672690e+02,
                                       -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr std::array<double, 6> b = {-5.447609879822406e+01, 1.615858368580409e+02,
                                       -1.556989798598866e+02, 6.680131188771972e+01,
                                       -1.328068155288572e+01, 1};
  constexpr std::array<double, 6> c = {-7.784894002430293e-03, -3.223964580411365e-01,
                                       -2.400758277161838e+00, -2.549732539343734e+00,
                                       4.374664141464968e+00,  2.938163982698783e+00};
  constexpr std::array<double, 5> d = {7.784695709041462e-03, 3.224671290700398e-01,
                                       2.445134137142996e+00, 3.754408661907416e+00, 1};
  double x = 0;
  if (p < 0.02425) {
    const double q = std::sqrt(-2 * std::log(p));
    x = polynomial(c, q) / polynomial(d, q);
  } else {
    const double q = p - 0.5;
    x = q * polynomial(a, q * q) / polynomial(b, q * q);
  }
  for (int step = 0; step < 2; ++step) {
    const double error = (normal_cdf(x) - p) * std::sqrt(2 * pi) * std::exp(0.5 * x * x);
    if (!std::isfinite(error)) break;
    x -= error / (1 + 0.5 * x * error);
  }
  return x;
}
inline double normal_quantile(double p) noexcept {
  if (!(p >= 0 && p <= 1)) return not_a_number;
  if (p == 0) return -infinite;
  if (p == 1) return infinite;
  return p <= 0.5 ? lower_normal_quantile(p) : -lower_normal_quantile(1 - p);
}

/// The inverse of erf: Newton's steps near 0, the normal quantile elsewhere.
inline double inverse_erf(double y) noexcept {
  if (!(y >= -1 && y <= 1)) return not_a_number;
  const double m = std::abs(y);
  if (m == 1) return std::copysign(infinite, y);
  if (m >= 0.5) return std::copysign(-lower_normal_quantile((1 - m) / 2) * sqrt_half, y);
  double x = m * std::sqrt(pi) / 2 * (1 + pi * m * m / 12);
  for (int step = 0; step < 4; ++step) x -= (std::erf(x) - m) * std::sqrt(pi) / 2 * std::exp(x * x);
  return std::copysign(x, y);
}

/// exp(-|x|) I_n(x), n = 0 or 1: the power series, or the asymptotic one (Abramowitz and Stegun
/// 9.6.10, 9.7.1).
inline double scaled_bessel_i(int n, double x) noexcept {
  const double m = std::abs(x);
  const double sign = n == 1 && x < 0 ? -1 : 1;
  if (m != m) return m;
  if (m < 30) {
    double term = n == 0 ? 1 : m / 2, sum = term;
    for (int k = 1; k < 200 && term > sum * 1e-18; ++k) {
      term *= m * m / 4 / (k * static_cast<double>(k + n));
      sum += term;
    }
    return sign * sum * std::exp(-m);
  }
  if (std::isinf(m)) return 0;
  double term = 1, sum = 1;
  for (int k = 1; k < 30; ++k) {
    const double odd = 2 * k - 1;
    term *= -(4.0 * n * n - odd * odd) / (k * 8 * m);
    sum += term;
    if (std::abs(term) < 1e-18) break;
  }
  return sign * sum / std::sqrt(2 * pi * m);
}

/// -x log x.
inline double entropy_term(double x) noexcept {
  if (x != x) return x;
  if (x == 0) return 0;
  return x > 0 ? -x * std::log(x) : -infinite;
}

}  // namespace treadle::inline v0::cpu::detail
