// Definitions of number.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/number.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::string_view name(ExprKind kind) noexcept {
  constexpr std::string_view names[] = {
      "integer",    "real",        "boolean",  "symbol",  "add",      "mul",    "floor_div",
      "mod",        "pow",         "min",      "max",     "true_div", "floor",  "ceil",
      "trunc",      "round",       "to_float", "abs",     "sqrt",     "log",    "exp",
      "eq",         "ne",          "lt",       "le",      "gt",       "ge",     "logical_and",
      "logical_or", "logical_not", "where",    "bit_and", "bit_or",   "lshift", "rshift",
      "is_nan",     "bit_xor",     "log2",     "sin",     "cos",      "tan",    "asin",
      "acos",       "atan",        "sinh",     "cosh",    "tanh",     "asinh"};
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(names) ? names[index] : "unknown";
}

TREADLE_INLINE std::string to_string(const Number& value) {
  if (value.is_boolean()) return concat(value.integer != 0);
  return value.is_real() ? concat(value.real) : concat(value.integer);
}

TREADLE_INLINE OperandCounts operand_counts(ExprKind kind) noexcept {
  constexpr auto any = std::numeric_limits<std::size_t>::max();
  using enum ExprKind;
  switch (kind) {
    case integer:
    case real:
    case boolean:
    case symbol: return {0, 0};
    case add:
    case mul:
    case logical_and:
    case logical_or: return {0, any};
    case min:
    case max:
    case where: return {1, any};
    case floor_div:
    case mod:
    case pow:
    case true_div:
    case eq:
    case ne:
    case lt:
    case le:
    case gt:
    case ge:
    case bit_and:
    case bit_or:
    case bit_xor:
    case lshift:
    case rshift: return {2, 2};
    case round: return {1, 2};
    default: return {1, 1};
  }
}

namespace detail {

TREADLE_INLINE Error number_error(ExprKind kind, std::span<const Number> operands,
                                  std::string_view what) {
  std::string text = concat(name(kind), "(");
  for (std::size_t i = 0; i < operands.size() && i < 8; ++i)
    text += (i ? ", " : "") + to_string(operands[i]);
  return {ErrorCode::invalid_argument, concat(text, "): ", what)};
}

/// Exact order of an integer with a float, as Python compares them.
TREADLE_INLINE std::partial_ordering compare_mixed(std::int64_t a, double b) noexcept {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= 0x1p63) return std::partial_ordering::less;
  if (b < -0x1p63) return std::partial_ordering::greater;
  const double whole = std::trunc(b);
  const auto integer = static_cast<std::int64_t>(whole);
  if (a != integer) return a <=> integer;
  return 0.0 <=> b - whole;
}

TREADLE_INLINE std::partial_ordering compare(const Number& a, const Number& b) noexcept {
  if (a.is_real() && b.is_real()) return a.real <=> b.real;
  if (b.is_real()) return compare_mixed(a.integer, b.real);
  if (a.is_real()) return 0 <=> compare_mixed(b.integer, a.real);
  return a.integer <=> b.integer;
}

/// The nearest double to a / b for b != 0, ties to even, without rounding the operands first.
TREADLE_INLINE double divide_integers(std::int64_t a, std::int64_t b) noexcept {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (a >= -exact && a <= exact && b >= -exact && b <= exact)
    return static_cast<double>(a) / static_cast<double>(b);
  __extension__ using Wide = unsigned __int128;
  const auto magnitude = [](std::int64_t x) {
    return x < 0 ? ~static_cast<std::uint64_t>(x) + 1 : static_cast<std::uint64_t>(x);
  };
  const std::uint64_t top = magnitude(a), bottom = magnitude(b);
  const int shift = std::max(
      0, 55 + static_cast<int>(std::bit_width(bottom)) - static_cast<int>(std::bit_width(top)));
  const Wide wide = static_cast<Wide>(top) << shift;
  auto quotient = static_cast<std::uint64_t>(wide / bottom);
  if (wide % bottom != 0) quotient |= 1;
  const double result = std::ldexp(static_cast<double>(quotient), -shift);
  return (a < 0) != (b < 0) ? -result : result;
}

struct FloorDivision {
  double quotient;
  double remainder;
};

/// Quotient rounded down and remainder with the divisor's sign, for b != 0.
TREADLE_INLINE FloorDivision divide_floor(double a, double b) noexcept {
  double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder == 0) {
    remainder = std::copysign(0.0, b);
  } else if ((b < 0) != (remainder < 0)) {
    remainder += b;
    quotient -= 1;
  }
  if (quotient == 0) return {std::copysign(0.0, a / b), remainder};
  const double below = std::floor(quotient);
  return {quotient - below > 0.5 ? below + 1 : below, remainder};
}

/// floor_div and mod.
TREADLE_INLINE Result<Number> apply_division(ExprKind kind, std::span<const Number> args) {
  const Number &a = args[0], &b = args[1];
  if (!b.truthy()) return number_error(kind, args, "division by zero");
  const bool quotient = kind == ExprKind::floor_div;
  if (a.is_real() || b.is_real()) {
    const FloorDivision both = divide_floor(a.as_real(), b.as_real());
    return Number(quotient ? both.quotient : both.remainder);
  }
  if (b.integer == -1) {
    if (!quotient) return Number(0);
    std::int64_t negated = 0;
    if (__builtin_sub_overflow(std::int64_t{0}, a.integer, &negated))
      return number_error(kind, args, "the result overflows 64 bits");
    return Number(negated);
  }
  const std::int64_t rest = a.integer % b.integer;
  const bool adjust = rest != 0 && (rest < 0) != (b.integer < 0);
  if (quotient) return Number(a.integer / b.integer - (adjust ? 1 : 0));
  return Number(adjust ? rest + b.integer : rest);
}

TREADLE_INLINE Result<Number> apply_true_div(std::span<const Number> args) {
  const Number &a = args[0], &b = args[1];
  if (!b.truthy()) return number_error(ExprKind::true_div, args, "division by zero");
  if (a.is_real() || b.is_real()) return Number(a.as_real() / b.as_real());
  return Number(divide_integers(a.integer, b.integer));
}

TREADLE_INLINE Result<Number> apply_pow(std::span<const Number> args) {
  const Number &a = args[0], &b = args[1];
  if (a.is_real() || b.is_real() || b.integer < 0) {
    const double base = a.as_real(), exponent = b.as_real();
    if (base == 0 && exponent < 0) return number_error(ExprKind::pow, args, "division by zero");
    if (base < 0 && std::isfinite(exponent) && exponent != std::floor(exponent))
      return number_error(ExprKind::pow, args, "the result is not a real number");
    const double result = std::pow(base, exponent);
    if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent))
      return number_error(ExprKind::pow, args, "the result overflows a float");
    return Number(result);
  }
  std::int64_t result = 1, factor = a.integer;
  for (std::int64_t left = b.integer; left > 0;) {
    if ((left & 1) && __builtin_mul_overflow(result, factor, &result))
      return number_error(ExprKind::pow, args, "the result overflows 64 bits");
    left >>= 1;
    if (left > 0 && __builtin_mul_overflow(factor, factor, &factor))
      return number_error(ExprKind::pow, args, "the result overflows 64 bits");
  }
  return Number(result);
}

/// add and mul, left to right.
TREADLE_INLINE Result<Number> apply_chain(ExprKind kind, std::span<const Number> args) {
  const bool sum = kind == ExprKind::add;
  Number total = sum ? 0 : 1;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Number& next = args[i];
    if (i == 0) {
      total = next.is_boolean() ? Number(next.integer) : next;
    } else if (total.is_real() || next.is_real()) {
      const double a = total.as_real(), b = next.as_real();
      total = sum ? a + b : a * b;
    } else if (sum ? __builtin_add_overflow(total.integer, next.integer, &total.integer)
                   : __builtin_mul_overflow(total.integer, next.integer, &total.integer)) {
      return number_error(kind, args, "the result overflows 64 bits");
    }
  }
  return total;
}

TREADLE_INLINE Result<Number> apply_extreme(ExprKind kind, std::span<const Number> args) {
  Number best = args[0];
  for (const Number& next : args.subspan(1)) {
    const auto order = compare(next, best);
    if (kind == ExprKind::min ? order < 0 : order > 0) best = next;
  }
  return best;
}

/// Rounds to decimals, ties to even on the exact binary value.
TREADLE_INLINE double round_decimal(double value, std::int64_t decimals) noexcept {
  if (!std::isfinite(value) || decimals > 323) return value;
  if (decimals < -308) return std::copysign(0.0, value);
  if (decimals < 0) {
    const double unit = std::pow(10.0, static_cast<double>(-decimals));
    return std::nearbyint(value / unit) * unit;
  }
  char text[720];
  const auto printed = std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed,
                                     static_cast<int>(decimals));
  double result = value;
  std::from_chars(text, printed.ptr, result);
  return result;
}

/// floor, ceil, trunc and round.
TREADLE_INLINE Result<Number> apply_rounding(ExprKind kind, std::span<const Number> args) {
  const Number& value = args[0];
  if (args.size() == 2) {
    if (args[1].is_real()) return number_error(kind, args, "decimals are a float");
    if (value.is_real()) return Number(round_decimal(value.real, args[1].integer));
    if (args[1].integer < 0) return number_error(kind, args, "negative decimals of an integer");
  }
  if (!value.is_real()) return Number(value.integer);
  double whole = value.real;
  if (kind == ExprKind::floor) whole = std::floor(whole);
  if (kind == ExprKind::ceil) whole = std::ceil(whole);
  if (kind == ExprKind::trunc) whole = std::trunc(whole);
  if (kind == ExprKind::round) whole = std::nearbyint(whole);
  if (!(whole >= -0x1p63 && whole < 0x1p63))
    return number_error(kind, args, "the result overflows 64 bits");
  return Number(static_cast<std::int64_t>(whole));
}

/// bit_and, bit_or, bit_xor and the shifts.
TREADLE_INLINE Result<Number> apply_bits(ExprKind kind, std::span<const Number> args) {
  const Number &a = args[0], &b = args[1];
  if (a.is_real() || b.is_real()) return number_error(kind, args, "an operand is a float");
  const bool both = a.is_boolean() && b.is_boolean();
  const auto typed = [&](std::int64_t bits) { return both ? Number(bits != 0) : Number(bits); };
  if (kind == ExprKind::bit_and) return typed(a.integer & b.integer);
  if (kind == ExprKind::bit_or) return typed(a.integer | b.integer);
  if (kind == ExprKind::bit_xor) return typed(a.integer ^ b.integer);
  if (b.integer < 0) return number_error(kind, args, "the shift is negative");
  if (kind == ExprKind::rshift) return Number(a.integer >> std::min<std::int64_t>(b.integer, 63));
  std::int64_t result = 0;
  if (a.integer != 0 &&
      (b.integer > 62 || __builtin_mul_overflow(a.integer, std::int64_t{1} << b.integer, &result)))
    return number_error(kind, args, "the result overflows 64 bits");
  return Number(result);
}

TREADLE_INLINE Result<Number> apply_comparison(ExprKind kind, std::span<const Number> args) {
  const auto order = compare(args[0], args[1]);
  switch (kind) {
    case ExprKind::eq: return Number(order == 0);
    case ExprKind::ne: return Number(order != 0);
    case ExprKind::lt: return Number(order < 0);
    case ExprKind::le: return Number(order <= 0);
    case ExprKind::gt: return Number(order > 0);
    default: return Number(order >= 0);
  }
}

TREADLE_INLINE double call_math(ExprKind kind, double x) noexcept {
  switch (kind) {
    case ExprKind::sqrt: return std::sqrt(x);
    case ExprKind::log: return std::log(x);
    case ExprKind::log2: return std::log2(x);
    case ExprKind::exp: return std::exp(x);
    case ExprKind::sin: return std::sin(x);
    case ExprKind::cos: return std::cos(x);
    case ExprKind::tan: return std::tan(x);
    case ExprKind::asin: return std::asin(x);
    case ExprKind::acos: return std::acos(x);
    case ExprKind::atan: return std::atan(x);
    case ExprKind::sinh: return std::sinh(x);
    case ExprKind::cosh: return std::cosh(x);
    case ExprKind::tanh: return std::tanh(x);
    default: return std::asinh(x);
  }
}

TREADLE_INLINE Result<Number> apply_unary(ExprKind kind, std::span<const Number> args) {
  const Number& a = args[0];
  if (kind == ExprKind::to_float) return Number(a.as_real());
  if (kind == ExprKind::logical_not) return Number(!a.truthy());
  if (kind == ExprKind::is_nan) return Number(a.is_real() && std::isnan(a.real));
  if (kind == ExprKind::abs) {
    if (a.is_real()) return Number(std::fabs(a.real));
    if (a.integer == std::numeric_limits<std::int64_t>::min())
      return number_error(kind, args, "the result overflows 64 bits");
    return Number(a.integer < 0 ? -a.integer : a.integer);
  }
  const double x = a.as_real();
  const double result = call_math(kind, x);
  if (!std::isnan(x) && std::isnan(result)) return number_error(kind, args, "outside the domain");
  if (std::isfinite(x) && std::isinf(result))
    return number_error(kind, args, "the result is infinite");
  return Number(result);
}

}  // namespace detail

TREADLE_INLINE Result<Number> compute(ExprKind kind, std::span<const Number> operands) {
  const auto [least, most] = operand_counts(kind);
  if (operands.size() < least || operands.size() > most || most == 0)
    return detail::number_error(kind, operands, "wrong number of operands");
  using enum ExprKind;
  switch (kind) {
    case add:
    case mul: return detail::apply_chain(kind, operands);
    case floor_div:
    case mod: return detail::apply_division(kind, operands);
    case pow: return detail::apply_pow(operands);
    case min:
    case max: return detail::apply_extreme(kind, operands);
    case floor:
    case ceil:
    case trunc:
    case round: return detail::apply_rounding(kind, operands);
    case eq:
    case ne:
    case lt:
    case le:
    case gt:
    case ge: return detail::apply_comparison(kind, operands);
    case bit_and:
    case bit_or:
    case bit_xor:
    case lshift:
    case rshift: return detail::apply_bits(kind, operands);
    case logical_and:
      return Number(std::ranges::all_of(operands, [](const Number& n) { return n.truthy(); }));
    case logical_or:
      return Number(std::ranges::any_of(operands, [](const Number& n) { return n.truthy(); }));
    case true_div: return detail::apply_true_div(operands);
    case where: return detail::number_error(kind, operands, "not an operation on numbers");
    default: return detail::apply_unary(kind, operands);
  }
}

}  // namespace treadle::inline v0
