// Expression nodes: how they are made, ordered and compared.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/sort_places.hpp>
#include <treadle/symbolic/expr_node.hpp>

namespace treadle::inline v0 {
namespace detail {

/// A node with the number of those who hold it.
struct ExprCell : ExprNode {
  mutable std::atomic<std::uint32_t> holders{1};
};

}  // namespace detail

[[gnu::noinline]] TREADLE_INLINE void Expr::share(const ExprNode& node) noexcept {
  static_cast<const detail::ExprCell&>(node).holders.fetch_add(1, std::memory_order_relaxed);
}

[[gnu::noinline]] TREADLE_INLINE void Expr::drop(const ExprNode& node) noexcept {
  const auto* cell = static_cast<const detail::ExprCell*>(&node);
  if (cell->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete cell;
}

TREADLE_INLINE Expr Expr::make(ExprNode&& node) {
  Expr made;
  made.node_ = new detail::ExprCell{std::move(node)};
  return made;
}

namespace detail {

TREADLE_INLINE std::size_t mix_hash(std::size_t seed, std::size_t value) noexcept {
  return (seed ^ value) * static_cast<std::size_t>(0x9E3779B97F4A7C15ULL) + (seed >> 29);
}

TREADLE_INLINE bool is_float_name(std::string_view name) noexcept {
  const std::size_t digits = name.starts_with("zuf") ? 3 : name.starts_with("zf") ? 2 : 0;
  return digits != 0 && name.size() > digits &&
         name.find_first_not_of("0123456789", digits) == std::string_view::npos;
}

/// Is a node with these children surely an integer?
TREADLE_INLINE bool integral(const ExprNode& node) noexcept {
  const auto all = [&] {
    return std::ranges::all_of(node.children, [](const Expr& e) { return is_integer(e); });
  };
  switch (node.kind) {
    case ExprKind::integer:
    case ExprKind::floor:
    case ExprKind::ceil:
    case ExprKind::trunc: return true;
    case ExprKind::symbol: return !is_float_name(node.name);
    case ExprKind::round: return node.children.size() == 1 || is_integer(node.children[0]);
    case ExprKind::add:
    case ExprKind::mul:
    case ExprKind::min:
    case ExprKind::max:
    case ExprKind::floor_div:
    case ExprKind::mod:
    case ExprKind::abs:
    case ExprKind::bit_and:
    case ExprKind::bit_or:
    case ExprKind::bit_xor:
    case ExprKind::lshift:
    case ExprKind::rshift: return all();
    case ExprKind::pow:
      return all() && node.children[1]->kind == ExprKind::integer && node.children[1]->integer >= 0;
    case ExprKind::where: {
      const std::size_t count = node.children.size();
      for (std::size_t i = 0; i < count; ++i)
        if ((i % 2 == 1 || i + 1 == count) && !is_integer(node.children[i])) return false;
      return true;
    }
    default: return false;
  }
}

/// Fills in what nodes keep about themselves and shares the node.
TREADLE_INLINE Expr finish_node(ExprNode node) {
  std::uint64_t nodes = 1;
  std::uint32_t depth = 0;
  std::size_t hash =
      mix_hash(static_cast<std::size_t>(node.kind) + 1, static_cast<std::size_t>(node.integer));
  hash = mix_hash(hash, static_cast<std::size_t>(std::bit_cast<std::uint64_t>(node.real)));
  hash = mix_hash(hash, std::hash<std::string>{}(node.name));
  for (const Expr& child : node.children) {
    nodes += child->nodes;
    depth = std::max(depth, child->depth);
    hash = mix_hash(hash, child->hash);
  }
  if (nodes > max_expr_nodes || depth >= max_expr_depth)
    return make_symbol(std::string(oversized_name));
  node.nodes = static_cast<std::uint32_t>(nodes);
  node.depth = depth + 1;
  node.hash = hash;
  node.integral = integral(node);
  return Expr::make(std::move(node));
}

/// A node as it is, without any simplification.
TREADLE_INLINE Expr make_node(ExprKind kind, std::vector<Expr> children) {
  ExprNode node;
  node.kind = kind;
  node.children = std::move(children);
  return finish_node(std::move(node));
}

/// The order in which operands of sums and products stand.
TREADLE_INLINE std::strong_ordering compare(const Expr& a, const Expr& b) noexcept {
  if (a == b) return std::strong_ordering::equal;
  if (const auto order = a->kind <=> b->kind; order != 0) return order;
  if (const auto order = a->integer <=> b->integer; order != 0) return order;
  if (const auto order =
          std::bit_cast<std::int64_t>(a->real) <=> std::bit_cast<std::int64_t>(b->real);
      order != 0)
    return order;
  if (const auto order = a->name.compare(b->name); order != 0) return order <=> 0;
  if (const auto order = a->children.size() <=> b->children.size(); order != 0) return order;
  for (std::size_t i = 0; i < a->children.size(); ++i)
    if (const auto order = compare(a->children[i], b->children[i]); order != 0) return order;
  return std::strong_ordering::equal;
}

TREADLE_INLINE void sort_operands(std::vector<Expr>& operands) {
  const std::vector<std::size_t> order = sorted_places(
      operands.size(),
      [&](std::size_t a, std::size_t b) { return compare(operands[a], operands[b]) < 0; });
  std::vector<Expr> sorted;
  sorted.reserve(operands.size());
  for (const std::size_t i : order) sorted.push_back(std::move(operands[i]));
  operands = std::move(sorted);
}

}  // namespace detail

TREADLE_INLINE Expr make_integer(std::int64_t value) {
  ExprNode node;
  node.kind = ExprKind::integer;
  node.integer = value;
  return detail::finish_node(std::move(node));
}

TREADLE_INLINE Expr make_real(double value) {
  ExprNode node;
  node.kind = ExprKind::real;
  node.real = value;
  return detail::finish_node(std::move(node));
}

TREADLE_INLINE Expr make_boolean(bool value) {
  ExprNode node;
  node.kind = ExprKind::boolean;
  node.integer = value ? 1 : 0;
  return detail::finish_node(std::move(node));
}

TREADLE_INLINE Expr make_symbol(std::string name) {
  ExprNode node;
  node.kind = ExprKind::symbol;
  node.name = std::move(name);
  return detail::finish_node(std::move(node));
}

TREADLE_INLINE bool equal(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a->hash != b->hash || a->kind != b->kind || a->nodes != b->nodes) return false;
  if (a->integer != b->integer || a->name != b->name) return false;
  if (std::bit_cast<std::uint64_t>(a->real) != std::bit_cast<std::uint64_t>(b->real)) return false;
  if (a->kind == ExprKind::symbol && a->name == detail::oversized_name) return false;
  return std::ranges::equal(a->children, b->children,
                            [](const Expr& x, const Expr& y) { return equal(x, y); });
}

}  // namespace treadle::inline v0
