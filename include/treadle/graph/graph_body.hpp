// A program's dataflow: nodes in order and the values between them.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/ids.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/argument.hpp>
#include <treadle/graph/node.hpp>

namespace treadle::inline v0 {

/// Owns the nodes and values of one graph; ids stay valid while the graph is edited, erased ones
/// included. Plain data: movable, and copyable by `clone`. Not safe for concurrent edits.
class GraphBody {
 public:
  GraphBody() = default;
  GraphBody(GraphBody&&) noexcept = default;
  GraphBody& operator=(GraphBody&&) noexcept = default;
  /// A deep copy, subgraphs included; ids are the same.
  [[nodiscard]] GraphBody clone() const;

  // --- reading -----------------------------------------------------------------------------------
  [[nodiscard]] const GraphValue& value(ValueId id) const noexcept { return values_[id.index]; }
  [[nodiscard]] GraphValue& value(ValueId id) noexcept { return values_[id.index]; }
  [[nodiscard]] const Node& node(NodeId id) const noexcept { return nodes_[id.index]; }
  /// Arguments and outputs are edited by the functions below, which keep users right.
  [[nodiscard]] Node& node(NodeId id) noexcept { return nodes_[id.index]; }
  /// Upper bounds of ids, erased ones counted: sizes for tables indexed by id.
  [[nodiscard]] std::size_t value_capacity() const noexcept { return values_.size(); }
  [[nodiscard]] std::size_t node_capacity() const noexcept { return nodes_.size(); }
  [[nodiscard]] std::size_t node_count() const noexcept { return live_nodes_; }

  /// Graph inputs in order. An invalid id keeps the place of a constant input.
  [[nodiscard]] const std::vector<ValueId>& inputs() const noexcept { return inputs_; }
  /// Graph outputs in order: values or constants.
  [[nodiscard]] const std::vector<Argument>& outputs() const noexcept { return outputs_; }
  [[nodiscard]] ValueId find_value(std::string_view name) const;
  [[nodiscard]] NodeId first() const noexcept { return first_; }
  [[nodiscard]] NodeId last() const noexcept { return last_; }
  [[nodiscard]] bool is_before(NodeId a, NodeId b) const noexcept {
    return nodes_[a.index].order < nodes_[b.index].order;
  }

  /// Iterates over node ids in order. Erasing or moving the current node is fine only if the next
  /// id was taken before.
  class NodeIterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = NodeId;
    using difference_type = std::ptrdiff_t;
    using pointer = const NodeId*;
    using reference = NodeId;
    NodeIterator() = default;
    NodeIterator(const GraphBody* graph, NodeId at) : graph_(graph), at_(at) {}
    NodeId operator*() const noexcept { return at_; }
    NodeIterator& operator++() noexcept {
      at_ = graph_->node(at_).next;
      return *this;
    }
    NodeIterator operator++(int) noexcept {
      auto old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(const NodeIterator& a, const NodeIterator& b) noexcept {
      return a.at_ == b.at_;
    }

   private:
    const GraphBody* graph_ = nullptr;
    NodeId at_;
  };
  struct NodeRange {
    NodeIterator first, last;
    [[nodiscard]] NodeIterator begin() const noexcept { return first; }
    [[nodiscard]] NodeIterator end() const noexcept { return last; }
  };
  [[nodiscard]] NodeRange nodes() const noexcept { return {{this, first_}, {this, NodeId{}}}; }

  // --- building ----------------------------------------------------------------------------------
  /// Adds a value without a producer; the name is made unique if it is taken.
  ValueId add_value(GraphValue value);
  ValueId add_input(GraphValue value);
  /// Keeps a place in the inputs for a constant.
  void add_constant_input() { inputs_.emplace_back(); }
  void set_outputs(std::vector<Argument> outputs) { outputs_ = std::move(outputs); }
  /// Adds a node before `before` (at the end if it is invalid). Its outputs must be values without
  /// a producer. Argument values learn of their new user.
  NodeId add_node(Node node, NodeId before = {});
  /// A name that no value has yet, from `wish` and, if needed, a number.
  [[nodiscard]] std::string unique_name(std::string_view wish) const;

  // --- editing -----------------------------------------------------------------------------------
  void set_arguments(NodeId node, std::vector<NamedArgument> arguments);
  void rename(ValueId value, std::string_view name);
  /// Moves a node before `before` (to the end if it is invalid). The caller keeps uses after
  /// definitions; `lint` checks it.
  void move_node(NodeId node, NodeId before);
  /// Makes every user of `from` (nodes and graph outputs) use `to`.
  void replace_all_uses(ValueId from, ValueId to);
  /// The same, only in nodes that come after `after`; graph outputs included.
  void replace_uses_after(ValueId from, ValueId to, NodeId after);
  /// Erases a node and its outputs. Fails if an output is still used.
  Status remove_node(NodeId node);
  /// True if a node or graph output uses the value.
  [[nodiscard]] bool is_used(ValueId value) const;
  /// Copies the nodes of `graph` before `before`, its inputs standing for `arguments`; returns what
  /// its outputs became.
  Result<std::vector<Argument>> inline_graph(const GraphBody& graph,
                                             std::span<const ValueId> arguments, NodeId before);

 private:
  void link(NodeId node, NodeId before);
  void unlink(NodeId node);
  void renumber();
  void add_uses(NodeId node);
  void drop_uses(NodeId node);

  std::vector<GraphValue> values_;
  std::vector<Node> nodes_;
  std::vector<ValueId> inputs_;
  std::vector<Argument> outputs_;
  std::unordered_map<std::string, ValueId> by_name_;
  NodeId first_, last_;
  std::size_t live_nodes_ = 0;
};

/// Equal graphs: the same inputs, nodes in the same order with equal targets, arguments, outputs
/// and results, the same value names, kinds and types. Ids and metadata do not count.
[[nodiscard]] bool equal(const GraphBody& a, const GraphBody& b);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/graph/graph_body-inl.hpp>
#endif
