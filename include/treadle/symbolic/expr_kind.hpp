// The operations that an expression over sizes is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <treadle/config.hpp>

namespace treadle::inline v0 {

/// What an expression node computes. Division, modulo and shifts follow Python for negatives.
enum class ExprKind : std::uint8_t {
  integer,      ///< exact integer constant
  real,         ///< float constant
  boolean,      ///< true or false
  symbol,       ///< a named size
  add,          ///< sum of all children
  mul,          ///< product of all children
  floor_div,    ///< floor(a / b)
  mod,          ///< a - b * floor(a / b): the sign of b
  pow,          ///< a ** b; exact for integers with b >= 0
  min,          ///< least child
  max,          ///< greatest child
  true_div,     ///< a / b as float
  floor,        ///< to integer, down
  ceil,         ///< to integer, up
  trunc,        ///< to integer, toward zero
  round,        ///< to integer, ties to even; with a second child: to that many decimals, float
  to_float,     ///< integer to float
  abs,          ///< magnitude
  sqrt,         ///< square root as float
  log,          ///< natural logarithm as float
  exp,          ///< e ** a as float
  eq,           ///< a == b
  ne,           ///< a != b
  lt,           ///< a < b
  le,           ///< a <= b
  gt,           ///< a > b
  ge,           ///< a >= b
  logical_and,  ///< all children
  logical_or,   ///< any child
  logical_not,  ///< not a
  where,        ///< children c0, v0, c1, v1, …, [default]: the value of the first true condition
  bit_and,      ///< a & b
  bit_or,       ///< a | b
  lshift,       ///< a << b
  rshift,       ///< a >> b
  is_nan,       ///< float is NaN
  bit_xor,      ///< a ^ b
  log2,         ///< base-two logarithm as float
  sin,          ///< trigonometric and hyperbolic functions of a float, in radians
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
};

/// The name of an operation, e.g. `floor_div`.
[[nodiscard]] std::string_view name(ExprKind kind) noexcept;

/// The least and the greatest number of operands.
struct OperandCounts {
  std::size_t least;
  std::size_t most;
};
/// How many operands an operation takes.
[[nodiscard]] OperandCounts operand_counts(ExprKind kind) noexcept;

}  // namespace treadle::inline v0
