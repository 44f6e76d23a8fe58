// Orthogonal polynomials at one place, with the corner values of PyTorch.
#pragma once

#include <cmath>
#include <cstdint>

#include <treadle/cpu/elementwise/special_functions.hpp>

namespace treadle::inline v0::cpu::detail {

/// The degree without its fraction; more than a million would only take time.
inline std::int64_t polynomial_degree(double n) noexcept {
  if (!(n > -1)) return -1;
  return static_cast<std::int64_t>(std::fmin(n, 1e6));
}

/// p(k + 1) = 2 x p(k) - p(k - 1) from p(0) = 1 and p(1), up to degree n.
inline double chebyshev_recurrence(double x, std::int64_t n, double first) noexcept {
  if (n == 0) return 1;
  double before = 1, now = first;
  for (std::int64_t k = 2; k <= n && now == now; ++k) {
    const double next = 2 * x * now - before;
    before = now;
    now = next;
  }
  return now;
}

inline double chebyshev_t(double x, double degree) noexcept {
  const std::int64_t n = polynomial_degree(degree);
  if (n < 0) return 0;
  if (std::abs(x) == 1) return x > 0 || n % 2 == 0 ? 1 : -1;
  if (n > 6 && std::abs(x) < 1) return std::cos(static_cast<double>(n) * std::acos(x));
  return chebyshev_recurrence(x, n, x);
}
inline double chebyshev_u(double x, double degree) noexcept {
  const std::int64_t n = polynomial_degree(degree);
  if (n < 0) return 0;
  const double next = static_cast<double>(n) + 1;
  if (std::abs(x) == 1) return x > 0 || n % 2 == 0 ? next : -next;
  if (n > 8 && std::abs(x) < 1) {
    const double angle = std::acos(x);
    return std::sin(next * angle) / std::sin(angle);
  }
  return chebyshev_recurrence(x, n, 2 * x);
}
inline double chebyshev_v(double x, double degree) noexcept {
  const std::int64_t n = polynomial_degree(degree);
  if (n < 0) return 0;
  const double odd = 2 * static_cast<double>(n) + 1;
  if (std::abs(x) == 1) return x > 0 ? 1 : (n % 2 == 0 ? odd : -odd);
  if (n > 8 && std::abs(x) < 1) {
    const double angle = std::acos(x) / 2;
    return std::cos(odd * angle) / std::cos(angle);
  }
  return chebyshev_recurrence(x, n, 2 * x - 1);
}
inline double chebyshev_w(double x, double degree) noexcept {
  const std::int64_t n = polynomial_degree(degree);
  if (n < 0) return 0;
  const double odd = 2 * static_cast<double>(n) + 1;
  if (std::abs(x) == 1) return x > 0 ? odd : (n % 2 == 0 ? 1 : -1);
  if (n > 8 && std::abs(x) < 1) {
    const double angle = std::acos(x) / 2;
    return std::sin(odd * angle) / std::sin(angle);
  }
  return chebyshev_recurrence(x, n, 2 * x + 1);
}

/// Of degrees at which numbers of a type overflow PyTorch gives NaN.
inline double hermite_recurrence(double x, double degree, double factor, double limit) noexcept {
  const std::int64_t n = polynomial_degree(degree);
  if (n <= 0) return n < 0 ? 0 : 1;
  if (static_cast<double>(n) > limit) return not_a_number;
  double before = 1, now = factor * x;
  for (std::int64_t k = 1; k < n; ++k) {
    const double next = factor * (x * now - static_cast<double>(k) * before);
    before = now;
    now = next;
  }
  return now;
}
inline double laguerre_l(double x, double degree) noexcept {
  const std::int64_t n = polynomial_degree(degree);
  if (n < 0) return 0;
  if (x == 0 || n == 0) return 1;
  double before = 1, now = 1 - x;
  for (std::int64_t k = 1; k < n && now == now; ++k) {
    const auto m = static_cast<double>(k);
    const double next = ((2 * m + 1 - x) * now - m * before) / (m + 1);
    before = now;
    now = next;
  }
  return now;
}
inline double legendre_p(double x, double degree) noexcept {
  const std::int64_t n = polynomial_degree(degree);
  if (n < 0) return 0;
  if (std::abs(x) == 1) return x > 0 || n % 2 == 0 ? 1 : -1;
  if (n == 0) return 1;
  double before = 1, now = x;
  for (std::int64_t k = 1; k < n && now == now; ++k) {
    const auto m = static_cast<double>(k);
    const double next = ((2 * m + 1) * x * now - m * before) / (m + 1);
    before = now;
    now = next;
  }
  return now;
}

}  // namespace treadle::inline v0::cpu::detail
