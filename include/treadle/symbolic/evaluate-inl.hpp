// Definitions of evaluate.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/small_vector.hpp>
#include <treadle/symbolic/evaluate.hpp>

namespace treadle::inline v0 {

/// Where the symbol stands, or would.
TREADLE_INLINE std::size_t Bindings::place(std::string_view symbol) const noexcept {
  const auto before = [](const Entry& entry, std::string_view wanted) {
    return entry.first < wanted;
  };
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), symbol, before);
  return static_cast<std::size_t>(at - entries_.begin());
}

TREADLE_INLINE void Bindings::set(std::string_view symbol, std::int64_t value) {
  const std::size_t at = place(symbol);
  if (at < entries_.size() && entries_[at].first == symbol)
    entries_[at].second = value;
  else
    entries_.emplace(entries_.begin() + static_cast<std::ptrdiff_t>(at), symbol, value);
}

TREADLE_INLINE const std::int64_t* Bindings::find(std::string_view symbol) const noexcept {
  const std::size_t at = place(symbol);
  return at < entries_.size() && entries_[at].first == symbol ? &entries_[at].second : nullptr;
}

TREADLE_INLINE bool Bindings::equals(const Bindings& other) const noexcept {
  return entries_ == other.entries_;
}

namespace detail {

/// Text of an expression for a message, cut where it is long.
TREADLE_INLINE std::string quoted(const Expr& expr) {
  std::string text = to_string(expr);
  if (text.size() > 160) text.resize(157), text += "...";
  return concat('\'', text, '\'');
}

TREADLE_INLINE Result<Number> evaluate_where(const Expr& expr, const Bindings& bindings) {
  const auto& children = expr->children;
  for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
    TREADLE_TRY(const Number condition, evaluate(children[i], bindings));
    if (condition.truthy()) return evaluate(children[i + 1], bindings);
  }
  if (children.size() % 2 == 1) return evaluate(children.back(), bindings);
  return Error(ErrorCode::invalid_argument, concat("no condition holds in ", quoted(expr)));
}

/// `and` and `or`: whether all, or any, operands hold; stops at the first that decides.
TREADLE_INLINE Result<Number> evaluate_logical(const Expr& expr, const Bindings& bindings) {
  const bool all = expr->kind == ExprKind::logical_and;
  for (const Expr& child : expr->children) {
    TREADLE_TRY(const Number value, evaluate(child, bindings));
    if (value.truthy() != all) return Number(!all);
  }
  return Number(all);
}

}  // namespace detail

TREADLE_INLINE Result<Number> evaluate(const Expr& expr, const Bindings& bindings) {
  switch (expr->kind) {
    case ExprKind::integer: return Number(expr->integer);
    case ExprKind::boolean: return Number(expr->integer != 0);
    case ExprKind::real: return Number(expr->real);
    case ExprKind::symbol: {
      if (const std::int64_t* value = bindings.find(expr->name)) return Number(*value);
      return Error(ErrorCode::invalid_argument, concat("symbol '", expr->name, "' has no value"));
    }
    case ExprKind::where: return detail::evaluate_where(expr, bindings);
    case ExprKind::logical_and:
    case ExprKind::logical_or: return detail::evaluate_logical(expr, bindings);
    default: break;
  }
  SmallVector<Number, 4> operands;
  for (const Expr& child : expr->children) {
    TREADLE_TRY(const Number operand, evaluate(child, bindings));
    operands.push_back(operand);
  }
  Result<Number> value = compute(expr->kind, operands);
  if (!value) return std::move(value).with_context(detail::quoted(expr));
  return value;
}

TREADLE_INLINE Result<std::int64_t> evaluate(const SymInt& size, const Bindings& bindings) {
  if (const auto known = size.value()) return *known;
  const Expr expr = size.expr();
  TREADLE_TRY(const Number value, evaluate(expr, bindings));
  if (!value.is_real()) return value.integer;
  if (expr->kind == ExprKind::true_div) {
    TREADLE_TRY(const Number top, evaluate(expr->children[0], bindings));
    TREADLE_TRY(const Number bottom, evaluate(expr->children[1], bindings));
    if (top.is_integer() && bottom.is_integer() && bottom.integer != -1 &&
        top.integer % bottom.integer == 0)
      return top.integer / bottom.integer;
  }
  if (std::fabs(value.real) <= 0x1p53 && value.real == std::floor(value.real))
    return static_cast<std::int64_t>(value.real);
  return Error(ErrorCode::invalid_argument, concat("size ", detail::quoted(expr), " is ",
                                                   value.real, ", which is not a whole number"));
}

TREADLE_INLINE void collect_symbols(const Expr& expr, std::vector<std::string>& names) {
  if (expr->kind == ExprKind::symbol && std::ranges::find(names, expr->name) == names.end())
    names.push_back(expr->name);
  for (const Expr& child : expr->children) collect_symbols(child, names);
}

}  // namespace treadle::inline v0
