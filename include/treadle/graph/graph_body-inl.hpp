// Definitions of GraphBody's functions.
#pragma once

#include <algorithm>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/graph/graph_body.hpp>

namespace treadle::inline v0 {
namespace detail {

inline constexpr std::uint32_t order_gap = 1u << 10;

inline void clone_subgraphs(Argument& argument) {
  if (const auto* sub = argument.subgraph())
    argument = Subgraph{sub->name, std::make_shared<GraphBody>(sub->body->clone())};
  if (auto* items = argument.list())
    for (auto& item : *items) clone_subgraphs(item);
  if (auto* items = argument.dict())
    for (auto& item : *items) clone_subgraphs(item.second);
}

inline Argument substitute(const Argument& argument, const std::vector<Argument>& map) {
  if (const auto* id = argument.value()) return id->valid() ? map[id->index] : argument;
  if (const auto* items = argument.list()) {
    Argument::List out;
    for (const auto& item : *items) out.push_back(substitute(item, map));
    return out;
  }
  if (const auto* items = argument.dict()) {
    Argument::Dict out;
    for (const auto& [key, item] : *items) out.emplace_back(key, substitute(item, map));
    return out;
  }
  Argument out = argument;
  clone_subgraphs(out);
  return out;
}

}  // namespace detail

TREADLE_INLINE bool operator==(const Subgraph& a, const Subgraph& b) {
  return a.name == b.name && equal(*a.body, *b.body);
}

TREADLE_INLINE GraphBody GraphBody::clone() const {
  GraphBody copy;
  copy.values_ = values_;
  copy.nodes_ = nodes_;
  copy.inputs_ = inputs_;
  copy.outputs_ = outputs_;
  copy.by_name_ = by_name_;
  copy.first_ = first_;
  copy.last_ = last_;
  copy.live_nodes_ = live_nodes_;
  for (auto& node : copy.nodes_)
    for (auto& argument : node.arguments) detail::clone_subgraphs(argument.value);
  return copy;
}

TREADLE_INLINE ValueId GraphBody::find_value(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? ValueId{} : found->second;
}

TREADLE_INLINE std::string GraphBody::unique_name(std::string_view wish) const {
  std::string name(wish.empty() ? std::string_view("v") : wish);
  for (std::size_t i = 1; by_name_.contains(name); ++i) name = concat(wish, '_', i);
  return name;
}

TREADLE_INLINE ValueId GraphBody::add_value(GraphValue value) {
  const ValueId id(values_.size());
  value.name = unique_name(value.name);
  by_name_.emplace(value.name, id);
  values_.push_back(std::move(value));
  return id;
}

TREADLE_INLINE ValueId GraphBody::add_input(GraphValue value) {
  inputs_.push_back(add_value(std::move(value)));
  return inputs_.back();
}

TREADLE_INLINE NodeId GraphBody::add_node(Node node, NodeId before) {
  const NodeId id(nodes_.size());
  nodes_.push_back(std::move(node));
  ++live_nodes_;
  link(id, before);
  add_uses(id);
  for (const ValueId out : nodes_.back().outputs)
    if (out.valid()) values_[out.index].producer = id;
  return id;
}

TREADLE_INLINE void GraphBody::link(NodeId id, NodeId before) {
  Node& node = nodes_[id.index];
  node.next = before;
  node.previous = before.valid() ? nodes_[before.index].previous : last_;
  (node.previous.valid() ? nodes_[node.previous.index].next : first_) = id;
  (before.valid() ? nodes_[before.index].previous : last_) = id;
  const std::uint32_t low = node.previous.valid() ? nodes_[node.previous.index].order : 0;
  if (!before.valid()) {
    if (low > 0xffff'ffffu - 2 * detail::order_gap) return renumber();
    node.order = low + detail::order_gap;
    return;
  }
  const std::uint32_t high = nodes_[before.index].order;
  if (high - low < 2) return renumber();
  node.order = low + (high - low) / 2;
}

TREADLE_INLINE void GraphBody::unlink(NodeId id) {
  const Node& node = nodes_[id.index];
  (node.previous.valid() ? nodes_[node.previous.index].next : first_) = node.next;
  (node.next.valid() ? nodes_[node.next.index].previous : last_) = node.previous;
}

TREADLE_INLINE void GraphBody::renumber() {
  // The gap shrinks only for graphs of more than four million nodes.
  const auto gap = std::min<std::size_t>(detail::order_gap, 0xffff'0000u / (live_nodes_ + 1));
  std::uint32_t order = 0;
  for (const NodeId id : nodes()) nodes_[id.index].order = order += static_cast<std::uint32_t>(gap);
}

TREADLE_INLINE void GraphBody::add_uses(NodeId id) {
  for (const auto& argument : nodes_[id.index].arguments)
    argument.value.for_each_value([&](ValueId used) {
      if (!used.valid()) return;
      auto& users = values_[used.index].users;
      if (users.empty() || users.back() != id) {
        if (std::find(users.begin(), users.end(), id) == users.end()) users.push_back(id);
      }
    });
}

TREADLE_INLINE void GraphBody::drop_uses(NodeId id) {
  for (const auto& argument : nodes_[id.index].arguments)
    argument.value.for_each_value([&](ValueId used) {
      if (used.valid()) std::erase(values_[used.index].users, id);
    });
}

TREADLE_INLINE void GraphBody::set_arguments(NodeId id, std::vector<NamedArgument> arguments) {
  drop_uses(id);
  nodes_[id.index].arguments = std::move(arguments);
  add_uses(id);
}

TREADLE_INLINE void GraphBody::rename(ValueId id, std::string_view name) {
  auto& value = values_[id.index];
  if (value.name == name) return;
  by_name_.erase(value.name);
  value.name = unique_name(name);
  by_name_.emplace(value.name, id);
}

TREADLE_INLINE void GraphBody::move_node(NodeId id, NodeId before) {
  if (id == before || nodes_[id.index].next == before) return;
  unlink(id);
  link(id, before);
}

TREADLE_INLINE void GraphBody::replace_all_uses(ValueId from, ValueId to) {
  replace_uses_after(from, to, {});
}

TREADLE_INLINE void GraphBody::replace_uses_after(ValueId from, ValueId to, NodeId after) {
  if (from == to) return;
  const auto swap = [&](ValueId& id) {
    if (id == from) id = to;
  };
  for (const NodeId user : std::vector<NodeId>(values_[from.index].users)) {
    if (after.valid() && !is_before(after, user)) continue;
    for (auto& argument : nodes_[user.index].arguments) argument.value.for_each_value(swap);
    std::erase(values_[from.index].users, user);
    auto& users = values_[to.index].users;
    if (std::find(users.begin(), users.end(), user) == users.end()) users.push_back(user);
  }
  for (auto& output : outputs_) output.for_each_value(swap);
}

TREADLE_INLINE bool GraphBody::is_used(ValueId id) const {
  if (!values_[id.index].users.empty()) return true;
  bool used = false;
  for (const auto& output : outputs_)
    output.for_each_value([&](ValueId out) { used |= out == id; });
  return used;
}

TREADLE_INLINE Status GraphBody::remove_node(NodeId id) {
  Node& node = nodes_[id.index];
  for (const ValueId out : node.outputs)
    if (out.valid() && is_used(out))
      return Error(ErrorCode::invalid_graph, concat("node '", node.name, "' (", node.target,
                                                    ") can't be removed: its output '",
                                                    values_[out.index].name, "' is still used"));
  drop_uses(id);
  unlink(id);
  for (const ValueId out : node.outputs) {
    if (!out.valid()) continue;
    by_name_.erase(values_[out.index].name);
    values_[out.index].erased = true;
  }
  node.erased = true;
  --live_nodes_;
  return {};
}

TREADLE_INLINE Result<std::vector<Argument>> GraphBody::inline_graph(
    const GraphBody& graph, std::span<const ValueId> arguments, NodeId before) {
  if (arguments.size() != graph.inputs().size())
    return Error(ErrorCode::invalid_argument,
                 concat("inlining a graph of ", graph.inputs().size(), " inputs: found ",
                        arguments.size(), " arguments"));
  std::vector<Argument> map(graph.value_capacity());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (graph.inputs()[i].valid()) map[graph.inputs()[i].index] = arguments[i];
  for (const NodeId id : graph.nodes()) {
    Node copy = graph.node(id);
    copy.erased = false;
    for (auto& argument : copy.arguments) argument.value = detail::substitute(argument.value, map);
    copy.name.clear();
    for (ValueId& out : copy.outputs) {
      if (!out.valid()) continue;
      GraphValue value = graph.value(out);
      value.users.clear();
      value.producer = {};
      const ValueId made = add_value(std::move(value));
      map[out.index] = made;
      out = made;
      if (copy.name.empty()) copy.name = values_[made.index].name;
    }
    add_node(std::move(copy), before);
  }
  std::vector<Argument> results;
  for (const auto& output : graph.outputs()) results.push_back(detail::substitute(output, map));
  return results;
}

namespace detail {

inline bool equal_values(const GraphValue& a, const GraphValue& b) {
  const bool symbolic =
      (!a.symbolic || !b.symbolic) ? !a.symbolic == !b.symbolic : equal(a.symbolic, b.symbolic);
  return a.name == b.name && a.kind == b.kind && a.tensor == b.tensor && symbolic &&
         a.class_name == b.class_name;
}

/// Compares graphs by mapping the values of one to those of the other as they are met.
class GraphComparison {
 public:
  GraphComparison(const GraphBody& a, const GraphBody& b)
      : a_(a), b_(b), map_(a.value_capacity()) {}

  bool same() {
    if (a_.node_count() != b_.node_count() || a_.inputs().size() != b_.inputs().size() ||
        a_.outputs().size() != b_.outputs().size())
      return false;
    for (std::size_t i = 0; i < a_.inputs().size(); ++i)
      if (!define(a_.inputs()[i], b_.inputs()[i])) return false;
    auto other = b_.nodes().begin();
    for (const NodeId id : a_.nodes())
      if (!same_node(a_.node(id), b_.node(*other++))) return false;
    for (std::size_t i = 0; i < a_.outputs().size(); ++i)
      if (!same_argument(a_.outputs()[i], b_.outputs()[i])) return false;
    return true;
  }

 private:
  bool define(ValueId a, ValueId b) {
    if (!a.valid() || !b.valid()) return a.valid() == b.valid();
    map_[a.index] = b;
    return equal_values(a_.value(a), b_.value(b));
  }

  bool same_argument(const Argument& a, const Argument& b) const {
    if (const auto* id = a.value())
      return b.value() && (id->valid() ? map_[id->index] == *b.value() : !b.value()->valid());
    if (const auto* items = a.list()) {
      if (!b.list() || items->size() != b.list()->size()) return false;
      for (std::size_t i = 0; i < items->size(); ++i)
        if (!same_argument((*items)[i], (*b.list())[i])) return false;
      return true;
    }
    if (const auto* items = a.dict()) {
      if (!b.dict() || items->size() != b.dict()->size()) return false;
      for (std::size_t i = 0; i < items->size(); ++i)
        if ((*items)[i].first != (*b.dict())[i].first ||
            !same_argument((*items)[i].second, (*b.dict())[i].second))
          return false;
      return true;
    }
    return a == b;
  }

  bool same_node(const Node& a, const Node& b) {
    if (a.target != b.target || a.name != b.name || a.arguments.size() != b.arguments.size() ||
        a.outputs.size() != b.outputs.size() || !(a.result_lengths == b.result_lengths))
      return false;
    for (std::size_t i = 0; i < a.arguments.size(); ++i)
      if (a.arguments[i].name != b.arguments[i].name ||
          a.arguments[i].keyword != b.arguments[i].keyword ||
          !same_argument(a.arguments[i].value, b.arguments[i].value))
        return false;
    for (std::size_t i = 0; i < a.outputs.size(); ++i)
      if (!define(a.outputs[i], b.outputs[i])) return false;
    return true;
  }

  const GraphBody& a_;
  const GraphBody& b_;
  std::vector<ValueId> map_;
};

}  // namespace detail

TREADLE_INLINE bool equal(const GraphBody& a, const GraphBody& b) {
  return detail::GraphComparison(a, b).same();
}

}  // namespace treadle::inline v0
