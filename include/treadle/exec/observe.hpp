// What an observer sees of a node in a run: its operator, its inputs, its outputs.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <treadle/analysis/source.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0 {

/// A node of a run in progress. For the call that it is passed to; tensors that are to be kept must
/// be copied, since their memory serves other values later.
template <TensorBackend Backend>
class RunningNode {
 public:
  using Tensor = typename Backend::Tensor;

  RunningNode(Frame<Backend>& frame, NodeId node) : frame_(frame), node_(node) {}

  [[nodiscard]] const GraphBody& graph() const noexcept { return *frame_.plan().graph->graph; }
  [[nodiscard]] const Node& node() const noexcept { return graph().node(node_); }
  /// Which node, in which graph, in which run.
  [[nodiscard]] NodeRun at() const noexcept { return {node_, frame_.plan().graph->id, &frame_}; }
  [[nodiscard]] const ExecutionPlan<Backend>& plan() const noexcept { return frame_.plan(); }
  [[nodiscard]] Backend& backend() const noexcept { return frame_.backend(); }
  [[nodiscard]] bool is_control() const noexcept {
    return frame_.plan().graph->site(node_).kind == SiteKind::control;
  }

  /// The tensor of a value of this graph, or null if it is a number, or nothing that is computed.
  [[nodiscard]] const Tensor* tensor(ValueId v) const noexcept {
    if (!v.valid() || frame_.number_of(v)) return nullptr;
    const NodeId producer = graph().value(v).producer;
    if (producer.valid() && frame_.plan().known.actions[producer.index] == Action::skip)
      return nullptr;
    const bool known = frame_.plan().known.values[v.index].meta.has_value();
    return known || graph().value(v).tensor ? &frame_.tensor(v) : nullptr;
  }
  [[nodiscard]] std::optional<Number> number(ValueId v) const noexcept {
    return v.valid() ? frame_.number_of(v) : std::nullopt;
  }
  /// The values among the node's arguments, each once.
  [[nodiscard]] std::vector<ValueId> inputs() const {
    std::vector<ValueId> values;
    for (const auto& argument : node().arguments)
      argument.value.for_each_value([&](ValueId v) {
        for (const ValueId other : values)
          if (other == v) return;
        if (v.valid()) values.push_back(v);
      });
    return values;
  }

 private:
  Frame<Backend>& frame_;
  NodeId node_;
};

/// A tracer that looks at a node's inputs just before it runs. An error stops the run.
template <class T, class Backend>
concept InputObserver = requires(T& tracer, const RunningNode<Backend>& node) {
  { tracer.on_inputs(node) } -> std::same_as<Status>;
};

/// A tracer that looks at a node's outputs right after it ran; an error stops the run. Under a
/// serial scheduler it sees every node of the program: those that need no step, such as views and
/// numbers known before the run, when all nodes before them are done. Under others it sees the
/// nodes that run. Calls may come from several threads at once.
template <class T, class Backend>
concept OutputObserver = requires(T& tracer, const RunningNode<Backend>& node) {
  { tracer.on_outputs(node) } -> std::same_as<Status>;
};

namespace detail {

/// Walks over a graph beside its steps and finds the nodes that have none.
template <TensorBackend Backend>
class StepGaps {
 public:
  explicit StepGaps(const ExecutionPlan<Backend>& plan)
      : graph_(*plan.graph->graph), at_(graph_.first()), state_(graph_.node_capacity()) {
    for (const auto& step : plan.steps) state_[step.node.index] = State::waiting;
  }

  /// Notes that a step is done.
  void done(NodeId node) { state_[node.index] = State::done; }
  /// The next node without a step, if all nodes before it are done; else an invalid id.
  NodeId next() {
    while (at_.valid() && state_[at_.index] == State::done) at_ = graph_.node(at_).next;
    if (!at_.valid() || state_[at_.index] == State::waiting) return {};
    const NodeId found = at_;
    at_ = graph_.node(at_).next;
    return found;
  }

 private:
  enum class State : unsigned char { no_step, waiting, done };

  const GraphBody& graph_;
  NodeId at_;
  std::vector<State> state_;
};

}  // namespace detail
}  // namespace treadle::inline v0
