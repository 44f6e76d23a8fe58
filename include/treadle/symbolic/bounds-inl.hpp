// Definitions of bounds.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/symbolic/bounds.hpp>

namespace treadle::inline v0 {
namespace detail {

inline constexpr std::int64_t exact_float_limit = std::int64_t{1} << 53;

/// Bounds that floats cannot hold exactly are dropped, because rounding may cross them.
TREADLE_INLINE Interval loosen(Interval range) noexcept {
  if (range.lower < -exact_float_limit) range.lower = Interval::no_lower;
  if (range.lower > exact_float_limit) range.lower = exact_float_limit;
  if (range.upper > exact_float_limit) range.upper = Interval::no_upper;
  if (range.upper < -exact_float_limit) range.upper = -exact_float_limit;
  return range;
}

TREADLE_INLINE Interval bound_real(double value) noexcept {
  if (std::isnan(value)) return {};
  Interval range;
  if (value >= -0x1p62)
    range.lower = static_cast<std::int64_t>(std::floor(std::min(value, 0x1p62)));
  if (value <= 0x1p62) range.upper = static_cast<std::int64_t>(std::ceil(std::max(value, -0x1p62)));
  return range;
}

TREADLE_INLINE Interval bound_mod(const Interval& a, const Interval& b) noexcept {
  if (b.lower > 0 && a.lower >= 0 && a.upper < b.lower) return a;
  Interval range{0, 0};
  if (b.upper > 0) {
    range.upper = b.upper == Interval::no_upper ? b.upper : b.upper - 1;
    if (a.lower >= 0) range.upper = std::min(range.upper, a.upper);
  }
  if (b.lower < 0) {
    range.lower = b.lower == Interval::no_lower ? b.lower : b.lower + 1;
    if (a.upper <= 0) range.lower = std::max(range.lower, a.lower);
  }
  if (b.lower < 0 && b.upper > 0) {
    if (a.lower < 0) range.upper = b.upper;
    if (a.upper > 0) range.lower = b.lower;
  }
  return range;
}

/// base ** exponent, held at the ends of the range, for exponent >= 0.
TREADLE_INLINE std::int64_t power(std::int64_t base, std::int64_t exponent) noexcept {
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  std::int64_t result = 1;
  for (std::int64_t i = 0; i < exponent && result != Interval::no_upper; ++i)
    result = Interval::multiply(result, base);
  return result;
}

/// Integer powers with an exponent that is not negative.
TREADLE_INLINE Interval bound_pow(const Interval& base, const Interval& exponent) noexcept {
  if (exponent.lower < 0) return {};
  if (base.lower >= 0) {
    const std::int64_t low = base.lower == 0 ? 0 : power(base.lower, exponent.lower);
    return {low, std::max<std::int64_t>(1, power(base.upper, exponent.upper))};
  }
  const Interval minus = -base;
  const std::int64_t magnitude =
      power(std::max<std::int64_t>({1, base.upper, minus.upper}), exponent.upper);
  return {Interval::multiply(magnitude, -1), magnitude};
}

TREADLE_INLINE Interval bound_bits(ExprKind kind, const Interval& a, const Interval& b) noexcept {
  if (kind == ExprKind::lshift || kind == ExprKind::rshift) {
    const std::int64_t low = std::clamp<std::int64_t>(b.lower, 0, 62);
    const Interval factor{std::int64_t{1} << low,
                          b.upper > 62 ? Interval::no_upper
                                       : std::int64_t{1} << std::max<std::int64_t>(b.upper, low)};
    return kind == ExprKind::lshift ? a * factor : floor_div(a, factor);
  }
  if (kind == ExprKind::bit_and) {
    if (a.lower < 0 && b.lower < 0) return {};
    if (a.lower >= 0 && b.lower >= 0) return {0, std::min(a.upper, b.upper)};
    return {0, a.lower >= 0 ? a.upper : b.upper};
  }
  if (a.lower < 0 || b.lower < 0) return {};
  const auto top = static_cast<std::uint64_t>(std::max(a.upper, b.upper));
  const auto filled = static_cast<std::int64_t>((std::uint64_t{1} << std::bit_width(top)) - 1);
  return {kind == ExprKind::bit_or ? std::max(a.lower, b.lower) : 0, filled};
}

TREADLE_INLINE bool surely_less(const Interval& a, const Interval& b) noexcept {
  return a.upper < b.lower && a.upper != Interval::no_upper && b.lower != Interval::no_lower;
}
TREADLE_INLINE bool surely_at_most(const Interval& a, const Interval& b) noexcept {
  return a.upper <= b.lower && a.upper != Interval::no_upper && b.lower != Interval::no_lower;
}

/// 1 if the comparison surely holds, 0 if it surely does not, else -1.
TREADLE_INLINE int decide(ExprKind kind, const Interval& a, const Interval& b) noexcept {
  const auto both = [](bool yes, bool no) { return yes ? 1 : no ? 0 : -1; };
  const bool apart = surely_less(a, b) || surely_less(b, a);
  const bool same = a.is_point() && a == b;
  switch (kind) {
    case ExprKind::eq: return both(same, apart);
    case ExprKind::ne: return both(apart, same);
    case ExprKind::lt: return both(surely_less(a, b), surely_at_most(b, a));
    case ExprKind::le: return both(surely_at_most(a, b), surely_less(b, a));
    case ExprKind::gt: return both(surely_less(b, a), surely_at_most(a, b));
    default: return both(surely_at_most(b, a), surely_less(a, b));
  }
}

TREADLE_INLINE Interval bound_comparison(const Expr& e, const Ranges& ranges) {
  const Expr &a = e->children[0], &b = e->children[1];
  int decided = decide(e->kind, bound(a, ranges), bound(b, ranges));
  if (decided == -1 && is_integer(a) && is_integer(b)) {
    const Expr minus = make_expr(ExprKind::mul, {b, make_integer(-1)});
    const Expr difference = make_expr(ExprKind::add, {a, minus});
    decided = decide(e->kind, bound(difference, ranges), Interval::point(0));
  }
  return decided == -1 ? Interval{0, 1} : Interval::point(decided);
}

TREADLE_INLINE bool holds(const Interval& range) noexcept {
  return (range.lower > 0 && range.lower != Interval::no_upper) ||
         (range.upper < 0 && range.upper != Interval::no_lower);
}
TREADLE_INLINE bool fails(const Interval& range) noexcept { return range == Interval{0, 0}; }

TREADLE_INLINE Interval bound_logical(const Expr& e, const Ranges& ranges) {
  const bool all = e->kind == ExprKind::logical_and;
  bool known = true;
  for (const Expr& child : e->children) {
    const Interval range = bound(child, ranges);
    if (all ? fails(range) : holds(range)) return Interval::point(all ? 0 : 1);
    known = known && (all ? holds(range) : fails(range));
  }
  return known ? Interval::point(all ? 1 : 0) : Interval{0, 1};
}

TREADLE_INLINE Interval bound_where(const Expr& e, const Ranges& ranges) {
  const std::size_t count = e->children.size();
  Interval range;
  bool any = false;
  const auto join = [&](const Expr& value) {
    const Interval next = bound(value, ranges);
    range = any ? hull(range, next) : next;
    any = true;
  };
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    const Interval condition = bound(e->children[i], ranges);
    if (!fails(condition)) join(e->children[i + 1]);
    if (holds(condition)) return range;
  }
  if (count % 2 == 1) join(e->children.back());
  return range;
}

/// Operations on integers, from the intervals of their operands.
TREADLE_INLINE Interval bound_integer(ExprKind kind, const std::vector<Interval>& args) {
  Interval range = args[0];
  switch (kind) {
    case ExprKind::add:
      for (std::size_t i = 1; i < args.size(); ++i) range = range + args[i];
      return range;
    case ExprKind::mul:
      for (std::size_t i = 1; i < args.size(); ++i) range = range * args[i];
      return range;
    case ExprKind::min:
    case ExprKind::max:
      for (const Interval& next : args)
        range =
            kind == ExprKind::min
                ? Interval{std::min(range.lower, next.lower), std::min(range.upper, next.upper)}
                : Interval{std::max(range.lower, next.lower), std::max(range.upper, next.upper)};
      return range;
    case ExprKind::floor_div: return floor_div(args[0], args[1]);
    case ExprKind::mod: return bound_mod(args[0], args[1]);
    case ExprKind::pow: return bound_pow(args[0], args[1]);
    case ExprKind::abs:
      if (range.lower >= 0) return range;
      return range.upper <= 0 ? -range : Interval{0, std::max(range.upper, (-range).upper)};
    case ExprKind::floor:
    case ExprKind::ceil:
    case ExprKind::trunc:
    case ExprKind::round: return args.size() == 1 ? range : Interval{};
    default: return {};
  }
}

/// Operations with a float result, from bounded operands.
TREADLE_INLINE Interval bound_float(ExprKind kind, const std::vector<Interval>& args) {
  const Interval& a = args[0];
  switch (kind) {
    case ExprKind::add:
    case ExprKind::mul:
    case ExprKind::min:
    case ExprKind::max:
    case ExprKind::abs: {
      Interval range = a;
      if (args.size() == 1) return loosen(bound_integer(kind, args));
      for (std::size_t i = 1; i < args.size(); ++i) {
        range = loosen(bound_integer(kind, {range, args[i]}));
        if (!range.finite()) return {};
      }
      return range;
    }
    case ExprKind::true_div: {
      if (args[1].contains(0)) return {};
      return loosen(hull(floor_div(a, args[1]), -floor_div(-a, args[1])));
    }
    case ExprKind::to_float: return loosen(a);
    case ExprKind::sqrt: {
      const auto root = [](std::int64_t x) {
        return std::sqrt(static_cast<double>(std::max<std::int64_t>(x, 0)));
      };
      return {static_cast<std::int64_t>(std::floor(root(a.lower))),
              static_cast<std::int64_t>(std::ceil(root(a.upper)))};
    }
    case ExprKind::exp: return {0, Interval::no_upper};
    case ExprKind::sin:
    case ExprKind::cos:
    case ExprKind::tanh: return {-1, 1};
    default: return {};
  }
}

TREADLE_INLINE Interval bound_operation(const Expr& e, const Ranges& ranges) {
  std::vector<Interval> args;
  args.reserve(e->children.size());
  for (const Expr& child : e->children) args.push_back(bound(child, ranges));
  if (args.empty()) return {};
  if (e->kind >= ExprKind::bit_and && e->kind <= ExprKind::rshift)
    return bound_bits(e->kind, args[0], args[1]);
  if (e->kind == ExprKind::bit_xor) return bound_bits(e->kind, args[0], args[1]);
  const bool whole_power = e->kind == ExprKind::pow && is_integer(e->children[0]) &&
                           is_integer(e->children[1]) && args[1].lower >= 0;
  if (is_integer(e) || whole_power) return bound_integer(e->kind, args);
  if (!std::ranges::all_of(args, [](const Interval& a) { return a.finite(); })) return {};
  return bound_float(e->kind, args);
}

}  // namespace detail

TREADLE_INLINE Interval bound(const Expr& expr, const Ranges& ranges) {
  switch (expr->kind) {
    case ExprKind::integer:
    case ExprKind::boolean: return Interval::point(expr->integer);
    case ExprKind::real: return detail::bound_real(expr->real);
    case ExprKind::symbol: return ranges.find(expr->name);
    case ExprKind::eq:
    case ExprKind::ne:
    case ExprKind::lt:
    case ExprKind::le:
    case ExprKind::gt:
    case ExprKind::ge: return detail::bound_comparison(expr, ranges);
    case ExprKind::logical_and:
    case ExprKind::logical_or: return detail::bound_logical(expr, ranges);
    case ExprKind::logical_not: {
      const Interval range = bound(expr->children[0], ranges);
      if (detail::holds(range)) return Interval::point(0);
      return detail::fails(range) ? Interval::point(1) : Interval{0, 1};
    }
    case ExprKind::is_nan: return {0, 1};
    case ExprKind::where: return detail::bound_where(expr, ranges);
    default: return detail::bound_operation(expr, ranges);
  }
}

TREADLE_INLINE bool surely_true(const Expr& condition, const Ranges& ranges) {
  return detail::holds(bound(condition, ranges));
}

}  // namespace treadle::inline v0
