// Tells tracers of a program: room for its nodes, names for a trace file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/analysis/source.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/exec/plan.hpp>
#include <treadle/trace/chrome_trace.hpp>
#include <treadle/trace/recorder.hpp>

namespace treadle::inline v0 {

/// `GraphBody::node_capacity` of each graph of the program, by graph id: what `NodeTimes::reset`
/// takes.
[[nodiscard]] inline std::vector<std::size_t> node_capacities(const BoundProgram& program) {
  std::vector<std::size_t> capacities;
  for (const auto* graph : graphs_of(program)) capacities.push_back(graph->graph->node_capacity());
  return capacities;
}

namespace detail {

/// `float32[2, 3]`: as planned, else as the program states it, with sizes as expressions.
[[nodiscard]] inline std::string type_of_value(const BoundGraph& graph, ValueId v,
                                               const Specialization* known) {
  if (known && known->values[v.index].meta) return to_string(*known->values[v.index].meta);
  const auto& value = graph.graph->value(v);
  if (!value.tensor) return std::string(name(value.kind));
  std::string sizes;
  for (const auto& size : value.tensor->sizes)
    sizes += concat(sizes.empty() ? "" : ", ", to_string(size));
  return concat(name(value.tensor->dtype), '[', sizes, ']');
}

/// What a trace file says of a node; `known` is the plan's knowledge of this graph, if it has any.
[[nodiscard]] inline TraceLabel trace_label(const BoundGraph& graph, NodeId id,
                                            const Specialization* known) {
  const Node& node = graph.graph->node(id);
  TraceLabel label{node.name, node.target, {}, {}, source_line(node)};
  const auto add = [&](std::string& list, ValueId v) {
    if (!v.valid()) return;
    list += concat(list.empty() ? "" : ", ", graph.graph->value(v).name, ' ',
                   type_of_value(graph, v, known));
  };
  for (const auto& argument : node.arguments)
    argument.value.for_each_value([&](ValueId v) { add(label.inputs, v); });
  for (const ValueId v : node.outputs) add(label.outputs, v);
  return label;
}

}  // namespace detail

/// The record as a file for chrome://tracing and ui.perfetto.dev, with names, shapes and source
/// lines of the program that `plan` runs. Shapes in subgraphs are as the program states them.
template <TensorBackend Backend>
[[nodiscard]] std::string chrome_trace(const Recorder& recorder, const ExecutionPlan<Backend>& plan,
                                       std::string_view program = "treadle") {
  const auto graphs = graphs_of(plan.executable->program());
  return chrome_trace(recorder, program, [&](NodeId node, GraphId graph) {
    const bool outermost = graphs[graph.index] == plan.graph;
    return detail::trace_label(*graphs[graph.index], node, outermost ? &plan.known : nullptr);
  });
}

}  // namespace treadle::inline v0
