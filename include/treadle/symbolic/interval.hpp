// A range of integers with saturating arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace treadle::inline v0 {

/// All numbers from `lower` to `upper`. The least and the greatest 64-bit integer mean that there
/// is no bound on that side.
struct Interval {
  static constexpr std::int64_t no_lower = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t no_upper = std::numeric_limits<std::int64_t>::max();

  std::int64_t lower = no_lower;
  std::int64_t upper = no_upper;

  [[nodiscard]] static constexpr Interval point(std::int64_t value) noexcept {
    return {value, value};
  }
  [[nodiscard]] constexpr bool contains(std::int64_t value) const noexcept {
    return lower <= value && value <= upper;
  }
  /// Bounded on both sides?
  [[nodiscard]] constexpr bool finite() const noexcept {
    return lower != no_lower && lower != no_upper && upper != no_upper && upper != no_lower;
  }
  [[nodiscard]] constexpr bool is_point() const noexcept { return lower == upper && finite(); }

  friend constexpr bool operator==(const Interval&, const Interval&) noexcept = default;

  /// The least interval that holds both.
  friend constexpr Interval hull(const Interval& a, const Interval& b) noexcept {
    return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
  }
  friend constexpr Interval operator+(const Interval& a, const Interval& b) noexcept {
    const bool low = a.lower == no_lower || b.lower == no_lower;
    const bool high = a.upper == no_upper || b.upper == no_upper;
    return {low ? no_lower : add(a.lower, b.lower), high ? no_upper : add(a.upper, b.upper)};
  }
  friend constexpr Interval operator-(const Interval& a) noexcept {
    return {multiply(a.upper, -1), multiply(a.lower, -1)};
  }
  friend constexpr Interval operator*(const Interval& a, const Interval& b) noexcept {
    return corners({multiply(a.lower, b.lower), multiply(a.lower, b.upper),
                    multiply(a.upper, b.lower), multiply(a.upper, b.upper)});
  }
  /// floor(x / y) for every y but 0.
  friend constexpr Interval floor_div(const Interval& a, Interval b) noexcept {
    if (b.lower == 0) b.lower = 1;
    if (b.upper == 0) b.upper = -1;
    if (b.lower > b.upper) return {};
    if (b.lower < 0 && b.upper > 0)
      return hull(floor_div(a, Interval{b.lower, -1}), floor_div(a, Interval{1, b.upper}));
    return corners({divide(a.lower, b.lower), divide(a.lower, b.upper), divide(a.upper, b.lower),
                    divide(a.upper, b.upper)});
  }

  /// Sum, held at the ends of the range.
  [[nodiscard]] static constexpr std::int64_t add(std::int64_t a, std::int64_t b) noexcept {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? no_lower : no_upper;
  }
  /// Product, held at the ends of the range, which stand for infinities.
  [[nodiscard]] static constexpr std::int64_t multiply(std::int64_t a, std::int64_t b) noexcept {
    if (a == 0 || b == 0) return 0;
    std::int64_t product = 0;
    const bool infinite = end(a) || end(b);
    if (!infinite && !__builtin_mul_overflow(a, b, &product)) return product;
    return (a < 0) != (b < 0) ? no_lower : no_upper;
  }

 private:
  static constexpr bool end(std::int64_t a) noexcept { return a == no_lower || a == no_upper; }
  static constexpr std::int64_t divide(std::int64_t a, std::int64_t b) noexcept {
    const bool negative = (a < 0) != (b < 0);
    if (a == 0) return 0;
    if (end(b)) return negative ? -1 : 0;
    if (end(a)) return negative ? no_lower : no_upper;
    return a / b - (a % b != 0 && negative ? 1 : 0);
  }
  static constexpr Interval corners(std::initializer_list<std::int64_t> values) noexcept {
    return {std::min(values), std::max(values)};
  }
};

}  // namespace treadle::inline v0
