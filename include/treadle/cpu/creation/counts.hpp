// Draws from the Poisson, gamma and binomial distributions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <treadle/cpu/creation/draw.hpp>

namespace treadle::inline v0::cpu::detail {

/// Hörmann's transformed rejection (PTRS, 1993), for rates of at least 10.
inline double draw_large_poisson(RandomState& random, double rate) {
  const double root = std::sqrt(rate), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
  for (int i = 0; i < 1000; ++i) {
    const double u = random.uniform() - 0.5, v = random.uniform(), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double left = std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b);
    if (left <= k * std::log(rate) - rate - std::lgamma(k + 1)) return k;
  }
  return std::floor(rate);
}
inline double draw_poisson(RandomState& random, double rate, double, double) {
  if (!(rate >= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (rate >= 10) return draw_large_poisson(random, rate);
  const double limit = std::exp(-rate);
  double count = 0;
  for (double product = random.uniform(); product > limit; product *= random.uniform()) ++count;
  return count;
}

/// Marsaglia and Tsang's method (2000); shapes below 1 by way of the next one.
inline double draw_gamma(RandomState& random, double shape, double, double) {
  if (!(shape >= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (shape == 0) return 0;
  const double boost = shape < 1 ? std::pow(1 - random.uniform(), 1 / shape) : 1;
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.normal(), root = 1 + c * x, v = root * root * root;
    if (v <= 0) continue;
    if (std::log(1 - random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v))
      return d * v * boost;
  }
  return d * boost;
}

/// Halves the number of trials by a draw of their median (Devroye, "Non-uniform random variate
/// generation", section X.4.3), then counts.
inline double draw_binomial(RandomState& random, double trials, double p, double) {
  if (!(trials >= 0) || !(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  double n = std::floor(trials), count = 0;
  while (n > 20) {
    const double i = std::floor((n + 1) / 2);
    const double x = draw_gamma(random, i, 0, 0), y = draw_gamma(random, n + 1 - i, 0, 0);
    const double median = x / (x + y);
    if (median <= p) {
      count += i;
      n -= i;
      p = std::clamp((p - median) / (1 - median), 0.0, 1.0);
    } else {
      n = i - 1;
      p = std::clamp(p / median, 0.0, 1.0);
    }
  }
  for (; n >= 1; --n) count += random.uniform() < p ? 1 : 0;
  return count;
}

}  // namespace treadle::inline v0::cpu::detail
