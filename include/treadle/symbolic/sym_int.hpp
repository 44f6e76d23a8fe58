// A size: a number, or an expression when it is not known yet.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <treadle/symbolic/expr.hpp>

namespace treadle::inline v0 {

/// An integer that may be an expression over named sizes. Arithmetic on known numbers is plain
/// integer arithmetic; anything else, and what overflows 64 bits, builds an expression.
class SymInt {
 public:
  SymInt() noexcept = default;
  template <std::integral Integer>
  SymInt(Integer value) noexcept  // NOLINT: converts like an integer
      : value_(static_cast<std::int64_t>(value)) {}
  /// Takes an expression; a constant one becomes a plain number.
  explicit SymInt(Expr expr) {
    if (expr->kind == ExprKind::integer)
      value_ = expr->integer;
    else
      expr_ = std::move(expr);
  }

  [[nodiscard]] bool known() const noexcept { return !expr_; }
  /// The number, if it is known.
  [[nodiscard]] std::optional<std::int64_t> value() const noexcept {
    return expr_ ? std::nullopt : std::optional(value_);
  }
  /// The number, or `other` if it is not known.
  [[nodiscard]] std::int64_t value_or(std::int64_t other) const noexcept {
    return expr_ ? other : value_;
  }
  [[nodiscard]] bool is(std::int64_t value) const noexcept { return !expr_ && value_ == value; }
  /// The expression, made from the number where it is known.
  [[nodiscard]] Expr expr() const { return expr_ ? expr_ : make_integer(value_); }

  /// Surely equal: the same number, or the same expression tree.
  friend bool operator==(const SymInt& a, const SymInt& b) {
    if (a.known() && b.known()) return a.value_ == b.value_;
    return a.known() == b.known() && equal(a.expr_, b.expr_);
  }

  friend SymInt operator+(const SymInt& a, const SymInt& b) {
    std::int64_t sum = 0;
    if (a.known() && b.known() && !__builtin_add_overflow(a.value_, b.value_, &sum)) return sum;
    return combine(ExprKind::add, a, b);
  }
  friend SymInt operator*(const SymInt& a, const SymInt& b) {
    std::int64_t product = 0;
    if (a.known() && b.known() && !__builtin_mul_overflow(a.value_, b.value_, &product))
      return product;
    if (a.is(1)) return b;
    if (b.is(1)) return a;
    return combine(ExprKind::mul, a, b);
  }
  friend SymInt operator-(const SymInt& a, const SymInt& b) {
    std::int64_t difference = 0;
    if (a.known() && b.known() && !__builtin_sub_overflow(a.value_, b.value_, &difference))
      return difference;
    return a + b * SymInt(-1);
  }
  friend SymInt floor_div(const SymInt& a, const SymInt& b) {
    if (b.is(1)) return a;
    return combine(ExprKind::floor_div, a, b);
  }
  friend SymInt mod(const SymInt& a, const SymInt& b) { return combine(ExprKind::mod, a, b); }
  friend SymInt min(const SymInt& a, const SymInt& b) { return combine(ExprKind::min, a, b); }
  friend SymInt max(const SymInt& a, const SymInt& b) { return combine(ExprKind::max, a, b); }

 private:
  static SymInt combine(ExprKind kind, const SymInt& a, const SymInt& b) {
    return SymInt(make_expr(kind, {a.expr(), b.expr()}));
  }

  std::int64_t value_ = 0;
  Expr expr_;
};

/// The number or the expression as text.
[[nodiscard]] inline std::string to_string(const SymInt& value) { return to_string(value.expr()); }

}  // namespace treadle::inline v0
