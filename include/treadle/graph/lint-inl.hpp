// Definitions of the checks of graphs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/graph/lint.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Checks one graph; subgraphs by linters of their own.
class GraphLinter {
 public:
  GraphLinter(const GraphBody& graph, std::vector<Error>& out, std::string where)
      : graph_(graph), out_(out), where_(std::move(where)) {}

  void run() {
    walk_nodes();
    defined_.resize(graph_.value_capacity());
    users_.resize(graph_.value_capacity());
    check_inputs();
    for (const NodeId id : order_) check_node(id);
    check_outputs();
    for (std::size_t i = 0; i < graph_.value_capacity(); ++i) check_value(ValueId(i));
  }

 private:
  template <class... Pieces>
  void report(const Pieces&... pieces) {
    out_.emplace_back(ErrorCode::invalid_graph, concat(where_, pieces...));
  }

  [[nodiscard]] std::string describe(NodeId id) const {
    const Node& node = graph_.node(id);
    return concat("node ", id.index, " '", node.name, "' (", node.target, ')');
  }
  [[nodiscard]] std::string describe(ValueId id) const {
    return concat("value '%", graph_.value(id).name, '\'');
  }
  [[nodiscard]] bool in_range(ValueId id) const { return id.index < graph_.value_capacity(); }

  /// Follows the links, which may be broken or go round.
  void walk_nodes() {
    NodeId previous;
    for (NodeId id = graph_.first(); id.valid(); id = graph_.node(id).next) {
      if (id.index >= graph_.node_capacity())
        return report("a link leads to node ", id.index, ", which does not exist");
      if (order_.size() == graph_.node_capacity())
        return report("the links of the nodes go round in a circle");
      const Node& node = graph_.node(id);
      if (node.erased) report(describe(id), " is erased but still linked");
      if (node.previous != previous)
        report(describe(id), " does not link back to the node before it");
      if (previous.valid() && !graph_.is_before(previous, id))
        report(describe(id), " has no greater order number than the node before it");
      order_.push_back(id);
      previous = id;
    }
    if (graph_.last() != previous) report("the last node is not the end of the links");
    if (order_.size() != graph_.node_count())
      report("the links hold ", order_.size(), " nodes, the graph counts ", graph_.node_count());
  }

  void check_inputs() {
    for (const ValueId id : graph_.inputs()) {
      if (!id.valid()) continue;
      if (!in_range(id)) {
        report("graph input ", id.index, " does not exist");
        continue;
      }
      const GraphValue& value = graph_.value(id);
      if (value.erased) report(describe(id), " is an erased graph input");
      if (value.producer.valid()) report(describe(id), " is a graph input and has a producer");
      if (defined_[id.index]) report(describe(id), " is a graph input twice");
      defined_[id.index] = true;
    }
  }

  /// True if a use of the value is sound; `user` tells who uses it.
  bool check_use(ValueId id, const std::string& user) {
    if (!id.valid())
      report(user, " uses a value that is not there");
    else if (!in_range(id))
      report(user, " uses value ", id.index, ", which does not exist");
    else if (graph_.value(id).erased)
      report(user, " uses the erased ", describe(id));
    else if (!defined_[id.index])
      report(user, " uses ", describe(id), " before its definition");
    else
      return true;
    return false;
  }

  void check_node(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.target.empty()) report(describe(id), " has no operator");
    if (!node.name.empty() && !node_names_.insert(node.name).second)
      report(describe(id), " has the name of another node");
    for (const auto& argument : node.arguments) {
      argument.value.for_each_value([&](ValueId used) {
        check_use(used, describe(id));
        if (!used.valid() || !in_range(used)) return;
        auto& users = users_[used.index];
        if (users.empty() || users.back() != id) users.push_back(id);
      });
      check_subgraphs(argument.value, id);
    }
    check_results(id);
  }

  void check_subgraphs(const Argument& argument, NodeId id) {
    if (const auto* sub = argument.subgraph()) {
      if (!sub->body) return report(describe(id), " has a subgraph that is null");
      GraphLinter(*sub->body, out_, concat(where_, describe(id), ": graph '", sub->name, "': "))
          .run();
    }
    if (const auto* items = argument.list())
      for (const auto& item : *items) check_subgraphs(item, id);
    if (const auto* items = argument.dict())
      for (const auto& item : *items) check_subgraphs(item.second, id);
  }

  void check_results(NodeId id) {
    const Node& node = graph_.node(id);
    std::int64_t count = 0;
    for (const std::int32_t length : node.result_lengths) {
      if (length < Node::single) report(describe(id), " has a result of the length ", length);
      count += length == Node::single ? 1 : length;
    }
    if (count != static_cast<std::int64_t>(node.outputs.size()))
      report(describe(id), " has ", node.outputs.size(), " outputs, its results need ", count);
    for (const ValueId out : node.outputs) {
      if (!out.valid()) continue;
      if (!in_range(out)) {
        report(describe(id), " makes value ", out.index, ", which does not exist");
        continue;
      }
      const GraphValue& value = graph_.value(out);
      if (value.erased) report(describe(id), " makes the erased ", describe(out));
      if (value.producer != id)
        report(describe(out), " does not name ", describe(id), " as its producer");
      if (defined_[out.index])
        report(describe(id), " makes ", describe(out), ", which is defined already");
      defined_[out.index] = true;
    }
  }

  void check_outputs() {
    std::size_t i = 0;
    for (const auto& output : graph_.outputs()) {
      output.for_each_value([&](ValueId id) { check_use(id, concat("graph output ", i)); });
      if (output.subgraph()) report("graph output ", i, " is a graph");
      ++i;
    }
  }

  void check_value(ValueId id) {
    const GraphValue& value = graph_.value(id);
    if (value.erased) return;
    if (value.name.empty()) report("value ", id.index, " has no name");
    if (!value_names_.insert(value.name).second)
      report(describe(id), " has the name of another value");
    else if (graph_.find_value(value.name) != id)
      report(describe(id), " is not found by its name");
    if (value.producer.valid() &&
        (value.producer.index >= graph_.node_capacity() || graph_.node(value.producer).erased))
      report(describe(id), " has a producer that is erased or does not exist");
    else if (value.producer.valid() && !defined_[id.index])
      report(describe(id), " is no output of its producer");
    check_users(id);
    check_type(id);
  }

  void check_users(ValueId id) {
    std::vector<NodeId> told = graph_.value(id).users;
    std::vector<NodeId>& found = users_[id.index];
    std::sort(told.begin(), told.end());
    std::sort(found.begin(), found.end());
    if (std::adjacent_find(told.begin(), told.end()) != told.end())
      report(describe(id), " lists a user twice");
    told.erase(std::unique(told.begin(), told.end()), told.end());
    for (const NodeId user : found)
      if (!std::binary_search(told.begin(), told.end(), user))
        report(describe(id), " does not list its user ", describe(user));
    for (const NodeId user : told)
      if (!std::binary_search(found.begin(), found.end(), user))
        report(describe(id), " lists node ", user.index, " as a user, which does not use it");
  }

  void check_type(ValueId id) {
    const GraphValue& value = graph_.value(id);
    const bool symbolic = value.kind == ValueKind::sym_int || value.kind == ValueKind::sym_float ||
                          value.kind == ValueKind::sym_bool;
    if (value.tensor && value.kind != ValueKind::tensor && value.kind != ValueKind::token)
      report(describe(id), " is a ", name(value.kind), " and has a tensor type");
    if (value.symbolic && !symbolic)
      report(describe(id), " is a ", name(value.kind), " and has an expression");
    if (!value.tensor) return;
    const TensorType& type = *value.tensor;
    if (type.layout == Layout::strided && type.sizes.size() != type.strides.size())
      report(describe(id), " has ", type.sizes.size(), " sizes and ", type.strides.size(),
             " strides");
    for (const auto& size : type.sizes)
      if (size.known() && *size.value() < 0)
        report(describe(id), " has the negative size ", *size.value());
  }

  const GraphBody& graph_;
  std::vector<Error>& out_;
  std::string where_;
  std::vector<NodeId> order_;
  std::vector<char> defined_;               ///< by value: seen as an input or result so far
  std::vector<std::vector<NodeId>> users_;  ///< by value, as found in arguments
  std::unordered_set<std::string_view> node_names_;
  std::unordered_set<std::string_view> value_names_;
};

/// Checks a signature against its graph.
class SignatureLinter {
 public:
  SignatureLinter(const GraphModule& module, std::vector<Error>& out)
      : module_(module), out_(out) {}

  void run() {
    const auto& signature = module_.signature;
    if (signature.inputs.size() != module_.graph.inputs().size())
      report("the signature has ", signature.inputs.size(), " inputs, the graph ",
             module_.graph.inputs().size());
    else
      for (std::size_t i = 0; i < signature.inputs.size(); ++i) check_input(i);
    if (signature.outputs.size() != module_.graph.outputs().size())
      report("the signature has ", signature.outputs.size(), " outputs, the graph ",
             module_.graph.outputs().size());
    else
      for (std::size_t i = 0; i < signature.outputs.size(); ++i) check_output(i);
    check_trees();
    for (const auto& [symbol, range] : module_.ranges)
      if (range.minimum && range.maximum && *range.minimum > *range.maximum)
        report("the range of '", symbol, "' is empty");
  }

 private:
  template <class... Pieces>
  void report(const Pieces&... pieces) {
    out_.emplace_back(ErrorCode::invalid_graph, concat(pieces...));
  }

  void check_input(std::size_t i) {
    const InputSpec& spec = module_.signature.inputs[i];
    const ValueId id = module_.graph.inputs()[i];
    const std::string who = concat("input ", i, " '", spec.name, "' (", name(spec.kind), ')');
    if (spec.kind == InputKind::constant_input) {
      if (id.valid()) report(who, " stands for the value '%", module_.graph.value(id).name, '\'');
      return;
    }
    if (!id.valid()) return report(who, " has no graph value");
    if (id.index >= module_.graph.value_capacity()) return;
    if (module_.graph.value(id).name != spec.name)
      report(who, " stands for the value '%", module_.graph.value(id).name, '\'');
    const bool named = spec.kind != InputKind::user_input && spec.kind != InputKind::token;
    if (named && spec.target.empty()) report(who, " has no target");
  }

  void check_output(std::size_t i) {
    const OutputSpec& spec = module_.signature.outputs[i];
    const std::string who = concat("output ", i, " (", name(spec.kind), ')');
    const bool plain = spec.kind == OutputKind::user_output ||
                       spec.kind == OutputKind::loss_output || spec.kind == OutputKind::token;
    if (plain) return;
    if (!module_.graph.outputs()[i].value()) report(who, " is no value of the graph");
    const InputKind wanted = spec.kind == OutputKind::buffer_mutation ? InputKind::buffer
                             : spec.kind == OutputKind::parameter_mutation ||
                                     spec.kind == OutputKind::gradient_to_parameter
                                 ? InputKind::parameter
                                 : InputKind::user_input;
    for (const auto& input : module_.signature.inputs)
      if (input.kind == wanted &&
          (wanted == InputKind::user_input ? input.name : input.target) == spec.target)
        return;
    report(who, " writes '", spec.target, "', which is no ", name(wanted), " of the program");
  }

  void check_trees() {
    const auto& signature = module_.signature;
    const auto inputs =
        std::count_if(signature.inputs.begin(), signature.inputs.end(), [](const InputSpec& spec) {
          return spec.kind == InputKind::user_input || spec.kind == InputKind::constant_input;
        });
    const auto outputs = std::count_if(
        signature.outputs.begin(), signature.outputs.end(), [](const OutputSpec& spec) {
          return spec.kind == OutputKind::user_output || spec.kind == OutputKind::loss_output;
        });
    if (leaf_count(signature.in_spec) != static_cast<std::size_t>(inputs))
      report("the tree of inputs has ", leaf_count(signature.in_spec), " leaves, the signature ",
             inputs, " user inputs");
    if (leaf_count(signature.out_spec) != static_cast<std::size_t>(outputs))
      report("the tree of outputs has ", leaf_count(signature.out_spec), " leaves, the signature ",
             outputs, " user outputs");
  }

  const GraphModule& module_;
  std::vector<Error>& out_;
};

}  // namespace detail

TREADLE_INLINE std::vector<Error> lint(const GraphBody& graph) {
  std::vector<Error> out;
  detail::GraphLinter(graph, out, {}).run();
  return out;
}

TREADLE_INLINE std::vector<Error> lint(const GraphModule& module) {
  std::vector<Error> out = lint(module.graph);
  detail::SignatureLinter(module, out).run();
  return out;
}

TREADLE_INLINE Status verify(const GraphBody& graph) {
  auto found = lint(graph);
  if (found.empty()) return {};
  return std::move(found.front());
}

TREADLE_INLINE Status verify(const GraphModule& module) {
  auto found = lint(module);
  if (found.empty()) return {};
  return std::move(found.front());
}

}  // namespace treadle::inline v0
