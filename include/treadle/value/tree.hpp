// Nests of containers whose leaves are values: structured arguments and results.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/tree_spec.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// A leaf, or a container of trees. Copies share tensors.
///
///     using Tree = treadle::ValueTree<treadle::cpu::Backend>;
///     Tree options = Tree::dict({{"scale", scale}, {"pair", Tree::tuple({a, b})}});
template <TensorBackend Backend>
class ValueTree {
 public:
  using Leaf = Value<Backend>;
  using Children = std::vector<ValueTree>;
  using Entry = std::pair<TreeKey, ValueTree>;

  /// The leaf None.
  ValueTree() = default;
  /// A leaf; anything that a value is made from.
  template <class T>
    requires(std::convertible_to<T, Leaf> && !std::same_as<std::remove_cvref_t<T>, ValueTree>)
  ValueTree(T&& leaf) : leaf_(std::forward<T>(leaf)) {}  // NOLINT: implicit on purpose

  [[nodiscard]] static ValueTree tuple(Children items) {
    return ValueTree(TreeKind::tuple, std::move(items));
  }
  [[nodiscard]] static ValueTree list(Children items) {
    return ValueTree(TreeKind::list, std::move(items));
  }
  /// Keys are texts or integers.
  [[nodiscard]] static ValueTree dict(std::vector<Entry> entries) {
    return keyed(TreeKind::dict, {}, std::move(entries));
  }
  [[nodiscard]] static ValueTree ordered_dict(std::vector<Entry> entries) {
    return keyed(TreeKind::ordered_dict, {}, std::move(entries));
  }
  /// `type_name` may be empty where it does not matter.
  [[nodiscard]] static ValueTree named_tuple(std::string type_name, std::vector<Entry> fields) {
    return keyed(TreeKind::named_tuple, std::move(type_name), std::move(fields));
  }
  /// A class that the program knows by this name, as its children.
  [[nodiscard]] static ValueTree custom(std::string type_name, Children children) {
    ValueTree out(TreeKind::custom, std::move(children));
    out.type_name_ = std::move(type_name);
    return out;
  }
  /// A container of any kind; `keys` is empty or has one a child.
  [[nodiscard]] static ValueTree container(TreeKind kind, Children children,
                                           std::vector<TreeKey> keys = {},
                                           std::string type_name = {}) {
    ValueTree out(kind, std::move(children));
    out.keys_ = std::move(keys);
    out.type_name_ = std::move(type_name);
    return out;
  }

  [[nodiscard]] TreeKind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_leaf() const noexcept { return kind_ == TreeKind::leaf; }
  /// The value of a leaf; None of a container.
  [[nodiscard]] const Leaf& leaf() const noexcept { return leaf_; }
  [[nodiscard]] Leaf& leaf() noexcept { return leaf_; }
  [[nodiscard]] std::size_t size() const noexcept { return children_.size(); }
  [[nodiscard]] const Children& children() const noexcept { return children_; }
  [[nodiscard]] Children& children() noexcept { return children_; }
  [[nodiscard]] const std::vector<TreeKey>& keys() const noexcept { return keys_; }
  [[nodiscard]] const std::string& type_name() const noexcept { return type_name_; }
  [[nodiscard]] const ValueTree& operator[](std::size_t i) const noexcept {
    TREADLE_ASSERT(i < children_.size(), "index in range");
    return children_[i];
  }
  /// The child of this key or field name, or null.
  [[nodiscard]] const ValueTree* find(const TreeKey& key) const noexcept {
    for (std::size_t i = 0; i < keys_.size() && i < children_.size(); ++i)
      if (keys_[i] == key) return &children_[i];
    return nullptr;
  }
  [[nodiscard]] const ValueTree* find(std::string_view key) const {
    return find(TreeKey(std::string(key)));
  }
  [[nodiscard]] const ValueTree* find(const char* key) const { return find(std::string_view(key)); }

  /// Calls `function(const Leaf&)` on every leaf, in order.
  template <class Function>
  void for_each_leaf(Function&& function) const {
    if (is_leaf()) function(leaf_);
    for (const auto& child : children_) child.for_each_leaf(function);
  }
  /// A tree of the same form, each leaf replaced by `function(const Leaf&)`.
  template <class Function>
  [[nodiscard]] ValueTree map(Function&& function) const {
    ValueTree out(*this);
    out.replace_leaves(function);
    return out;
  }
  [[nodiscard]] std::size_t leaf_count() const {
    std::size_t count = 0;
    for_each_leaf([&](const Leaf&) { ++count; });
    return count;
  }

 private:
  ValueTree(TreeKind kind, Children children) : kind_(kind), children_(std::move(children)) {}

  static ValueTree keyed(TreeKind kind, std::string type_name, std::vector<Entry> entries) {
    ValueTree out(kind, {});
    out.type_name_ = std::move(type_name);
    for (auto& [key, child] : entries) {
      out.keys_.push_back(std::move(key));
      out.children_.push_back(std::move(child));
    }
    return out;
  }

  template <class Function>
  void replace_leaves(Function& function) {
    if (is_leaf()) leaf_ = function(std::as_const(leaf_));
    for (auto& child : children_) child.replace_leaves(function);
  }

  TreeKind kind_ = TreeKind::leaf;
  Leaf leaf_;
  Children children_;
  std::vector<TreeKey> keys_;
  std::string type_name_;
};

}  // namespace treadle::inline v0
