// Definition of make_expr: how expressions simplify themselves while they are built.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <treadle/symbolic/expr_node.hpp>
#include <treadle/symbolic/node-inl.hpp>
#include <treadle/symbolic/number.hpp>
#include <treadle/symbolic/terms-inl.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Products and divisors with more factors than this are not cancelled against each other.
inline constexpr std::size_t max_cancelled_factors = 16;

TREADLE_INLINE bool is_constant(const Expr& e) noexcept {
  return e->kind == ExprKind::integer || e->kind == ExprKind::real || e->kind == ExprKind::boolean;
}

TREADLE_INLINE bool is_constant(const Expr& e, std::int64_t value) noexcept {
  return e->kind == ExprKind::integer && e->integer == value;
}

TREADLE_INLINE Number constant_number(const Expr& e) noexcept {
  if (e->kind == ExprKind::real) return e->real;
  if (e->kind == ExprKind::boolean) return e->integer != 0;
  return e->integer;
}

TREADLE_INLINE Expr make_constant(const Number& value) {
  if (value.is_real()) return make_real(value.real);
  return value.is_boolean() ? make_boolean(value.integer != 0) : make_integer(value.integer);
}

/// The value of an operation on constants; empty if there is none.
TREADLE_INLINE Expr fold_constants(ExprKind kind, const std::vector<Expr>& children) {
  if (children.empty() ||
      !std::ranges::all_of(children, [](const Expr& e) { return is_constant(e); }))
    return nullptr;
  std::vector<Number> numbers;
  for (const Expr& child : children) numbers.push_back(constant_number(child));
  const Result<Number> value = compute(kind, numbers);
  return value ? make_constant(*value) : nullptr;
}

/// floor(a / b) of integers.
TREADLE_INLINE Expr fold_floor_div(const Expr& a, const Expr& b) {
  if (is_constant(b, 0)) return make_node(ExprKind::floor_div, {a, b});
  if (is_constant(b, 1)) return a;
  if (is_constant(b, -1)) return make_expr(ExprKind::mul, {a, b});
  if (is_constant(a, 0) || equal(a, b)) return make_integer(is_constant(a, 0) ? 0 : 1);
  std::vector<Term> terms = split_sum(a);
  Term divisor = split_term(b);
  if (divisor.factors.size() > max_cancelled_factors) return make_node(ExprKind::floor_div, {a, b});
  if (a->kind == ExprKind::add && b->kind == ExprKind::add) {
    Term ratio = terms[0];
    if (divide_exactly(ratio, split_term(b->children[0])) && ratio.factors.empty())
      if (const Expr back = distribute(ratio.coefficient, b); back && equal(back, a))
        return make_integer(ratio.coefficient);
  }
  cancel_common(terms, divisor);
  std::vector<Term> quotients, rest;
  for (Term& term : terms)
    (divide_exactly(term, divisor) ? quotients : rest).push_back(std::move(term));
  if (rest.empty()) return join_sum(std::move(quotients));
  const Expr left = join_sum(std::move(rest)), right = join_term(std::move(divisor));
  const bool again = !quotients.empty() || !equal(left, a) || !equal(right, b);
  Expr inner;
  if (left->kind == ExprKind::floor_div && right->kind == ExprKind::integer &&
      left->children[1]->kind == ExprKind::integer && right->integer > 0) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(left->children[1]->integer, right->integer, &product))
      inner = make_expr(ExprKind::floor_div, {left->children[0], make_integer(product)});
  }
  if (!inner)
    inner = again ? make_expr(ExprKind::floor_div, {left, right})
                  : make_node(ExprKind::floor_div, {left, right});
  if (quotients.empty()) return inner;
  std::vector<Term> sum = split_sum(inner);
  for (Term& term : quotients) sum.push_back(std::move(term));
  return join_sum(std::move(sum));
}

/// a modulo b of integers.
TREADLE_INLINE Expr fold_mod(const Expr& a, const Expr& b) {
  if (is_constant(b, 0)) return make_node(ExprKind::mod, {a, b});
  if (is_constant(b, 1) || is_constant(b, -1) || is_constant(a, 0) || equal(a, b))
    return make_integer(0);
  std::vector<Term> terms = split_sum(a);
  const Term divisor = split_term(b);
  if (divisor.factors.size() > max_cancelled_factors) return make_node(ExprKind::mod, {a, b});
  const auto gone = std::erase_if(terms, [&](Term& term) { return divide_exactly(term, divisor); });
  if (gone == 0) return make_node(ExprKind::mod, {a, b});
  return make_expr(ExprKind::mod, {join_sum(std::move(terms)), b});
}

/// Small integer powers of integers become products, so that `s0 ** 2` equals `s0 * s0`.
TREADLE_INLINE Expr fold_pow(std::vector<Expr> children) {
  const Expr base = children[0], exponent = children[1];
  if (exponent->kind == ExprKind::integer && is_integer(base)) {
    const std::int64_t times = exponent->integer;
    if (times >= 0 && times <= 16 && times * base->nodes <= 256)
      return make_expr(ExprKind::mul, std::vector<Expr>(static_cast<std::size_t>(times), base));
  }
  return make_node(ExprKind::pow, std::move(children));
}

/// min and max of integers: in order, each operand once.
TREADLE_INLINE Expr fold_extreme(ExprKind kind, const std::vector<Expr>& children) {
  std::vector<Expr> operands, constants;
  for (const Expr& child : children) {
    const bool flat = child->kind == kind;
    for (const Expr& e : flat ? child->children : std::vector<Expr>{child})
      (e->kind == ExprKind::integer ? constants : operands).push_back(e);
  }
  if (const Expr constant = fold_constants(kind, constants)) operands.push_back(constant);
  sort_operands(operands);
  const auto doubles = std::ranges::unique(operands, equal);
  operands.erase(doubles.begin(), doubles.end());
  return operands.size() == 1 ? operands[0] : make_node(kind, std::move(operands));
}

/// Comparisons of integers whose difference is known.
TREADLE_INLINE Expr fold_comparison(ExprKind kind, std::vector<Expr> children) {
  if (is_integer(children[0]) && is_integer(children[1])) {
    if (equal(children[0], children[1]))
      return fold_constants(kind, {make_integer(0), make_integer(0)});
    const Expr minus = make_expr(ExprKind::mul, {children[1], make_integer(-1)});
    const Expr difference = make_expr(ExprKind::add, {children[0], minus});
    if (difference->kind == ExprKind::integer)
      return fold_constants(kind, {difference, make_integer(0)});
  }
  return make_node(kind, std::move(children));
}

/// Conjunctions and disjunctions keep their order, because they stop early.
TREADLE_INLINE Expr fold_logical(ExprKind kind, const std::vector<Expr>& children) {
  const bool neutral = kind == ExprKind::logical_and;
  std::vector<Expr> operands;
  for (const Expr& child : children) {
    for (const Expr& e : child->kind == kind ? child->children : std::vector<Expr>{child}) {
      if (is_constant(e) && constant_number(e).truthy() == neutral) continue;
      const bool seen = operands.size() <= 32 &&
                        std::ranges::any_of(operands, [&](const Expr& o) { return equal(o, e); });
      if (seen) continue;
      operands.push_back(is_constant(e) ? make_boolean(!neutral) : e);
      if (is_constant(e) && operands.size() == 1) return operands[0];
    }
  }
  if (operands.empty()) return make_boolean(neutral);
  if (operands.size() == 1 && is_boolean(operands[0])) return operands[0];
  return make_node(kind, std::move(operands));
}

TREADLE_INLINE Expr fold_not(std::vector<Expr> children) {
  const Expr& operand = children[0];
  if (operand->kind == ExprKind::logical_not && is_boolean(operand->children[0]))
    return operand->children[0];
  if (operand->kind == ExprKind::eq) return make_expr(ExprKind::ne, operand->children);
  if (operand->kind == ExprKind::ne) return make_expr(ExprKind::eq, operand->children);
  if (operand->kind >= ExprKind::lt && operand->kind <= ExprKind::ge &&
      std::ranges::all_of(operand->children, [](const Expr& e) { return is_integer(e); })) {
    const ExprKind kind = operand->kind == ExprKind::lt   ? ExprKind::ge
                          : operand->kind == ExprKind::le ? ExprKind::gt
                          : operand->kind == ExprKind::gt ? ExprKind::le
                                                          : ExprKind::lt;
    return make_node(kind, operand->children);
  }
  return make_node(ExprKind::logical_not, std::move(children));
}

/// Drops branches that cannot be reached; a default that is itself a choice joins in.
TREADLE_INLINE Expr fold_where(const std::vector<Expr>& children) {
  std::vector<Expr> kept;
  std::size_t i = 0;
  bool closed = false;
  for (; i + 1 < children.size() && !closed; i += 2) {
    const Expr &condition = children[i], &value = children[i + 1];
    if (is_constant(condition) && !constant_number(condition).truthy()) continue;
    closed = is_constant(condition);
    if (!closed) kept.push_back(condition);
    kept.push_back(value);
  }
  if (!closed && i < children.size()) kept.push_back(children[i]);
  if (kept.empty()) return make_node(ExprKind::where, children);
  if (kept.size() % 2 == 1 && kept.back()->kind == ExprKind::where) {
    const Expr last = std::move(kept.back());
    kept.pop_back();
    kept.insert(kept.end(), last->children.begin(), last->children.end());
  }
  while (kept.size() >= 3 && kept.size() % 2 == 1 &&
         equal(kept[kept.size() - 1], kept[kept.size() - 2]))
    kept.erase(kept.end() - 3, kept.end() - 1);
  return kept.size() == 1 ? kept[0] : make_node(ExprKind::where, std::move(kept));
}

/// floor, ceil, trunc and round to integer; a quotient of integers rounds down exactly.
TREADLE_INLINE Expr fold_rounding(ExprKind kind, std::vector<Expr> children) {
  const Expr operand = children[0];
  if (children.size() == 1 && is_integer(operand)) return operand;
  const bool down = kind == ExprKind::floor, up = kind == ExprKind::ceil;
  if ((down || up) && operand->kind == ExprKind::true_div &&
      std::ranges::all_of(operand->children, [](const Expr& e) { return is_integer(e); })) {
    const Expr &a = operand->children[0], &b = operand->children[1];
    const Expr minus_one = make_integer(-1);
    if (down) return make_expr(ExprKind::floor_div, {a, b});
    const Expr minus_a = make_expr(ExprKind::mul, {a, minus_one});
    return make_expr(ExprKind::mul, {make_expr(ExprKind::floor_div, {minus_a, b}), minus_one});
  }
  return make_node(kind, std::move(children));
}

/// Sums and products that may be floats: evaluated left to right, so only the first is flattened.
TREADLE_INLINE Expr fold_chain(ExprKind kind, std::vector<Expr> children) {
  if (children.size() == 1 && !is_boolean(children[0])) return children[0];
  if (children[0]->kind == kind) {
    std::vector<Expr> flat = children[0]->children;
    flat.insert(flat.end(), children.begin() + 1, children.end());
    children = std::move(flat);
  }
  return make_node(kind, std::move(children));
}

/// Division to float: constants that divide evenly fold, other quotients of integers stay exact.
TREADLE_INLINE Expr fold_true_div(std::vector<Expr> children) {
  const Expr &a = children[0], &b = children[1];
  const bool exact = a->kind == ExprKind::integer && b->kind == ExprKind::integer;
  if (exact && (b->integer == 0 || b->integer == -1 || a->integer % b->integer != 0))
    return make_node(ExprKind::true_div, std::move(children));
  if (Expr value = fold_constants(ExprKind::true_div, children)) return value;
  return make_node(ExprKind::true_div, std::move(children));
}

}  // namespace detail

TREADLE_INLINE Expr make_expr(ExprKind kind, std::vector<Expr> children) {
  using enum ExprKind;
  const auto [least, most] = operand_counts(kind);
  TREADLE_ASSERT(children.size() >= least && children.size() <= most, "wrong number of operands");
  if (children.size() < least || children.size() > most)
    return detail::make_node(kind, std::move(children));
  if (kind == true_div) return detail::fold_true_div(std::move(children));
  if (kind == where) return detail::fold_where(children);
  if (kind == logical_and || kind == logical_or) return detail::fold_logical(kind, children);
  if (Expr value = detail::fold_constants(kind, children)) return value;
  if (kind >= eq && kind <= ge) return detail::fold_comparison(kind, std::move(children));
  const bool integers = std::ranges::all_of(children, [](const Expr& e) { return is_integer(e); });
  switch (kind) {
    case add:
      if (integers) return detail::fold_integer_sum(children);
      return detail::fold_chain(kind, std::move(children));
    case mul:
      if (integers) return detail::fold_integer_product(children);
      return detail::fold_chain(kind, std::move(children));
    case pow: return detail::fold_pow(std::move(children));
    case logical_not: return detail::fold_not(std::move(children));
    case floor:
    case ceil:
    case trunc:
    case round: return detail::fold_rounding(kind, std::move(children));
    default: break;
  }
  if (integers && kind == floor_div) return detail::fold_floor_div(children[0], children[1]);
  if (integers && kind == mod) return detail::fold_mod(children[0], children[1]);
  if (integers && (kind == min || kind == max)) return detail::fold_extreme(kind, children);
  return detail::make_node(kind, std::move(children));
}

}  // namespace treadle::inline v0
