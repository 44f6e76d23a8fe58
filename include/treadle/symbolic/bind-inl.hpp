// Definition of bind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/bind.hpp>

namespace treadle::inline v0 {
namespace detail {

TREADLE_INLINE bool mentions(const Expr& expr, std::string_view symbol) noexcept {
  if (expr->kind == ExprKind::symbol) return expr->name == symbol;
  for (const Expr& child : expr->children)
    if (mentions(child, symbol)) return true;
  return false;
}

/// constant + factor * symbol, with no other use of the symbol?
TREADLE_INLINE bool linear_in(const Expr& expr, std::string_view symbol) noexcept {
  if (expr->kind == ExprKind::symbol || !mentions(expr, symbol)) return true;
  if (expr->kind != ExprKind::add && expr->kind != ExprKind::mul) return false;
  std::size_t uses = 0;
  for (const Expr& child : expr->children) {
    if (!linear_in(child, symbol)) return false;
    if (mentions(child, symbol)) ++uses;
  }
  return expr->kind == ExprKind::add || uses == 1;
}

TREADLE_INLINE Error unequal_sizes(const SymInt& pattern, std::int64_t expected,
                                   std::int64_t actual) {
  const std::string value =
      pattern.known() ? concat(expected) : concat(expected, " (", to_string(pattern), ")");
  return {ErrorCode::invalid_argument, concat("expected size ", value, ", found ", actual)};
}

/// Binds the symbol so that a linear pattern becomes `actual`.
TREADLE_INLINE Result<bool> solve(const SymInt& pattern, const std::string& symbol,
                                  std::int64_t actual, Bindings& bindings) {
  Bindings trial = bindings;
  trial.set(symbol, 0);
  TREADLE_TRY(const std::int64_t at_zero, evaluate(pattern, trial));
  trial.set(symbol, 1);
  TREADLE_TRY(const std::int64_t at_one, evaluate(pattern, trial));
  std::int64_t slope = 0, rise = 0;
  if (__builtin_sub_overflow(at_one, at_zero, &slope) ||
      __builtin_sub_overflow(actual, at_zero, &rise))
    return Error(ErrorCode::invalid_argument,
                 concat("size '", to_string(pattern), "' = ", actual, " overflows 64 bits"));
  if (slope == 0) {
    if (rise != 0) return unequal_sizes(pattern, at_zero, actual);
    return false;
  }
  const bool overflow = slope == -1 && rise == INT64_MIN;
  if (overflow || (slope != -1 && rise % slope != 0))
    return Error(ErrorCode::invalid_argument, concat("no '", symbol, "' makes size '",
                                                     to_string(pattern), "' equal to ", actual));
  bindings.set(symbol, rise / slope);
  return true;
}

}  // namespace detail

TREADLE_INLINE Result<bool> bind(const SymInt& pattern, std::int64_t actual, Bindings& bindings) {
  const Expr expr = pattern.expr();
  if (expr->kind == ExprKind::symbol && !bindings.find(expr->name)) {
    bindings.set(expr->name, actual);
    return true;
  }
  std::vector<std::string> symbols, unknown;
  collect_symbols(expr, symbols);
  for (std::string& symbol : symbols)
    if (!bindings.find(symbol)) unknown.push_back(std::move(symbol));
  if (unknown.size() == 1 && is_integer(expr) && detail::linear_in(expr, unknown[0]))
    return detail::solve(pattern, unknown[0], actual, bindings);
  if (!unknown.empty()) return false;
  TREADLE_TRY(const std::int64_t expected, evaluate(pattern, bindings));
  if (expected != actual) return detail::unequal_sizes(pattern, expected, actual);
  return true;
}

}  // namespace treadle::inline v0
