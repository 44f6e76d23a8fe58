// Orthogonal polynomials at one place, with the corner values of PyTorch.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include <treadle/cpu/elementwise/special_functions.hpp>

namespace treadle::inline v0::cpu::detail {

/// The degree without its fraction; more than a million would only take time.
inline std::int64_t polynomial_degree(double n) noexcept {
  if (!(n > -1)) return -1;
  return static_cast<std::int64_t>(std::fmin(n, 1e6));
}

/// p(n) from p(0) = 1, p(1) = `first` and p(k + 1) = `next`(k, p(k), p(k - 1)).
template <class Next>
double three_term_recurrence(std::int64_t n, double first, const Next& next) noexcept {
  if (n == 0) return 1;
  double before = 1, now = first;
  for (std::int64_t k = 1; k < n && now == now; ++k)
    before = std::exchange(now, next(static_cast<double>(k), now, before));
  return now;
}
inline double chebyshev_recurrence(double x, std::int64_t n, double first) noexcept {
  return three_term_recurrence(
      n, first, [x](double, double now, double before) { return 2 * x * now - before; });
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
  return three_term_recurrence(n, factor * x, [x, factor](double k, double now, double before) {
    return factor * (x * now - k * before);
  });
}
inline double laguerre_l(double x, double degree) noexcept {
  const std::int64_t n = polynomial_degree(degree);
  if (n < 0) return 0;
  if (x == 0) return 1;
  return three_term_recurrence(n, 1 - x, [x](double k, double now, double before) {
    return ((2 * k + 1 - x) * now - k * before) / (k + 1);
  });
}
inline double legendre_p(double x, double degree) noexcept {
  const std::int64_t n = polynomial_degree(degree);
  if (n < 0) return 0;
  if (std::abs(x) == 1) return x > 0 || n % 2 == 0 ? 1 : -1;
  return three_term_recurrence(n, x, [x](double k, double now, double before) {
    return ((2 * k + 1) * x * now - k * before) / (k + 1);
  });
}

}  // namespace treadle::inline v0::cpu::detail
