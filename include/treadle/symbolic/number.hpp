// Arithmetic on bools, integers and floats as Python does it.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/expr_kind.hpp>

namespace treadle::inline v0 {

/// What an expression evaluates to: a bool, a 64-bit integer or a double.
struct Number {
  enum class Kind : std::uint8_t { boolean, integer, real };

  Number() noexcept = default;
  Number(bool value) noexcept : kind(Kind::boolean), integer(value) {}  // NOLINT: like a number
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  Number(Integer value) noexcept  // NOLINT: like a number
      : integer(static_cast<std::int64_t>(value)) {}
  Number(double value) noexcept : kind(Kind::real), real(value) {}  // NOLINT: like a number

  [[nodiscard]] bool is_real() const noexcept { return kind == Kind::real; }
  [[nodiscard]] bool is_integer() const noexcept { return kind == Kind::integer; }
  [[nodiscard]] bool is_boolean() const noexcept { return kind == Kind::boolean; }
  /// Nonzero, as Python's `bool(x)`.
  [[nodiscard]] bool truthy() const noexcept { return is_real() ? real != 0 : integer != 0; }
  [[nodiscard]] double as_real() const noexcept {
    return is_real() ? real : static_cast<double>(integer);
  }

  /// Same kind and same value; NaN equals nothing.
  friend bool operator==(const Number& a, const Number& b) noexcept {
    return a.kind == b.kind && (a.is_real() ? a.real == b.real : a.integer == b.integer);
  }

  Kind kind = Kind::integer;
  std::int64_t integer = 0;  ///< of integers and bools
  double real = 0;           ///< of floats
};

/// `true`, `-3`, `2.5`.
[[nodiscard]] std::string to_string(const Number& value);

/// One operation on numbers. Overflow, division by zero, domain errors and operand counts that do
/// not fit the operation are errors. `kind` is neither a constant, a symbol nor `where`.
[[nodiscard]] Result<Number> compute(ExprKind kind, std::span<const Number> operands);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/symbolic/number-inl.hpp>
#endif
