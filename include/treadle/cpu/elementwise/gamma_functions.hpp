// Incomplete gamma functions, the Hurwitz zeta function, derivatives of digamma: double precision.
#pragma once

#include <array>
#include <cmath>

#include <treadle/cpu/elementwise/special_functions.hpp>

namespace treadle::inline v0::cpu::detail {

/// exp(-x) x^a / gamma(a).
inline double gamma_weight(double a, double x) noexcept {
  return std::exp(a * std::log(x) - x - std::lgamma(a));
}
/// The lower function by its series, for x < a + 1 (Abramowitz and Stegun 6.5.29).
inline double lower_gamma_series(double a, double x) noexcept {
  double term = 1 / a, sum = term;
  for (int k = 1; k < 200000 && term > sum * 1e-17; ++k) {
    term *= x / (a + k);
    sum += term;
  }
  return sum * gamma_weight(a, x);
}
/// The upper function by its continued fraction, for x >= a + 1 (6.5.31), as Lentz evaluates it.
inline double upper_gamma_fraction(double a, double x) noexcept {
  constexpr double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, fraction = d;
  for (int k = 1; k < 200000; ++k) {
    const double factor = -k * (k - a);
    b += 2;
    d = factor * d + b;
    if (std::abs(d) < tiny) d = tiny;
    c = b + factor / c;
    if (std::abs(c) < tiny) c = tiny;
    d = 1 / d;
    fraction *= d * c;
    if (std::abs(d * c - 1) < 1e-16) break;
  }
  return fraction * gamma_weight(a, x);
}
/// The regularised lower incomplete gamma function P(a, x).
inline double lower_gamma(double a, double x) noexcept {
  if (!(x >= 0) || !(a >= 0)) return not_a_number;
  if (a == 0) return x > 0 ? 1 : not_a_number;
  if (x == 0) return 0;
  if (std::isinf(a)) return std::isinf(x) ? not_a_number : 0;
  if (std::isinf(x)) return 1;
  return x < a + 1 ? lower_gamma_series(a, x) : 1 - upper_gamma_fraction(a, x);
}
/// The regularised upper incomplete gamma function Q(a, x).
inline double upper_gamma(double a, double x) noexcept {
  if (!(x >= 0) || !(a >= 0)) return not_a_number;
  if (a == 0) return x > 0 ? 0 : not_a_number;
  if (x == 0) return 1;
  if (std::isinf(a)) return std::isinf(x) ? not_a_number : 1;
  if (std::isinf(x)) return 0;
  return x < a + 1 ? 1 - lower_gamma_series(a, x) : upper_gamma_fraction(a, x);
}

/// The Hurwitz zeta function: first terms, then Euler and Maclaurin's sum of the rest.
inline double hurwitz_zeta(double x, double q) noexcept {
  // (2k)! / B(2k)
  constexpr std::array<double, 12> series = {12.0,
                                             -720.0,
                                             30240.0,
                                             -1209600.0,
                                             47900160.0,
                                             -1.8924375803183791606e9,
                                             7.47242496e10,
                                             -2.950130727918164224e12,
                                             1.1646782814350067249e14,
                                             -4.5979787224074726105e15,
                                             1.8152105401943546773e17,
                                             -7.1661652561756670113e18};
  if (x == 1) return infinite;
  if (!(x > 1) || q != q) return not_a_number;
  if (q <= 0) {
    if (q == std::floor(q)) return infinite;
    if (x != std::floor(x)) return not_a_number;
  }
  double sum = std::pow(q, -x), a = q, b = 0;
  for (int i = 0; i < 9 || a <= 9; ++i) {
    a += 1;
    b = std::pow(a, -x);
    sum += b;
    if (std::abs(b) < 1e-17 * std::abs(sum)) return sum;
  }
  sum += b * a / (x - 1) - b / 2;
  double factor = 1, k = 0;
  for (const double divisor : series) {
    factor *= x + k;
    b /= a;
    const double term = factor * b / divisor;
    sum += term;
    if (std::abs(term) < 1e-17 * std::abs(sum)) break;
    k += 1;
    factor *= x + k;
    b /= a;
    k += 1;
  }
  return sum;
}

/// The second derivative of log gamma: reflection, recurrence, asymptotic series (Abramowitz and
/// Stegun 6.4.7, 6.4.6, 6.4.12).
inline double trigamma(double x) noexcept {
  double sign = 1, sum = 0;
  if (x < 0.5) {
    const double sine = std::sin(pi * x);
    sign = -1;
    sum -= pi * pi / (sine * sine);
    x = 1 - x;
  }
  for (; x < 10; ++x) sum += 1 / (x * x);
  if (std::isinf(x)) return sign * sum;
  constexpr std::array<double, 7> series = {7.0 / 6,  -691.0 / 2730, 5.0 / 66, -1.0 / 30,
                                            1.0 / 42, -1.0 / 30,     1.0 / 6};
  const double z = 1 / (x * x);
  sum += 1 / x + z / 2 + z / x * polynomial(series, z);
  return sign * sum;
}

/// Derivative `n` of digamma.
inline double polygamma(double n, double x) noexcept {
  if (n == 0) return digamma(x);
  if (n == 1) return trigamma(x);
  const double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  return sign * std::exp(std::lgamma(n + 1)) * hurwitz_zeta(n + 1, x);
}

}  // namespace treadle::inline v0::cpu::detail
