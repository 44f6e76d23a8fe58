// Sums of products of integers, taken apart to collect like terms.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <treadle/core/sort_places.hpp>
#include <treadle/symbolic/expr_node.hpp>
#include <treadle/symbolic/node-inl.hpp>

namespace treadle::inline v0::detail {

/// coefficient * product of factors, which are in order.
struct Term {
  std::int64_t coefficient = 1;
  std::vector<Expr> factors;
};

TREADLE_INLINE Term split_term(const Expr& expr) {
  if (expr->kind == ExprKind::integer) return {expr->integer, {}};
  if (expr->kind != ExprKind::mul) return {1, {expr}};
  Term term{1, expr->children};
  if (term.factors.back()->kind == ExprKind::integer) {
    term.coefficient = term.factors.back()->integer;
    term.factors.pop_back();
  }
  return term;
}

TREADLE_INLINE std::vector<Term> split_sum(const Expr& expr) {
  if (expr->kind != ExprKind::add) return {split_term(expr)};
  std::vector<Term> terms;
  terms.reserve(expr->children.size());
  for (const Expr& child : expr->children) terms.push_back(split_term(child));
  return terms;
}

TREADLE_INLINE Expr join_term(Term term) {
  if (term.coefficient == 0 || term.factors.empty()) return make_integer(term.coefficient);
  if (term.coefficient != 1) term.factors.push_back(make_integer(term.coefficient));
  if (term.factors.size() == 1) return term.factors[0];
  return make_node(ExprKind::mul, std::move(term.factors));
}

TREADLE_INLINE std::strong_ordering compare_factors(const Term& a, const Term& b) noexcept {
  if (a.factors.empty() || b.factors.empty()) return b.factors.size() <=> a.factors.size();
  const std::size_t shared = std::min(a.factors.size(), b.factors.size());
  for (std::size_t i = 0; i < shared; ++i)
    if (const auto order = compare(a.factors[i], b.factors[i]); order != 0) return order;
  return a.factors.size() <=> b.factors.size();
}

TREADLE_INLINE bool same_factors(const Term& a, const Term& b) {
  return std::ranges::equal(a.factors, b.factors,
                            [](const Expr& x, const Expr& y) { return equal(x, y); });
}

/// Collects like terms; sums that overflow stay apart.
TREADLE_INLINE Expr join_sum(std::vector<Term> terms) {
  const std::vector<std::size_t> order =
      sorted_places(terms.size(), [&](std::size_t i, std::size_t j) {
        const auto factors = compare_factors(terms[i], terms[j]);
        return factors != 0 ? factors < 0 : terms[i].coefficient < terms[j].coefficient;
      });
  std::vector<Term> merged;
  for (const std::size_t i : order) {
    Term& term = terms[i];
    std::int64_t sum = 0;
    if (merged.empty() || !same_factors(merged.back(), term) ||
        __builtin_add_overflow(merged.back().coefficient, term.coefficient, &sum)) {
      merged.push_back(std::move(term));
    } else {
      merged.back().coefficient = sum;
    }
  }
  std::erase_if(merged, [](const Term& term) { return term.coefficient == 0; });
  if (merged.empty()) return make_integer(0);
  std::vector<Expr> children;
  children.reserve(merged.size());
  for (Term& term : merged) children.push_back(join_term(std::move(term)));
  return children.size() == 1 ? children[0] : make_node(ExprKind::add, std::move(children));
}

/// constant * sum, term by term; empty where a coefficient overflows.
TREADLE_INLINE Expr distribute(std::int64_t constant, const Expr& sum) {
  std::vector<Term> terms = split_sum(sum);
  for (Term& term : terms)
    if (__builtin_mul_overflow(term.coefficient, constant, &term.coefficient)) return nullptr;
  return join_sum(std::move(terms));
}

TREADLE_INLINE Expr fold_integer_sum(const std::vector<Expr>& children) {
  std::vector<Term> terms;
  for (const Expr& child : children)
    for (Term& term : split_sum(child)) terms.push_back(std::move(term));
  return join_sum(std::move(terms));
}

TREADLE_INLINE Expr fold_integer_product(const std::vector<Expr>& children) {
  std::vector<Expr> constants, factors;
  for (const Expr& child : children) {
    const bool flat = child->kind == ExprKind::mul;
    for (const Expr *it = flat ? child->children.data() : &child,
                    *end = it + (flat ? child->children.size() : 1);
         it != end; ++it)
      ((*it)->kind == ExprKind::integer ? constants : factors).push_back(*it);
  }
  sort_operands(constants);
  std::int64_t product = 1;
  bool overflow = false;
  for (const Expr& constant : constants) {
    if (constant->integer == 0) return make_integer(0);
    overflow = overflow || __builtin_mul_overflow(product, constant->integer, &product);
  }
  if (overflow) {
    factors.insert(factors.end(), constants.begin(), constants.end());
    product = 1;
  }
  sort_operands(factors);
  if (factors.size() == 1 && factors[0]->kind == ExprKind::add && product != 1)
    if (Expr sum = distribute(product, factors[0])) return sum;
  return join_term({product, std::move(factors)});
}

/// Removes one factor; false if the term does not have it.
TREADLE_INLINE bool remove_factor(Term& term, const Expr& factor) {
  const auto found =
      std::ranges::find_if(term.factors, [&](const Expr& f) { return equal(f, factor); });
  if (found == term.factors.end()) return false;
  term.factors.erase(found);
  return true;
}

/// term / divisor where that is exact whatever the symbols are.
TREADLE_INLINE bool divide_exactly(Term& term, const Term& divisor) {
  if (divisor.coefficient == 0 || divisor.coefficient == -1) return false;
  if (term.coefficient % divisor.coefficient != 0) return false;
  Term result{term.coefficient / divisor.coefficient, term.factors};
  for (const Expr& factor : divisor.factors)
    if (!remove_factor(result, factor)) return false;
  term = std::move(result);
  return true;
}

/// Cancels what all terms of a sum share with a divisor.
TREADLE_INLINE void cancel_common(std::vector<Term>& terms, Term& divisor) {
  for (std::size_t i = divisor.factors.size(); i-- > 0;) {
    const Expr factor = divisor.factors[i];
    std::vector<Term> reduced = terms;
    if (!std::ranges::all_of(reduced, [&](Term& t) { return remove_factor(t, factor); })) continue;
    terms = std::move(reduced);
    divisor.factors.erase(divisor.factors.begin() + static_cast<std::ptrdiff_t>(i));
  }
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  std::int64_t common = divisor.coefficient;
  if (common == lowest) return;
  for (const Term& term : terms) {
    if (term.coefficient == lowest) return;
    common = std::gcd(common, term.coefficient);
  }
  if (common <= 1) return;
  for (Term& term : terms) term.coefficient /= common;
  divisor.coefficient /= common;
}

}  // namespace treadle::inline v0::detail
