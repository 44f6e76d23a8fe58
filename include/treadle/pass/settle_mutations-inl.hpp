// Definitions of the settling of mutations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/graph/mutated_input.hpp>
#include <treadle/ops/schema.hpp>
#include <treadle/pass/settle_mutations.hpp>

namespace treadle::inline v0 {
namespace detail {

class MutationSettler {
 public:
  MutationSettler(GraphModule& module, const OpSet& ops)
      : module_(module), graph_(module.graph), ops_(ops), outputs_(module.graph.outputs()) {}

  bool run() {
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (const ValueId target = mutated_input(module_, i); target.valid()) {
        const auto* source = outputs_[i].value();
        if (source && source->valid()) mutations_.push_back({i, *source, target});
      }
    bool changed = false;
    for (const Mutation& mutation : mutations_) {
      if (mutation.source == mutation.target || !needs_copy(mutation)) continue;
      copy(mutation);
      changed = true;
    }
    if (changed) graph_.set_outputs(std::move(outputs_));
    return changed;
  }

 private:
  struct Mutation {
    std::size_t output = 0;
    ValueId source, target;
  };

  bool needs_copy(const Mutation& mutation) {
    const auto& from = graph_.value(mutation.source).tensor;
    const auto& to = graph_.value(mutation.target).tensor;
    if (from && to && (from->dtype != to->dtype || !(from->sizes == to->sizes))) return true;
    seen_.assign(graph_.value_capacity(), false);
    return shows_written_input(mutation.source);
  }

  /// Weights count as written: they may share a storage with one that is.
  bool shows_written_input(ValueId v) {
    if (!v.valid() || seen_[v.index]) return false;
    seen_[v.index] = true;
    const NodeId producer = graph_.value(v).producer;
    if (!producer.valid()) return !is_user_input(v) || is_target(v);
    const Node& node = graph_.node(producer);
    if (!may_show_arguments(node)) return false;
    bool shows = false;
    for (const auto& argument : node.arguments)
      argument.value.for_each_value([&](ValueId x) { shows = shows || shows_written_input(x); });
    return shows;
  }

  bool may_show_arguments(const Node& node) const {
    const OpDef* definition = ops_.find(node.target);
    if (!definition || definition->traits.may_alias) return true;
    const Schema schema = parse_schema(definition->schema);
    for (std::size_t i = 0; i < schema.result_count; ++i)
      if (schema.results[i].alias_set != 0) return true;
    return false;
  }

  bool is_user_input(ValueId v) const {
    const auto at = std::find(graph_.inputs().begin(), graph_.inputs().end(), v);
    const auto i = static_cast<std::size_t>(at - graph_.inputs().begin());
    return i < module_.signature.inputs.size() &&
           module_.signature.inputs[i].kind == InputKind::user_input;
  }
  bool is_target(ValueId v) const {
    return std::any_of(mutations_.begin(), mutations_.end(),
                       [&](const Mutation& mutation) { return mutation.target == v; });
  }

  void copy(const Mutation& mutation) {
    GraphValue made;
    made.name = concat(graph_.value(mutation.target).name, "_written");
    made.tensor = graph_.value(mutation.target).tensor;
    const ValueId out = graph_.add_value(std::move(made));
    Node node;
    node.name = graph_.value(out).name;
    node.target = "aten::copy";
    node.arguments = {{"self", mutation.target}, {"src", mutation.source}};
    node.outputs.push_back(out);
    node.result_lengths.push_back(Node::single);
    graph_.add_node(std::move(node));
    outputs_[mutation.output] = out;
    const auto& specs = module_.signature.outputs;
    for (std::size_t i = 0; i < outputs_.size() && i < specs.size(); ++i) {
      const auto* output = outputs_[i].value();
      const bool to_user =
          specs[i].kind == OutputKind::user_output || specs[i].kind == OutputKind::loss_output;
      if (to_user && output && *output == mutation.source) outputs_[i] = out;
    }
  }

  GraphModule& module_;
  GraphBody& graph_;
  const OpSet& ops_;
  std::vector<Argument> outputs_;
  std::vector<Mutation> mutations_;
  std::vector<bool> seen_;
};

}  // namespace detail

TREADLE_INLINE bool settle_mutations(GraphModule& module, const OpSet& ops) {
  return detail::MutationSettler(module, ops).run();
}

}  // namespace treadle::inline v0
