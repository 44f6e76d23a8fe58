// Bessel and Airy functions of one real number, in double precision; NaN at infinity, as PyTorch.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <treadle/cpu/elementwise/special_functions.hpp>

namespace treadle::inline v0::cpu::detail {

inline constexpr double euler_gamma = 0.57721566490153286061;

/// J and Y of orders 0 and 1.
struct BesselValues {
  double j0 = 0, j1 = 0, y0 = 0, y1 = 0;
};

/// For 0 < x < 25: Miller's backward recurrence, and Neumann's series for Y (Abramowitz and Stegun
/// 9.1.46, 9.1.88, 9.1.89), whose terms are no larger than 1.
inline BesselValues bessel_by_recurrence(double x) noexcept {
  constexpr std::size_t start = 80;
  std::array<double, start + 2> j{};
  j[start] = 1e-300;
  double norm = 0;
  for (std::size_t k = start; k-- > 0;) {
    j[k] = 2 * static_cast<double>(k + 1) / x * j[k + 1] - j[k + 2];
    if (std::abs(j[k]) > 1e200)
      for (std::size_t i = k; i <= start; ++i) j[i] *= 1e-300;
  }
  for (std::size_t k = 2; k <= start; k += 2) norm += 2 * j[k];
  norm += j[0];
  for (auto& value : j) value /= norm;
  double even = 0, odd = 0, sign = -1;
  for (std::size_t k = 1; 2 * k < start; ++k, sign = -sign) {
    even += sign * j[2 * k] / static_cast<double>(k);
    odd += sign * (j[2 * k - 1] - j[2 * k + 1]) / static_cast<double>(2 * k);
  }
  const double logarithm = std::log(x / 2) + euler_gamma;
  const double y0 = 2 / pi * logarithm * j[0] - 4 / pi * even;
  const double y1 = -2 / pi * (j[0] / x - logarithm * j[1]) + 4 / pi * odd;
  return {j[0], j[1], y0, y1};
}

/// Hankel's expansion of J and Y of one order for x >= 25 (Abramowitz and Stegun 9.2.5).
inline void bessel_by_expansion(double x, int order, double& j, double& y) noexcept {
  double p = 1, q = 0, term = 1;
  for (int k = 1; k < 40; ++k) {
    const double odd = 2 * k - 1;
    const double next = term * (4.0 * order * order - odd * odd) / (k * 8 * x);
    if (std::abs(next) >= std::abs(term)) break;
    term = next;
    const double sign = k / 2 % 2 == 0 ? 1 : -1;
    (k % 2 == 0 ? p : q) += sign * term;
    if (std::abs(term) < 1e-18) break;
  }
  // cos(x - phase) by sums, which lose nothing to the difference.
  const double c = std::cos(x), s = std::sin(x);
  const double cosine = order == 0 ? (c + s) * sqrt_half : (s - c) * sqrt_half;
  const double sine = order == 0 ? (s - c) * sqrt_half : -(s + c) * sqrt_half;
  const double scale = std::sqrt(2 / (pi * x));
  j = scale * (p * cosine - q * sine);
  y = scale * (p * sine + q * cosine);
}

inline BesselValues bessel_values(double x) noexcept {
  if (x < 25) return bessel_by_recurrence(x);
  BesselValues values;
  bessel_by_expansion(x, 0, values.j0, values.y0);
  bessel_by_expansion(x, 1, values.j1, values.y1);
  return values;
}

inline double bessel_j0(double x) noexcept {
  const double m = std::abs(x);
  if (m != m || m < 1e-8) return m != m ? m : 1;
  return std::isinf(m) ? not_a_number : bessel_values(m).j0;
}
inline double bessel_j1(double x) noexcept {
  const double m = std::abs(x);
  if (m != m || m < 1e-8) return x / 2;
  return std::isinf(m) ? not_a_number : std::copysign(1.0, x) * bessel_values(m).j1;
}
inline double bessel_y0(double x) noexcept {
  if (x != x || x < 0) return not_a_number;
  if (x == 0) return -infinite;
  if (x < 1e-8) return 2 / pi * (std::log(x / 2) + euler_gamma);
  return std::isinf(x) ? not_a_number : bessel_values(x).y0;
}
inline double bessel_y1(double x) noexcept {
  if (x != x || x < 0) return not_a_number;
  if (x == 0) return -infinite;
  if (x < 1e-8) return -2 / (pi * x);
  return std::isinf(x) ? not_a_number : bessel_values(x).y1;
}

/// exp(x) K of an order for x > 0: the integral of exp(x - x cosh t) cosh(order t), which the
/// trapezoidal rule gives to all digits.
inline double scaled_bessel_k_integral(double x, double order) noexcept {
  const double step = std::fmin(0.125, 0.7 / std::sqrt(x));
  double sum = 0.5;
  for (int i = 1; i < 8000; ++i) {
    const double t = i * step, half = std::sinh(t / 2);
    const double exponent = 2 * x * half * half;
    if (exponent - order * t > 745) break;
    sum += std::exp(-exponent) * std::cosh(order * t);
  }
  return sum * step;
}
/// exp(x) K_n(x), n = 0 or 1: the series for small x (Abramowitz and Stegun 9.6.11).
inline double scaled_bessel_k(int n, double x) noexcept {
  if (x != x || x < 0) return not_a_number;
  if (x == 0) return infinite;
  if (std::isinf(x)) return 0;
  if (x > 1) return scaled_bessel_k_integral(x, n);
  const double z = x * x / 4, logarithm = std::log(x / 2);
  double term = 1, harmonic = -euler_gamma, sum = 0;
  for (int k = 0; k < 30; ++k) {
    const double next = harmonic + 1.0 / (k + 1);
    sum +=
        n == 0 ? term * (harmonic - logarithm) : term * (logarithm - (harmonic + next) / 2) * x / 2;
    harmonic = next;
    term *= z / ((k + 1.0) * (k + 1.0 + n));
  }
  return std::exp(x) * (n == 0 ? sum : 1 / x + sum);
}
inline double scaled_bessel_k0(double x) noexcept { return scaled_bessel_k(0, x); }
inline double scaled_bessel_k1(double x) noexcept { return scaled_bessel_k(1, x); }
inline double bessel_k0(double x) noexcept { return scaled_bessel_k(0, x) * std::exp(-x); }
inline double bessel_k1(double x) noexcept { return scaled_bessel_k(1, x) * std::exp(-x); }

/// sin(x) / x.
inline double spherical_bessel_j0(double x) noexcept {
  if (std::isinf(x)) return 0;
  return x == 0 ? 1 : std::sin(x) / x;
}

/// Ai by its power series (Abramowitz and Stegun 10.4.2).
inline double airy_series(double x) noexcept {
  const double cube = x * x * x;
  double f = 1, g = x, term_f = 1, term_g = x;
  for (int k = 1; k < 120; ++k) {
    term_f *= cube / ((3 * k - 1) * (3.0 * k));
    term_g *= cube / ((3 * k) * (3.0 * k + 1));
    f += term_f;
    g += term_g;
  }
  return 0.35502805388781723926 * f - 0.25881940379280679840 * g;
}
/// Ai(-x) for large x (Abramowitz and Stegun 10.4.60).
inline double airy_oscillating(double x) noexcept {
  const double zeta = 2.0 / 3 * x * std::sqrt(x);
  double p = 1, q = 0, term = 1;
  for (int k = 1; k < 60; ++k) {
    const double next =
        term * (6.0 * k - 5) * (6.0 * k - 3) * (6.0 * k - 1) / (216.0 * k * (2.0 * k - 1) * zeta);
    if (next >= term) break;
    term = next;
    (k % 2 == 0 ? p : q) += (k / 2 % 2 == 0 ? 1 : -1) * term;
    if (term < 1e-18) break;
  }
  const double angle = zeta + pi / 4;
  return (std::sin(angle) * p - std::cos(angle) * q) / (std::sqrt(pi) * std::sqrt(std::sqrt(x)));
}
/// The Airy function Ai; PyTorch gives NaN at infinity.
inline double airy_ai(double x) noexcept {
  if (!std::isfinite(x)) return not_a_number;
  if (x < -7) return airy_oscillating(-x);
  if (x < 1) return airy_series(x);
  if (x > 103.892) return 0;
  const double zeta = 2.0 / 3 * x * std::sqrt(x);
  return std::sqrt(x / 3) / pi * scaled_bessel_k_integral(zeta, 1.0 / 3) * std::exp(-zeta);
}

}  // namespace treadle::inline v0::cpu::detail
