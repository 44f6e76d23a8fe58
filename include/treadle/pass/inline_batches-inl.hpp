// Definitions of the inlining of batch regions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/pass/inline_batches.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0 {
namespace detail {

/// What a bracket of functorch is called; empty for all other nodes.
[[nodiscard]] inline std::string_view batch_bracket(const Node& node) noexcept {
  constexpr std::string_view space = "torch::_functorch.predispatch.";
  const std::string_view target = node.target;
  return target.starts_with(space) ? target.substr(space.size()) : std::string_view();
}

/// One region without regions inside, between its two brackets.
class BatchRegion {
 public:
  BatchRegion(GraphBody& graph, NodeId open, NodeId close)
      : graph_(graph), open_(open), close_(close), body_(std::make_shared<GraphBody>()) {}

  /// False if there is something in the region that this does not know.
  [[nodiscard]] Result<bool> dissolve() {
    if (!sort() || !operands_stand_ready()) return false;
    for (const NodeId id : entering_) enter(id);
    for (const NodeId id : inner_)
      for (const auto& argument : graph_.node(id).arguments)
        argument.value.for_each_value([&](ValueId v) { capture(v); });
    for (const NodeId id : leaving_) capture(*operand(id));
    for (const NodeId id : inner_) copy_node(id);
    if (!leaving_.empty()) add_map();
    TREADLE_CHECK(erase());
    return true;
  }

 private:
  // --- what is in the region ---------------------------------------------------------------------
  [[nodiscard]] const ValueId* operand(NodeId id) const {
    const Node& node = graph_.node(id);
    const auto* value = node.arguments.empty() ? nullptr : node.arguments[0].value.value();
    return value && value->valid() ? value : nullptr;
  }
  /// Integer argument `i`, or null.
  [[nodiscard]] const std::int64_t* number(NodeId id, std::size_t i) const {
    const Node& node = graph_.node(id);
    return i < node.arguments.size() ? node.arguments[i].value.get<std::int64_t>() : nullptr;
  }
  [[nodiscard]] bool has_one_result(NodeId id) const {
    return graph_.node(id).outputs.size() == 1 && graph_.node(id).outputs[0].valid();
  }
  [[nodiscard]] bool uses_row(const Node& node) const {
    bool uses = false;
    for (const auto& argument : node.arguments)
      argument.value.for_each_value([&](ValueId v) { uses |= rows_.contains(v.index); });
    return uses;
  }

  /// Nodes that do not depend on a row stay where they are.
  [[nodiscard]] bool sort() {
    for (NodeId id = graph_.node(open_).next; id != close_; id = graph_.node(id).next) {
      const auto bracket = batch_bracket(graph_.node(id));
      if (bracket == "_add_batch_dim") {
        if (!operand(id) || !number(id, 1) || !has_one_result(id)) return false;
        entering_.push_back(id);
        rows_.insert(graph_.node(id).outputs[0].index);
      } else if (bracket == "_remove_batch_dim") {
        if (!operand(id) || !number(id, 3) || !has_one_result(id)) return false;
        leaving_.push_back(id);
      } else if (bracket == "lazy_load_decompositions") {
        idle_.push_back(id);
      } else if (!bracket.empty()) {
        return false;
      } else if (uses_row(graph_.node(id))) {
        inner_.push_back(id);
        for (const ValueId v : graph_.node(id).outputs)
          if (v.valid()) rows_.insert(v.index);
      }
    }
    return true;
  }

  /// Everything that the map takes is there before the first result is used.
  [[nodiscard]] bool operands_stand_ready() const {
    if (leaving_.empty()) return true;
    const auto ready = [&](ValueId v) {
      const NodeId producer = graph_.value(v).producer;
      return !producer.valid() || rows_.contains(v.index) ||
             graph_.is_before(producer, leaving_.front());
    };
    bool all = true;
    for (const NodeId id : entering_) all &= ready(*operand(id));
    for (const NodeId id : inner_)
      for (const auto& argument : graph_.node(id).arguments)
        argument.value.for_each_value([&](ValueId v) { all &= !v.valid() || ready(v); });
    for (const NodeId id : leaving_) all &= ready(*operand(id));
    return all;
  }

  // --- the body ----------------------------------------------------------------------------------
  [[nodiscard]] GraphValue copy_of(ValueId v) const {
    GraphValue copy = graph_.value(v);
    copy.producer = {};
    copy.users.clear();
    return copy;
  }

  /// A row of the operand becomes an input of the body.
  void enter(NodeId id) {
    const ValueId row = graph_.node(id).outputs[0];
    sliced_.emplace_back(moved(*operand(id), *number(id, 1), 0, id));
    inside_[row.index] = body_->add_input(copy_of(row));
  }

  /// A value from outside becomes an input that is the same for every row.
  void capture(ValueId v) {
    if (!v.valid() || inside_.contains(v.index) || rows_.contains(v.index)) return;
    constant_.emplace_back(v);
    inside_[v.index] = body_->add_input(copy_of(v));
  }

  void copy_node(NodeId id) {
    const Node& from = graph_.node(id);
    Node node;
    node.name = from.name;
    node.target = from.target;
    node.arguments = from.arguments;
    node.result_lengths = from.result_lengths;
    node.metadata = from.metadata;
    for (auto& argument : node.arguments)
      argument.value.for_each_value([&](ValueId& v) {
        if (v.valid()) v = inside_.at(v.index);
      });
    for (const ValueId v : from.outputs) {
      node.outputs.push_back(v.valid() ? body_->add_value(copy_of(v)) : ValueId{});
      if (v.valid()) inside_[v.index] = node.outputs.back();
    }
    body_->add_node(std::move(node));
  }

  // --- the map -----------------------------------------------------------------------------------
  /// `tensor` with one dimension moved, by a new node before `before` if need be.
  [[nodiscard]] ValueId moved(ValueId tensor, std::int64_t from, std::int64_t to, NodeId before) {
    if (from == to) return tensor;
    Node node;
    node.name = graph_.unique_name("moved");
    node.target = "aten::movedim.int";
    node.arguments = {{"self", tensor}, {"source", Constant(from)}, {"destination", Constant(to)}};
    node.metadata = graph_.node(before).metadata;
    GraphValue out;
    out.name = node.name;
    const ValueId result = graph_.add_value(std::move(out));
    node.outputs.push_back(result);
    node.result_lengths.push_back(Node::single);
    graph_.add_node(std::move(node), before);
    return result;
  }

  void add_map() {
    std::vector<Argument> outputs;
    for (const NodeId id : leaving_) outputs.emplace_back(inside_.at(operand(id)->index));
    body_->set_outputs(std::move(outputs));
    Node node;
    node.name = graph_.unique_name("batch");
    node.target = "higher_order::map_impl";
    node.arguments = {{"", Subgraph{concat(node.name, "_body"), body_}},
                      {"", std::move(sliced_)},
                      {"", std::move(constant_)}};
    node.metadata = graph_.node(leaving_.front()).metadata;
    for (const NodeId id : leaving_) {
      const ValueId old = graph_.node(id).outputs[0];
      GraphValue stacked = copy_of(old);
      if (*number(id, 3) != 0) stacked.tensor.reset();
      node.outputs.push_back(graph_.add_value(std::move(stacked)));
      node.result_lengths.push_back(Node::single);
    }
    const auto results = node.outputs;
    graph_.add_node(std::move(node), leaving_.front());
    for (std::size_t i = 0; i < leaving_.size(); ++i) {
      const NodeId id = leaving_[i];
      graph_.replace_all_uses(graph_.node(id).outputs[0], moved(results[i], 0, *number(id, 3), id));
    }
  }

  [[nodiscard]] Status erase() {
    std::vector<NodeId> nodes = leaving_;
    nodes.insert(nodes.end(), inner_.rbegin(), inner_.rend());
    nodes.insert(nodes.end(), entering_.begin(), entering_.end());
    nodes.insert(nodes.end(), idle_.begin(), idle_.end());
    nodes.push_back(open_);
    nodes.push_back(close_);
    for (const NodeId id : nodes) TREADLE_CHECK(graph_.remove_node(id));
    return {};
  }

  GraphBody& graph_;
  NodeId open_, close_;
  std::shared_ptr<GraphBody> body_;
  std::vector<NodeId> entering_, inner_, leaving_, idle_;
  std::set<std::size_t> rows_;             ///< values that stand for one row
  std::map<std::size_t, ValueId> inside_;  ///< what values are called in the body
  Argument::List sliced_, constant_;
};

/// Dissolves the regions of one graph.
[[nodiscard]] inline Status inline_batches_of(GraphBody& graph, bool& changed) {
  std::vector<NodeId> open;
  NodeId next;
  for (NodeId id = graph.first(); id.valid(); id = next) {
    next = graph.node(id).next;
    const auto bracket = batch_bracket(graph.node(id));
    if (bracket == "_vmap_increment_nesting") open.push_back(id);
    if (bracket == "_vmap_decrement_nesting" && !open.empty()) {
      TREADLE_TRY(const bool done, BatchRegion(graph, open.back(), id).dissolve());
      changed |= done;
      open.pop_back();
    } else if (bracket == "lazy_load_decompositions" && open.empty()) {
      TREADLE_CHECK(graph.remove_node(id));
      changed = true;
    }
  }
  return {};
}

}  // namespace detail

TREADLE_INLINE Result<bool> inline_batches(GraphBody& graph) {
  bool changed = false;
  TREADLE_CHECK(detail::for_each_graph(
      graph, [&](GraphBody& body) { return detail::inline_batches_of(body, changed); }));
  return changed;
}

}  // namespace treadle::inline v0
