// From trees of values to lists of leaves by a program's spec, and back.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tree_spec.hpp>
#include <treadle/value/tree.hpp>
#include <treadle/value/tree_registry.hpp>
#include <treadle/value/tree_text.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Walks a tree and its spec side by side.
template <TensorBackend Backend>
class TreeFlattener {
 public:
  using Tree = ValueTree<Backend>;

  TreeFlattener(const TreeRegistry<Backend>& registry, std::vector<Value<Backend>>& leaves)
      : registry_(registry), leaves_(leaves) {}

  Status flatten(const Tree& tree, const TreeSpec& spec, std::size_t depth = 0) {
    if (depth > max_tree_depth)
      return Error(ErrorCode::limit_exceeded,
                   concat("trees are nested deeper than ", max_tree_depth, " levels"));
    if (spec.kind == TreeKind::leaf) return flatten_leaf(tree);
    if (spec.kind == TreeKind::none) return is_none(tree) ? Status() : Status(mismatch(tree, spec));
    if (tree.is_leaf()) return flatten_object(tree, spec, depth);
    if (!fits(tree.kind(), spec.kind)) return mismatch(tree, spec);
    if (spec.kind == TreeKind::custom && tree.kind() == TreeKind::custom &&
        tree.type_name() != spec.type_name)
      return mismatch(tree, spec);
    const bool by_key = is_dictionary(spec.kind) || (tree.kind() == TreeKind::named_tuple &&
                                                     !spec.keys.empty() && !tree.keys().empty());
    return by_key ? flatten_keyed(tree, spec, depth) : flatten_items(tree.children(), spec, depth);
  }

 private:
  static bool is_none(const Tree& tree) {
    return tree.kind() == TreeKind::none || (tree.is_leaf() && tree.leaf().is_none());
  }
  /// Dictionaries of all kinds stand for each other; a plain tuple or list of the children does for
  /// the kinds that hosts can't spell.
  static bool fits(TreeKind given, TreeKind wanted) {
    if (given == wanted || (is_dictionary(given) && is_dictionary(wanted))) return true;
    const bool plain = given == TreeKind::tuple || given == TreeKind::list;
    return plain && (wanted == TreeKind::named_tuple || wanted == TreeKind::deque ||
                     wanted == TreeKind::custom);
  }
  static Error mismatch(const Tree& tree, const TreeSpec& spec) {
    std::string found;
    if (tree.is_leaf())
      found = tree.leaf().kind();
    else if (tree.kind() == TreeKind::custom)
      found = concat(tree_kind_text(tree.kind()), " '", tree.type_name(), '\'');
    else
      found = concat(tree_kind_text(tree.kind()), " of ", tree.size());
    return {ErrorCode::invalid_argument, concat("expected ", wanted_text(spec), ", found ", found)};
  }

  Status flatten_leaf(const Tree& tree) {
    if (!tree.is_leaf() && tree.kind() != TreeKind::none)
      return Error(ErrorCode::invalid_argument,
                   concat("expected a single value, found ", tree_kind_text(tree.kind()), " of ",
                          tree.size()));
    leaves_.push_back(tree.leaf());
    return {};
  }

  Status flatten_object(const Tree& tree, const TreeSpec& spec, std::size_t depth) {
    const auto* object = tree.leaf().template get_if<CustomObject>();
    const auto* known = spec.kind == TreeKind::custom ? registry_.find(spec.type_name) : nullptr;
    if (!object || !known || !known->flatten) return mismatch(tree, spec);
    TREADLE_TRY(const auto children, known->flatten(*object));
    return flatten_items(children, spec, depth);
  }

  Status flatten_items(const std::vector<Tree>& items, const TreeSpec& spec, std::size_t depth) {
    if (items.size() != spec.children.size())
      return Error(ErrorCode::invalid_argument,
                   concat("expected ", wanted_text(spec), ", found ", items.size(), " items"));
    for (std::size_t i = 0; i < items.size(); ++i)
      TREADLE_CHECK(
          flatten(items[i], spec.children[i], depth + 1).with_context(child_text(spec, i)));
    return {};
  }

  Status flatten_keyed(const Tree& tree, const TreeSpec& spec, std::size_t depth) {
    if (tree.keys().size() != tree.size() || spec.keys.size() != spec.children.size())
      return Error(ErrorCode::invalid_argument, "a dictionary needs one key for each of its items");
    for (std::size_t i = 0; i < tree.size(); ++i) {
      bool known = false;
      for (const auto& key : spec.keys) known |= key == tree.keys()[i];
      if (!known)
        return Error(ErrorCode::invalid_argument, concat("unknown key ", key_text(tree.keys()[i]),
                                                         "; the program knows ", known_keys(spec)));
      for (std::size_t k = 0; k < i; ++k)
        if (tree.keys()[k] == tree.keys()[i])
          return Error(ErrorCode::invalid_argument,
                       concat("key ", key_text(tree.keys()[i]), " is given twice"));
    }
    for (std::size_t i = 0; i < spec.keys.size(); ++i) {
      const Tree* child = tree.find(spec.keys[i]);
      if (!child)
        return Error(ErrorCode::invalid_argument,
                     concat("key ", key_text(spec.keys[i]), " is missing"));
      TREADLE_CHECK(flatten(*child, spec.children[i], depth + 1).with_context(child_text(spec, i)));
    }
    return {};
  }

  static std::string known_keys(const TreeSpec& spec) {
    std::string out;
    for (const auto& key : spec.keys) out += concat(out.empty() ? "" : ", ", key_text(key));
    return out.empty() ? "none" : out;
  }

  const TreeRegistry<Backend>& registry_;
  std::vector<Value<Backend>>& leaves_;
};

/// Builds a tree, taking leaves from a list as it goes.
template <TensorBackend Backend>
class TreeBuilder {
 public:
  using Tree = ValueTree<Backend>;

  TreeBuilder(const TreeRegistry<Backend>& registry, std::span<Value<Backend>> leaves)
      : registry_(registry), leaves_(leaves) {}

  Result<Tree> build(const TreeSpec& spec, std::size_t depth = 0) {
    if (depth > max_tree_depth)
      return Error(ErrorCode::limit_exceeded,
                   concat("trees are nested deeper than ", max_tree_depth, " levels"));
    if (spec.kind == TreeKind::leaf) {
      if (taken_ == leaves_.size())
        return Error(ErrorCode::invalid_argument, concat("too few leaves: found ", taken_));
      return Tree(std::move(leaves_[taken_++]));
    }
    if (spec.kind == TreeKind::none) return Tree();
    std::vector<Tree> children;
    children.reserve(spec.children.size());
    for (const auto& child : spec.children) {
      TREADLE_TRY(auto made, build(child, depth + 1));
      children.push_back(std::move(made));
    }
    if (spec.kind == TreeKind::custom)
      if (const auto* known = registry_.find(spec.type_name); known && known->unflatten) {
        TREADLE_TRY(auto object, known->unflatten(std::move(children), spec.context));
        return Tree(Value<Backend>(std::move(object)));
      }
    const bool named = spec.kind == TreeKind::named_tuple;
    return Tree::container(spec.kind, std::move(children), spec.keys,
                           named ? spec.context : spec.type_name);
  }

  [[nodiscard]] std::size_t taken() const noexcept { return taken_; }

 private:
  const TreeRegistry<Backend>& registry_;
  std::span<Value<Backend>> leaves_;
  std::size_t taken_ = 0;
};

}  // namespace detail

/// The leaves of a tree that has the form of `spec`, in order. Dictionaries may have their keys in
/// any order. Errors say where in the tree, what was expected and what was found.
template <TensorBackend Backend>
[[nodiscard]] Result<std::vector<Value<Backend>>> flatten(
    const ValueTree<Backend>& tree, const TreeSpec& spec,
    const TreeRegistry<Backend>& registry = {}) {
  std::vector<Value<Backend>> leaves;
  TREADLE_CHECK(detail::TreeFlattener<Backend>(registry, leaves).flatten(tree, spec));
  return leaves;
}

/// The tree of the form of `spec` with these leaves; their number must fit.
template <TensorBackend Backend>
[[nodiscard]] Result<ValueTree<Backend>> unflatten(const TreeSpec& spec,
                                                   std::vector<Value<Backend>> leaves,
                                                   const TreeRegistry<Backend>& registry = {}) {
  detail::TreeBuilder<Backend> builder(registry, leaves);
  TREADLE_TRY(auto tree, builder.build(spec));
  if (builder.taken() != leaves.size())
    return Error(ErrorCode::invalid_argument,
                 concat("the tree has ", builder.taken(), " leaves, found ", leaves.size()));
  return tree;
}

/// The spec that a tree has.
template <TensorBackend Backend>
[[nodiscard]] TreeSpec spec_of(const ValueTree<Backend>& tree) {
  TreeSpec spec;
  spec.kind = tree.kind();
  spec.keys = tree.keys();
  (spec.kind == TreeKind::named_tuple ? spec.context : spec.type_name) = tree.type_name();
  for (const auto& child : tree.children()) spec.children.push_back(spec_of(child));
  return spec;
}

}  // namespace treadle::inline v0
