// Whole numbers from numbers that may be anything.
#pragma once

#include <cstdint>

namespace treadle::inline v0 {

/// `x` truncated toward zero, but no less than `low` and no more than `high`; NaN gives `low`. A
/// plain conversion is undefined where the result does not fit. The bounds are at most 2^62 from 0.
[[nodiscard]] constexpr std::int64_t clamped_integer(double x, std::int64_t low,
                                                     std::int64_t high) noexcept {
  if (!(x > static_cast<double>(low))) return low;
  if (x >= static_cast<double>(high)) return high;
  return static_cast<std::int64_t>(x);
}

}  // namespace treadle::inline v0
