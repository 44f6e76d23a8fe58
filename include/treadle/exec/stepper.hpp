// Runs a session one node at a time, for debugging.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/analysis/source.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/observe.hpp>
#include <treadle/exec/run.hpp>
#include <treadle/exec/session.hpp>
#include <treadle/exec/take_outputs.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// Walks through a run of a session on the calling thread, in program order, whatever the session's
/// scheduler. Stops before each node that runs; views and numbers known beforehand have none. A
/// control node is one step. The session must outlive it and may not run meanwhile; weights that
/// are swapped meanwhile take effect in the session's next run.
template <TensorBackend Backend>
class Stepper {
 public:
  using Tensor = typename Backend::Tensor;

  template <AnyScheduler S, Tracer T>
  explicit Stepper(Session<Backend, S, T>& session)
      : frame_(session.frame()), context_(frame_.backend(), {}, session.state().random()) {
    find_lifetimes();
  }

  /// The node that runs next, or null at the end of the run.
  [[nodiscard]] const Node* current() const noexcept {
    return at_end() ? nullptr : &graph().node(steps()[position_].node);
  }
  [[nodiscard]] bool at_end() const noexcept { return position_ == steps().size(); }
  /// Nodes that have run, of `step_count`.
  [[nodiscard]] std::size_t position() const noexcept { return position_; }
  [[nodiscard]] std::size_t step_count() const noexcept { return steps().size(); }

  /// Runs the current node. After the last one, mutations are written back as `Session::run` does.
  /// Does nothing at the end. An error names the node; it stays current.
  Status next() {
    if (at_end()) return {};
    const auto& step = steps()[position_];
    NoTracer nobody;
    if (auto status = detail::run_step(step, frame_, context_, nobody); !status)
      return detail::at_node(std::move(status).error(), frame_, step.node);
    ++position_;
    return at_end() ? detail::write_back(frame_) : Status{};
  }

  /// Runs until the node of this name is current. An error if no step that is to come has it.
  Status run_to(std::string_view node) {
    std::size_t target = position_;
    while (target < step_count() && graph().node(steps()[target].node).name != node) ++target;
    if (target == step_count()) return no_such_step(node);
    while (position_ < target) TREADLE_CHECK(next());
    return {};
  }
  /// Runs the rest.
  Status run_to_end() {
    while (!at_end()) TREADLE_CHECK(next());
    return {};
  }
  /// Begins anew on the inputs as they are now; what the program remembers goes on.
  void restart() noexcept { position_ = 0; }

  /// A value of the program as it is now. A tensor shows the run's own memory. An error if the
  /// value is not computed yet, or its memory may hold another one by now.
  [[nodiscard]] Result<Value<Backend>> value(std::string_view name) {
    const ValueId v = graph().find_value(name);
    if (!v.valid())
      return Error(ErrorCode::not_found, concat("the program has no value '", name, "'"));
    if (const NodeId producer = pending_producer(v); producer.valid())
      return Error(ErrorCode::not_found, concat("'", name, "' is not computed yet: it takes ",
                                                describe(graph().node(producer))));
    if (const auto number = frame_.number_of(v)) {
      if (number->is_boolean()) return Value<Backend>(number->truthy());
      if (number->is_integer()) return Value<Backend>(number->integer);
      return Value<Backend>(number->real);
    }
    if (const std::size_t last = intact_until_[place_of(v).index]; last < position_)
      return Error(ErrorCode::not_found,
                   concat("'", name, "' is gone: its memory serves others since ",
                          describe(graph().node(steps()[last].node))));
    const auto* tensor = RunningNode<Backend>(frame_, {}).tensor(v);
    if (!tensor) return Error(ErrorCode::not_found, concat("'", name, "' is no tensor or number"));
    return Value<Backend>(*tensor);
  }

 private:
  static constexpr std::size_t forever = ~std::size_t{0};

  [[nodiscard]] const GraphBody& graph() const noexcept { return *frame_.plan().graph->graph; }
  [[nodiscard]] const std::vector<Step<Backend>>& steps() const noexcept {
    return frame_.plan().steps;
  }

  [[nodiscard]] Error no_such_step(std::string_view node) const {
    for (std::size_t i = 0; i < position_; ++i)
      if (graph().node(steps()[i].node).name == node)
        return {ErrorCode::not_found, concat("node '", node, "' has run already")};
    for (const NodeId id : graph().nodes())
      if (graph().node(id).name == node)
        return {ErrorCode::not_found,
                concat("node '", node, "' needs no step: its results are views, or known before")};
    return {ErrorCode::not_found, concat("the program has no node '", node, "'")};
  }

  /// The step that a value waits for, its own or that of the value it views.
  [[nodiscard]] NodeId pending_producer(ValueId v) const {
    const NodeId own = graph().value(v).producer;
    const ValueId root = frame_.plan().known.facts(v).root;
    const NodeId stored = root.valid() ? graph().value(root).producer : NodeId{};
    for (std::size_t i = position_; i < steps().size(); ++i)
      if (const NodeId id = steps()[i].node; id == own || id == stored) return id;
    return {};
  }

  /// The value that stands for the memory of `v`: its root in the arena, else its alias class.
  [[nodiscard]] ValueId place_of(ValueId v) const noexcept {
    const auto& known = frame_.plan().known;
    const bool planned = frame_.plan().sources[v.index] == SlotSource::arena;
    return planned ? known.facts(v).root : known.alias_class(v);
  }

  /// After its last use a value's memory may serve others; what shows inputs, weights or results
  /// stays.
  void find_lifetimes() {
    intact_until_.assign(graph().value_capacity(), forever);
    find_planned_lifetimes();
    std::vector<bool> kept(graph().value_capacity(), false);
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (frame_.plan().sources[i] != SlotSource::none) kept[place_of(ValueId(i)).index] = true;
    for (const auto& output : graph().outputs())
      output.for_each_value([&](ValueId v) {
        if (v.valid()) kept[place_of(v).index] = true;
      });
    for (std::size_t i = 0; i < steps().size(); ++i) {
      const auto use = [&](ValueId v) {
        if (v.valid() && !kept[place_of(v).index]) intact_until_[place_of(v).index] = i + 1;
      };
      const Node& node = graph().node(steps()[i].node);
      for (const auto& argument : node.arguments) argument.value.for_each_value(use);
      for (const ValueId v : node.outputs) use(v);
    }
  }

  /// The last step that uses a value may put its result in the same place.
  void find_planned_lifetimes() {
    const auto& arena = frame_.plan().arena;
    for (const auto& placed : arena) {
      std::size_t until = placed.last_step + 1;
      for (const auto& other : arena)
        if (other.first_step == placed.last_step && other.first_step > placed.first_step &&
            other.offset < placed.offset + placed.bytes &&
            placed.offset < other.offset + other.bytes)
          until = placed.last_step;
      intact_until_[placed.value.index] = until;
    }
  }

  Frame<Backend>& frame_;
  RunContext<Backend> context_;
  std::size_t position_ = 0;
  std::vector<std::size_t> intact_until_;  ///< by `place_of`: the last position that shows it
};

}  // namespace treadle::inline v0
