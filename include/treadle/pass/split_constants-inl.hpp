// Definitions of the split into constant and other computation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/analysis/numbers.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/graph/mutated_input.hpp>
#include <treadle/pass/purity.hpp>
#include <treadle/pass/rewrite.hpp>
#include <treadle/pass/split_constants.hpp>

namespace treadle::inline v0 {
namespace detail {

class ConstantSplitter {
 public:
  ConstantSplitter(GraphModule& module, const OpSet& ops, std::vector<InputFacts> inputs,
                   std::size_t largest)
      : module_(module),
        graph_(module.graph),
        ops_(ops),
        purity_(ops),
        inputs_(std::move(inputs)),
        largest_(largest) {}

  Result<std::optional<ConstantPart>> run() {
    std::optional<ConstantPart> nothing;
    if (!has_candidate()) return nothing;
    std::vector<Error> problems;
    program_ = bind_calls(graph_, ops_, problems);
    if (!problems.empty()) return nothing;  // whoever binds the program reports them
    auto known = specialize(program_, program_.root, inputs_, {});
    if (!known) return nothing;
    known_ = *std::move(known);
    mark_constants();
    mark_needed();
    if (frontier_.empty()) return nothing;
    ConstantPart part;
    build(part);
    TREADLE_CHECK(replace(part));
    list_unused(part);
    return std::optional<ConstantPart>(std::move(part));
  }

 private:
  using Marks = std::vector<bool>;

  static bool marked(const Marks& marks, ValueId v) { return v.valid() && marks[v.index]; }

  /// A cheap look at names, which settles it for most programs.
  bool has_candidate() {
    Marks constant(graph_.value_capacity(), false);
    mark_weights(constant);
    for (const NodeId id : graph_.nodes()) {
      const Node& node = graph_.node(id);
      bool all = !std::string_view(node.target).starts_with("higher_order::");
      for (const auto& argument : node.arguments)
        argument.value.for_each_value([&](ValueId v) { all = all && marked(constant, v); });
      if (!all || !purity_.is_pure(node)) continue;
      if (!only_views(node)) return true;
      for (const ValueId out : node.outputs)
        if (out.valid()) constant[out.index] = true;
    }
    return false;
  }

  bool only_views(const Node& node) const {
    const OpDef* definition = ops_.find(node.target);
    if (!definition) return true;
    const Schema schema = parse_schema(definition->schema);
    bool views = true;
    for (std::size_t i = 0; i < schema.result_count; ++i)
      views = views && schema.results[i].alias_set != 0;
    return views;
  }

  void mark_weights(Marks& constant) const {
    for (std::size_t i = 0; i < graph_.inputs().size(); ++i)
      if (const ValueId v = graph_.inputs()[i]; v.valid() && inputs_[i].is_weight)
        constant[v.index] = true;
  }

  // --- what is constant --------------------------------------------------------------------------
  /// Alias classes that a node or the signature writes.
  Marks written_classes() const {
    Marks written(graph_.value_capacity(), false);
    for (const auto& [node, values] : known_.writes)
      for (const ValueId v : values)
        if (v.valid()) written[known_.alias_class(v).index] = true;
    for (std::size_t i = 0; i < graph_.outputs().size(); ++i)
      if (const ValueId v = mutated_input(module_, i); v.valid())
        written[known_.alias_class(v).index] = true;
    return written;
  }

  void mark_constants() {
    constant_.assign(graph_.value_capacity(), false);
    constant_nodes_.assign(graph_.node_capacity(), false);
    const Marks written = written_classes();
    mark_weights(constant_);
    for (std::size_t i = 0; i < constant_.size(); ++i)
      if (constant_[i] && written[known_.alias_class(ValueId(i)).index]) constant_[i] = false;
    for (const NodeId id : graph_.nodes()) {
      if (!is_constant(id, written)) continue;
      constant_nodes_[id.index] = true;
      for (const ValueId out : graph_.node(id).outputs)
        if (out.valid()) constant_[out.index] = true;
    }
  }

  bool is_constant(NodeId id, const Marks& written) {
    const Node& node = graph_.node(id);
    const Action action = known_.actions[id.index];
    if (program_.root.site(id).kind != SiteKind::op) return false;
    if (action != Action::kernel && action != Action::view) return false;
    if (!purity_.is_pure(node)) return false;
    bool constant = true;
    std::size_t read = 0, made = 0;
    for (const auto& argument : node.arguments)
      argument.value.for_each_value([&](ValueId v) {
        constant = constant && (marked(constant_, v) || known_.facts(v).number.has_value());
        if (v.valid() && known_.facts(v).meta) read += bytes_of(v);
      });
    for (const ValueId out : node.outputs) {
      constant = constant && out.valid() && known_.facts(out).meta &&
                 !written[known_.alias_class(out).index];
      if (constant) made += bytes_of(out);
    }
    return constant && (action == Action::view || made <= std::max(largest_, read));
  }

  std::size_t bytes_of(ValueId v) const { return storage_bytes(*known_.facts(v).meta).value_or(0); }

  bool is_kernel(NodeId id) const { return known_.actions[id.index] == Action::kernel; }

  /// Finds what the rest needs: walks back through views, and stops at what kernels make.
  void mark_needed() {
    needed_.assign(graph_.value_capacity(), false);
    const auto need = [&](ValueId v) {
      if (v.valid()) needed_[v.index] = true;
    };
    for (const auto& output : graph_.outputs()) output.for_each_value(need);
    for (NodeId id = graph_.last(); id.valid(); id = graph_.node(id).previous) {
      const Node& node = graph_.node(id);
      bool used = !constant_nodes_[id.index];
      for (const ValueId out : node.outputs) used = used || marked(needed_, out);
      if (!used) continue;
      if (constant_nodes_[id.index] && is_kernel(id)) {
        for (const ValueId out : node.outputs)
          if (marked(needed_, out)) frontier_.push_back(out);
      } else {
        for (const auto& argument : node.arguments) argument.value.for_each_value(need);
      }
    }
    std::reverse(frontier_.begin(), frontier_.end());
  }

  // --- the constant part -------------------------------------------------------------------------
  void build(ConstantPart& part) {
    Marks wanted(graph_.value_capacity(), false);
    for (const ValueId v : frontier_) wanted[v.index] = true;
    std::vector<NodeId> nodes;
    for (NodeId id = graph_.last(); id.valid(); id = graph_.node(id).previous) {
      const Node& node = graph_.node(id);
      if (!constant_nodes_[id.index]) continue;
      if (std::none_of(node.outputs.begin(), node.outputs.end(),
                       [&](ValueId out) { return marked(wanted, out); }))
        continue;
      nodes.push_back(id);
      for (const auto& argument : node.arguments)
        argument.value.for_each_value([&](ValueId v) {
          if (v.valid()) wanted[v.index] = true;
        });
    }
    part.module.name = concat(module_.name, "_constants");
    part.module.opset_version = module_.opset_version;
    std::map<std::size_t, ValueId> copies;
    copy_inputs(part, wanted, copies);
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) copy_node(part, *id, copies);
    std::vector<Argument> outputs;
    for (const ValueId v : frontier_) {
      outputs.emplace_back(copies.at(v.index));
      part.module.signature.outputs.push_back({OutputKind::user_output, {}});
    }
    part.module.graph.set_outputs(std::move(outputs));
  }

  void copy_inputs(ConstantPart& part, const Marks& wanted,
                   std::map<std::size_t, ValueId>& copies) {
    for (std::size_t i = 0; i < graph_.inputs().size(); ++i) {
      const ValueId v = graph_.inputs()[i];
      if (!marked(wanted, v) || !inputs_[i].is_weight) continue;
      copies.emplace(v.index, part.module.graph.add_input(fresh(graph_.value(v))));
      part.module.signature.inputs.push_back(module_.signature.inputs[i]);
    }
  }

  static GraphValue fresh(const GraphValue& value) {
    GraphValue copy = value;
    copy.producer = {};
    copy.users.clear();
    return copy;
  }

  void copy_node(ConstantPart& part, NodeId id, std::map<std::size_t, ValueId>& copies) {
    const Node& from = graph_.node(id);
    Node node;
    node.name = from.name;
    node.target = from.target;
    node.result_lengths = from.result_lengths;
    node.metadata = from.metadata;
    for (const auto& argument : from.arguments) {
      NamedArgument copy = argument;
      std::vector<ValueId> numbers;
      copy.value.for_each_value([&](ValueId& v) {
        if (const auto found = copies.find(v.index); v.valid() && found != copies.end())
          v = found->second;
        else if (v.valid())
          numbers.push_back(v);
      });
      for (const ValueId v : numbers)
        copy.value = with_replaced(copy.value, v, to_constant(*known_.facts(v).number));
      node.arguments.push_back(std::move(copy));
    }
    for (const ValueId out : from.outputs) {
      const ValueId copy = part.module.graph.add_value(fresh(graph_.value(out)));
      copies.emplace(out.index, copy);
      node.outputs.push_back(copy);
    }
    part.module.graph.add_node(std::move(node));
  }

  // --- the rest ----------------------------------------------------------------------------------
  Status replace(ConstantPart& part) {
    for (const ValueId v : frontier_) {
      GraphValue input = fresh(graph_.value(v));
      InputSpec spec;
      spec.kind = InputKind::tensor_constant;
      spec.target = concat("folded::", input.name);
      input.name = graph_.unique_name(concat("folded_", input.name));
      spec.name = input.name;
      part.names.push_back(spec.target);
      graph_.replace_all_uses(v, graph_.add_input(std::move(input)));
      module_.signature.inputs.push_back(std::move(spec));
    }
    NodeId previous;
    for (NodeId id = graph_.last(); id.valid(); id = previous) {
      previous = graph_.node(id).previous;
      if (!constant_nodes_[id.index]) continue;
      const auto& outputs = graph_.node(id).outputs;
      if (std::none_of(outputs.begin(), outputs.end(),
                       [&](ValueId out) { return graph_.is_used(out); }))
        TREADLE_CHECK(graph_.remove_node(id));
    }
    return {};
  }

  void list_unused(ConstantPart& part) const {
    std::map<std::string_view, bool> used;
    const auto& specs = module_.signature.inputs;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (inputs_[i].is_weight && graph_.inputs()[i].valid())
        used[specs[i].target] |= graph_.is_used(graph_.inputs()[i]);
    for (const auto& spec : part.module.signature.inputs)
      if (!used[spec.target]) part.unused.push_back(spec.target);
  }

  GraphModule& module_;
  GraphBody& graph_;
  const OpSet& ops_;
  PurityCheck purity_;
  std::vector<InputFacts> inputs_;
  std::size_t largest_;
  BoundProgram program_;
  Specialization known_;
  Marks constant_;        ///< by value
  Marks constant_nodes_;  ///< by node
  Marks needed_;          ///< by value: the rest reads it
  std::vector<ValueId> frontier_;
};

}  // namespace detail

TREADLE_INLINE Result<std::optional<ConstantPart>> split_constants(GraphModule& module,
                                                                   const OpSet& ops,
                                                                   std::vector<InputFacts> inputs,
                                                                   std::size_t largest) {
  return detail::ConstantSplitter(module, ops, std::move(inputs), largest).run();
}

}  // namespace treadle::inline v0
