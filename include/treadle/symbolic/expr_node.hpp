// Expressions over named sizes, as immutable shared trees: declarations without definitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/symbolic/expr_kind.hpp>

namespace treadle::inline v0 {

struct ExprNode;

/// A shared immutable expression; never null where a function takes or returns one. Like a
/// `shared_ptr` to a node, but its counting is a call: code that handles sizes is full of copies.
class Expr {
 public:
  Expr() noexcept = default;
  Expr(std::nullptr_t) noexcept {}  // NOLINT: implicit on purpose
  Expr(const Expr& other) noexcept : node_(other.node_) {
    if (node_) share(*node_);
  }
  Expr(Expr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Expr& operator=(Expr other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Expr() {
    if (node_) drop(*node_);
  }
  /// Shares a new node.
  [[nodiscard]] static Expr make(ExprNode&& node);

  [[nodiscard]] const ExprNode* get() const noexcept { return node_; }
  [[nodiscard]] const ExprNode& operator*() const noexcept { return *node_; }
  [[nodiscard]] const ExprNode* operator->() const noexcept { return node_; }
  [[nodiscard]] explicit operator bool() const noexcept { return node_ != nullptr; }
  /// The same node? See `equal` for the same tree.
  friend bool operator==(const Expr& a, const Expr& b) noexcept { return a.node_ == b.node_; }
  friend bool operator==(const Expr& a, std::nullptr_t) noexcept { return a.node_ == nullptr; }

 private:
  static void share(const ExprNode& node) noexcept;
  static void drop(const ExprNode& node) noexcept;

  const ExprNode* node_ = nullptr;
};

/// One node of an expression tree. Made by the functions below, which keep the members from `depth`
/// on.
struct ExprNode {
  ExprKind kind = ExprKind::integer;
  std::int64_t integer = 0;  ///< value of `integer` and `boolean`
  double real = 0;           ///< value of `real`
  std::string name{};        ///< name of `symbol`
  std::vector<Expr> children{};
  std::uint32_t depth = 1;  ///< levels of the tree, itself included
  std::uint32_t nodes = 1;  ///< nodes of the tree, itself included; shared ones count each time
  std::size_t hash = 0;     ///< equal trees have equal hashes
  bool integral = false;    ///< surely an integer, whatever its symbols are
};

/// Trees stay below these bounds, so that every walk over one ends soon.
inline constexpr std::uint32_t max_expr_depth = 200;
inline constexpr std::uint32_t max_expr_nodes = 50'000;

/// Makes a node; folds constants, flattens sums and products, collects like terms, cancels exact
/// divisions (divisors are taken as nonzero) and orders operands where all are integers, so that
/// equal expressions mostly get equal trees. Folds that overflow or divide by zero stay unfolded.
/// A tree above `max_expr_depth` or `max_expr_nodes` becomes a symbol that nothing can bind and
/// that equals only itself.
[[nodiscard]] Expr make_expr(ExprKind kind, std::vector<Expr> children);
[[nodiscard]] Expr make_integer(std::int64_t value);
[[nodiscard]] Expr make_real(double value);
[[nodiscard]] Expr make_boolean(bool value);
/// A named size. Names like `zf0` and `zuf0` stand for floats, all others for integers.
[[nodiscard]] Expr make_symbol(std::string name);

/// Surely an integer, whatever its symbols are?
[[nodiscard]] inline bool is_integer(const Expr& expr) noexcept { return expr->integral; }

/// Same tree?
[[nodiscard]] bool equal(const Expr& a, const Expr& b);

/// Infix text that `parse_expr` reads back to an equal tree: `s0 * 2 + 1`, `(s0 - s1) // 3`.
[[nodiscard]] std::string to_string(const Expr& expr);

namespace detail {

/// Name of the symbol that takes the place of a tree above the bounds.
inline constexpr std::string_view oversized_name = "<expression above the size limit>";

/// Is the value of this node a bool?
[[nodiscard]] inline bool is_boolean(const Expr& e) noexcept {
  return e->kind == ExprKind::boolean || e->kind == ExprKind::is_nan ||
         (e->kind >= ExprKind::eq && e->kind <= ExprKind::logical_not);
}

}  // namespace detail
}  // namespace treadle::inline v0
