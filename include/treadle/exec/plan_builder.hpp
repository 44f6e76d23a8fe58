// Makes execution plans.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <treadle/analysis/cost.hpp>
#include <treadle/analysis/numbers.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/call.hpp>
#include <treadle/exec/memory_layout.hpp>
#include <treadle/exec/plan.hpp>
#include <treadle/exec/prepare_kernel.hpp>
#include <treadle/exec/task_graph.hpp>

namespace treadle::inline v0 {

namespace detail {

template <TensorBackend Backend>
class PlanBuilder {
  using Tensor = typename Backend::Tensor;
  using Plan = ExecutionPlan<Backend>;

 public:
  PlanBuilder(std::shared_ptr<const Executable<Backend>> executable, const BoundGraph& graph,
              bool is_root, TaskMaker make_tasks, const TaskOptions& tasks,
              std::span<const MemoryRegion> regions)
      : plan_(std::make_shared<Plan>()),
        graph_(*graph.graph),
        make_tasks_(make_tasks),
        task_options_(tasks),
        regions_(regions),
        backend_(executable->backend()) {
    plan_->executable = std::move(executable);
    plan_->graph = &graph;
    plan_->is_root = is_root;
  }

  Result<std::shared_ptr<const Plan>> build(const std::vector<InputFacts>& inputs,
                                            const Bindings& symbols) {
    TREADLE_TRY(plan_->known,
                specialize(plan_->executable->program(), *plan_->graph, inputs, symbols));
    find_sources();
    std::vector<Error> problems;
    for (const NodeId id : graph_.nodes())
      if (auto status = add_node(id); !status)
        problems.push_back(std::move(status).with_context(describe(graph_.node(id))).error());
    if (!problems.empty()) return join(problems);
    if (make_tasks_) plan_->tasks = make_tasks_(dependencies_.edges(), costs_, task_options_);
    const SearchPlanner planner{.budget = planning_budget};
    TREADLE_CHECK(
        lay_out_memory(*plan_, memory_, dependencies_, !plan_->tasks.empty(), planner, regions_));
    list_views();
    return std::shared_ptr<const Plan>(std::move(plan_));
  }

 private:
  static Error join(const std::vector<Error>& problems) {
    if (problems.size() == 1) return problems.front().clone();
    std::string text = concat(problems.size(), " nodes can't be run:");
    for (const auto& problem : problems) text += concat("\n  ", problem.message());
    return {problems.front().code(), std::move(text)};
  }

  const ValueFacts& facts(ValueId v) const { return plan_->known.values[v.index]; }

  // --- storage -----------------------------------------------------------------------------------
  SlotSource input_source(std::size_t position) const {
    if (!plan_->is_root) return SlotSource::input;
    const auto& input = plan_->executable->inputs()[position];
    if (input.kind == InputSource::Kind::weight)
      return plan_->executable->is_changed(input.index) ? SlotSource::state : SlotSource::weight;
    return SlotSource::input;
  }

  /// Roots that may show in an output get memory of their own.
  void find_sources() {
    plan_->sources.assign(graph_.value_capacity(), SlotSource::none);
    std::vector<bool> leaves(graph_.value_capacity(), false);
    for (const auto& output : graph_.outputs())
      output.for_each_value([&](ValueId v) { leaves[plan_->known.alias_class(v).index] = true; });
    for (const NodeId id : graph_.nodes()) {
      const Action action = plan_->known.actions[id.index];
      if (action != Action::kernel && action != Action::control && action != Action::method)
        continue;
      for (const ValueId v : graph_.node(id).outputs) {
        if (!v.valid() || facts(v).root != v || !facts(v).meta) continue;
        plan_->sources[v.index] =
            leaves[plan_->known.alias_class(v).index] ? SlotSource::result : SlotSource::arena;
      }
    }
    for (std::size_t i = 0; i < graph_.inputs().size(); ++i)
      if (const ValueId v = graph_.inputs()[i]; v.valid() && facts(v).meta)
        plan_->sources[v.index] = input_source(i);
    for (std::size_t i = 0; i < plan_->sources.size(); ++i)
      plan_->sources[i] = plan_->sources[plan_->known.values[i].root.index];
  }

  void list_views() {
    for (std::size_t i = 0; i < plan_->sources.size(); ++i) {
      const ValueId v(i);
      if (facts(v).root == v || !facts(v).meta) continue;
      switch (plan_->sources[i]) {
        case SlotSource::weight:
        case SlotSource::arena: plan_->fixed_views.push_back(v); break;
        case SlotSource::state: plan_->state_views.push_back(v); break;
        case SlotSource::input:
        case SlotSource::result: plan_->run_views.push_back(v); break;
        case SlotSource::none: break;
      }
    }
    for (std::size_t i = 0; i < plan_->sources.size(); ++i)
      if (plan_->sources[i] == SlotSource::result && facts(ValueId(i)).root == ValueId(i))
        plan_->results.emplace_back(i);
  }

  // --- steps -------------------------------------------------------------------------------------
  Status add_node(NodeId id) {
    const Action action = plan_->known.actions[id.index];
    if (action == Action::skip || action == Action::view) return {};
    Step<Backend> step;
    step.node = id;
    step.tensors = static_cast<std::uint32_t>(plan_->call_tensors.size());
    std::size_t scratch = 0;
    if (action == Action::kernel) {
      TREADLE_TRY(scratch, prepare_kernel(id, step));
    } else {
      step.kind =
          action == Action::control ? Step<Backend>::Kind::control : Step<Backend>::Kind::dynamic;
      if (action == Action::control)
        step.control = static_cast<std::uint32_t>(plan_->control_steps++);
      has_dynamic_ = true;
    }
    plan_->steps.push_back(step);
    note_uses(id, scratch);
    if (make_tasks_) costs_.push_back(estimate(id));
    return {};
  }

  double estimate(NodeId id) const {
    constexpr double control_ns = 20000;  // of a body run once or many times
    if (plan_->known.actions[id.index] == Action::control) return control_ns;
    const Node& node = graph_.node(id);
    std::vector<const TensorMeta*> inputs, outputs;
    const auto add = [&](ValueId v, std::vector<const TensorMeta*>& metas) {
      if (v.valid() && facts(v).meta) metas.push_back(&*facts(v).meta);
    };
    for (const auto& argument : node.arguments)
      argument.value.for_each_value([&](ValueId v) { add(v, inputs); });
    for (const ValueId v : node.outputs) add(v, outputs);
    return estimate_nanoseconds(node.target, inputs, outputs);
  }

  /// Tells the dependency and memory tables what the step touches.
  void note_uses(NodeId id, std::size_t scratch) {
    const auto step = static_cast<std::uint32_t>(plan_->steps.size() - 1);
    const auto touch = [&](ValueId v, bool write) {
      if (!v.valid()) return;
      const std::uint32_t alias = plan_->known.alias_class(v).index;
      memory_.touch(alias, step);
      if (!make_tasks_) return;
      if (write)
        dependencies_.write(alias);
      else
        dependencies_.read(alias);
    };
    dependencies_.begin_step();
    const Node& node = graph_.node(id);
    for (const auto& argument : node.arguments)
      argument.value.for_each_value([&](ValueId v) { touch(v, false); });
    if (const auto written = plan_->known.writes.find(id.index);
        written != plan_->known.writes.end())
      for (const ValueId v : written->second) touch(v, true);
    for (const ValueId v : node.outputs) touch(v, true);
    if (make_tasks_ && is_random(id)) dependencies_.write(random_resource);
    if (make_tasks_ && plan_->graph->site(id).kind == SiteKind::method)
      dependencies_.write(object_resource);
    memory_.scratch(step, scratch);
  }

  bool is_random(NodeId id) const {
    const CallSite& site = plan_->graph->site(id);
    if (site.kind == SiteKind::control) return plan_->known.random;
    return site.kind == SiteKind::op &&
           plan_->executable->program().operators[site.op].definition->traits.random;
  }

  // --- kernels -----------------------------------------------------------------------------------
  struct KernelCall {
    std::vector<KernelArgument<Backend>> arguments;
    std::vector<TensorInfo<Backend>> results;
  };

  TensorInfo<Backend> add_tensor(ValueId v) {
    if (!v.valid()) {
      plan_->call_tensors.push_back(Plan::no_tensor);
      return {};
    }
    plan_->call_tensors.push_back(v.index);
    return {&*facts(v).meta, constant_tensor(v)};
  }

  /// The tensor of a value that never changes, if it is exactly a weight.
  const Tensor* constant_tensor(ValueId v) {
    if (plan_->sources[v.index] != SlotSource::weight) return nullptr;
    const ValueId root = facts(v).root;
    const auto& inputs = graph_.inputs();
    for (std::size_t i = weight_hint_; i < inputs.size() + weight_hint_; ++i) {
      const std::size_t at = i % inputs.size();
      if (inputs[at] != root) continue;
      weight_hint_ = at;
      const auto& entry =
          plan_->executable->weights().entries()[plan_->executable->inputs()[at].index];
      if (root == v) return &entry.tensor;
      if constexpr (ViewBackend<Backend>) {
        views_.push_back(
            std::make_shared<const Tensor>(backend_.view(entry.tensor, *facts(v).meta)));
        plan_->kept.push_back(views_.back());
        return views_.back().get();
      }
    }
    return nullptr;
  }

  Result<TensorInfo<Backend>> add_number(const Constant& constant) {
    TREADLE_TRY(auto tensor, number_tensor(backend_, constant));
    auto kept = std::make_shared<const Tensor>(std::move(tensor));
    plan_->kept.push_back(kept);
    plan_->call_tensors.push_back(Plan::constant_base |
                                  static_cast<std::uint32_t>(plan_->constants.size()));
    plan_->constants.push_back(*kept);
    metas_.push_back(backend_.meta(*kept));
    return TensorInfo<Backend>(&metas_.back(), kept.get());
  }

  Result<TensorInfo<Backend>> add_tensor_argument(const Argument& argument) {
    if (const auto* v = argument.value()) {
      if (v->valid() && facts(*v).number) return add_number(to_constant(*facts(*v).number));
      return add_tensor(*v);
    }
    if (argument.is_none()) return add_tensor({});
    if (const auto* constant = argument.constant()) return add_number(*constant);
    return Error(ErrorCode::type_mismatch, "expected a tensor, found a list");
  }

  Result<KernelArgument<Backend>> add_argument(const SchemaArgument& schema,
                                               const Argument& argument) {
    if (schema.kind == SchemaKind::tensor && schema.list) {
      std::vector<TensorInfo<Backend>> infos;
      if (const auto* items = argument.list())
        for (const auto& item : *items) {
          TREADLE_TRY(auto info, add_tensor_argument(item));
          infos.push_back(info);
        }
      return KernelArgument<Backend>(std::move(infos));
    }
    if (schema.kind == SchemaKind::tensor) {
      TREADLE_TRY(auto info, add_tensor_argument(argument));
      return KernelArgument<Backend>(info);
    }
    return KernelArgument<Backend>(constant_of(argument));
  }

  /// A known number or list of numbers as a constant.
  Constant constant_of(const Argument& argument) const {
    if (const auto* constant = argument.constant()) return *constant;
    if (const auto* v = argument.value())
      return facts(*v).number ? to_constant(*facts(*v).number) : Constant(None{});
    std::vector<Constant> items;
    if (const auto* list = argument.list())
      for (const auto& item : *list) items.push_back(constant_of(item));
    return join_constants(items);
  }

  /// Prepares the node's kernel; gives the workspace it wants.
  Result<std::size_t> prepare_kernel(NodeId id, Step<Backend>& step) {
    const CallSite& site = plan_->graph->site(id);
    const auto& op = plan_->executable->op(site.op);
    if (!op.kernel)
      return Error(ErrorCode::missing_kernel,
                   concat("no kernel; register one for \"", op.definition->schema, '"'));
    KernelCall call;
    for (std::size_t i = 0; i < op.schema.argument_count; ++i) {
      TREADLE_TRY(auto argument, add_argument(op.schema.arguments[i], site.arguments[i]));
      call.arguments.push_back(std::move(argument));
    }
    const Schema kernel_schema = parse_schema(op.kernel->schema);
    const Node& node = graph_.node(id);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const std::size_t r = std::min(i, std::max<std::size_t>(kernel_schema.result_count, 1) - 1);
      if (kernel_schema.results[r].writes) continue;
      TREADLE_TRY(const ValueId out, kernel_output(id, i));
      const std::uint32_t slot = out.index;
      plan_->call_tensors.push_back(slot);
      call.results.emplace_back(&*facts(out).meta, nullptr);
    }
    PrepareContext<Backend> context(backend_, call.arguments, call.results,
                                    &plan_->executable->bound().share(),
                                    &plan_->executable->host_weights());
    TREADLE_TRY(auto prepared, detail::prepare_kernel(*op.kernel, context));
    step.run = op.kernel->run;
    step.prepared = prepared.get();
    plan_->kept.push_back(std::move(prepared));
    plan_->kept.push_back(op.kernel->kernel);
    plan_->kept_bytes += context.kept_bytes();
    return context.scratch_bytes();
  }

  /// The value a kernel writes for an output; outputs nobody named still need a place.
  Result<ValueId> kernel_output(NodeId id, std::size_t i) const {
    const ValueId out = graph_.node(id).outputs[i];
    if (out.valid() && facts(out).meta) return out;
    return Error(ErrorCode::invalid_graph, concat("result ", i, " has no name in the program"));
  }

  static constexpr std::uint32_t random_resource = 0xffff'fff0u;
  /// Of the search for a better memory layout: a few milliseconds, where heuristics leave a gap.
  static constexpr std::uint64_t planning_budget = std::uint64_t{1} << 21;
  static constexpr std::uint32_t object_resource = 0xffff'fff1u;  ///< all custom objects

  std::shared_ptr<Plan> plan_;
  const GraphBody& graph_;
  TaskMaker make_tasks_;
  TaskOptions task_options_;
  std::span<const MemoryRegion> regions_;
  std::vector<double> costs_;  ///< of the steps, in nanoseconds
  Backend backend_;
  MemoryUses memory_;
  DependencyBuilder dependencies_;
  std::deque<TensorMeta> metas_;
  std::vector<std::shared_ptr<const Tensor>> views_;
  std::size_t weight_hint_ = 0;
  bool has_dynamic_ = false;
};

}  // namespace detail

/// Plans a graph for inputs of which this is known. `make_tasks` is null if the steps run one after
/// the other as they stand; otherwise they may run in any order that respects their dependencies,
/// and the plan has tasks if they pay. Values are spread over the `regions`, if there are any.
/// Errors name every node that can't be run.
template <TensorBackend Backend>
Result<std::shared_ptr<const ExecutionPlan<Backend>>> make_plan(
    std::shared_ptr<const Executable<Backend>> executable, const BoundGraph& graph,
    const std::vector<InputFacts>& inputs, const Bindings& symbols, bool is_root,
    TaskMaker make_tasks, const TaskOptions& tasks = {},
    std::span<const MemoryRegion> regions = {}) {
  return detail::PlanBuilder<Backend>(std::move(executable), graph, is_root, make_tasks, tasks,
                                      regions)
      .build(inputs, symbols);
}

}  // namespace treadle::inline v0
