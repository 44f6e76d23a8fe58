// The logarithm of a sum of exponentials of complex numbers.
#pragma once

#include <cmath>
#include <complex>
#include <limits>

namespace treadle::inline v0::cpu::detail {

/// log(exp(a) + exp(b)), shifted by the number with the larger real part.
inline std::complex<double> log_sum_exp(std::complex<double> a, std::complex<double> b) noexcept {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(a.real()) || std::isnan(a.imag()) || std::isnan(b.real()) || std::isnan(b.imag()))
    return {nan, nan};
  const bool ordered = a.real() <= b.real();
  const std::complex<double> low = ordered ? a : b, high = ordered ? b : a;
  if (std::isinf(high.real()) && low.real() == high.real())
    return low.real() < 0 ? low : std::log(std::exp(low) + std::exp(high));
  return high + std::log(1.0 + std::exp(low - high));
}

}  // namespace treadle::inline v0::cpu::detail
