// Runs an executable on a scheduler: plans by shape, frames, state, results.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <treadle/analysis/numbers.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/check_inputs.hpp>
#include <treadle/exec/executable.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/plan_builder.hpp>
#include <treadle/exec/run.hpp>
#include <treadle/exec/run_tasks.hpp>
#include <treadle/exec/transfer.hpp>
#include <treadle/sched/parallel_for.hpp>
#include <treadle/sched/scheduler.hpp>
#include <treadle/trace/tracer.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// Run-time knobs.
struct ExecutorOptions {
  std::size_t max_plans = 16;       ///< plans kept, one a set of input shapes
  std::size_t max_idle_frames = 8;  ///< frames kept for each plan
};

/// Runs one executable. `run` may be called from many threads at once; runs that change the same
/// `State` must not overlap. The scheduler must outlive this.
template <TensorBackend Backend, AnyScheduler S, Tracer T = NoTracer>
class Executor {
 public:
  using Tensor = typename Backend::Tensor;
  static constexpr PlanOrder order = SerialScheduler<S> ? PlanOrder::linear : PlanOrder::partial;

  Executor(std::shared_ptr<const Executable<Backend>> executable, S& scheduler, T tracer = {},
           ExecutorOptions options = {})
      : executable_(std::move(executable)),
        scheduler_(&scheduler),
        tracer_(std::move(tracer)),
        options_(options) {}

  [[nodiscard]] const Executable<Backend>& executable() const noexcept { return *executable_; }
  [[nodiscard]] T& tracer() noexcept { return tracer_; }

  /// Runs the program. `inputs` are the user inputs in flattened order; tensors are borrowed for
  /// the call, and those that the program writes are changed. Results are new tensors, or the
  /// caller's own where the program returns an input. Errors name the input or the node.
  Result<std::vector<Value<Backend>>> run(std::span<const Value<Backend>> inputs,
                                          State<Backend>& state) {
    TREADLE_TRY(auto lease, acquire(inputs));
    auto result = run_in(*lease.frame, inputs, state);
    release(std::move(lease));
    return result;
  }

  /// The plan for these inputs, made if there is none yet.
  Result<std::shared_ptr<const ExecutionPlan<Backend>>> plan_for(
      std::span<const Value<Backend>> inputs) {
    TREADLE_TRY(auto entry, entry_for(inputs));
    return entry->plan;
  }

  /// The plan for inputs of this metadata, aligned with the user inputs.
  Result<std::shared_ptr<const ExecutionPlan<Backend>>> make_plan_for(
      const std::vector<InputFacts>& user) const {
    TREADLE_TRY(const auto facts, all_facts(user));
    TREADLE_TRY(const auto symbols, check_inputs(executable_->module(), facts));
    return make_plan<Backend>(executable_, executable_->program().root, facts, symbols, true,
                              order);
  }

  /// Runs a frame whose inputs are in place.
  Status run_frame(Frame<Backend>& frame, State<Backend>& state) {
    if constexpr (SerialScheduler<S>) {
      RunContext<Backend> context(frame.backend(), {}, state.random());
      return run_steps(frame, context, tracer_);
    } else {
      return run_tasks(frame, *scheduler_, state.random(), tracer_);
    }
  }

  /// Writes the mutations that the signature lists back to the state's and the caller's tensors.
  Status write_back(Frame<Backend>& frame) {
    const auto& outputs = executable_->module().signature.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool buffer = outputs[i].kind == OutputKind::buffer_mutation ||
                          outputs[i].kind == OutputKind::parameter_mutation;
      if (!buffer && outputs[i].kind != OutputKind::user_input_mutation) continue;
      const ValueId to = mutated_input(outputs[i].target, !buffer);
      const auto* from = executable_->graph().outputs()[i].value();
      if (!to.valid() || !from || !from->valid()) continue;
      TREADLE_CHECK(copy_tensor(frame.backend(), frame.tensor(*from), frame.tensor(to))
                        .with_context(concat("mutation of '", outputs[i].target, "'")));
    }
    return {};
  }

  /// The number that a value is, if it is one.
  static std::optional<Number> number_in(const Value<Backend>& value) {
    if (const auto* v = value.template get_if<std::int64_t>()) return Number(*v);
    if (const auto* v = value.template get_if<double>()) return Number(*v);
    if (const auto* v = value.template get_if<bool>()) return Number(*v);
    return std::nullopt;
  }

 private:
  struct Entry {
    std::vector<InputFacts> inputs;  ///< aligned with the user inputs
    std::shared_ptr<const ExecutionPlan<Backend>> plan;
    std::vector<std::unique_ptr<Frame<Backend>>> idle;
  };
  struct Lease {
    std::shared_ptr<Entry> entry;
    std::unique_ptr<Frame<Backend>> frame;
  };

  // --- inputs ------------------------------------------------------------------------------------
  InputFacts facts_in(const Value<Backend>& value) const {
    InputFacts facts;
    if (const auto* tensor = value.template get_if<Tensor>()) {
      facts.meta = backend_.meta(*tensor);
      facts.meta->storage_offset = 0;
    }
    facts.number = number_in(value);
    return facts;
  }
  /// Compared field by field, so that the usual case copies nothing. The offset does not matter.
  bool fits(const InputFacts& planned, const Value<Backend>& value) const {
    if (const auto* tensor = value.template get_if<Tensor>()) {
      const TensorMeta& meta = backend_.meta(*tensor);
      return planned.meta && meta.dtype == planned.meta->dtype &&
             meta.sizes == planned.meta->sizes && meta.strides == planned.meta->strides;
    }
    return !planned.meta && planned.number == number_in(value);
  }

  /// Facts of all graph inputs from those of the user inputs.
  Result<std::vector<InputFacts>> all_facts(const std::vector<InputFacts>& user) const {
    std::vector<InputFacts> facts(executable_->inputs().size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const auto& input = executable_->inputs()[i];
      if (input.kind == InputSource::Kind::weight) {
        facts[i].meta = executable_->weights().entries()[input.index].source.meta;
        if constexpr (!ViewBackend<Backend>)
          facts[i].meta = backend_.meta(executable_->weights().entries()[input.index].tensor);
        facts[i].storage_bytes = executable_->weights().entries()[input.index].source.bytes.size();
        facts[i].is_weight = !executable_->is_changed(input.index);
      } else if (input.kind == InputSource::Kind::user) {
        facts[i] = user[input.index];
      }
    }
    return facts;
  }

  Status check_count(std::span<const Value<Backend>> inputs) const {
    if (inputs.size() == executable_->user_input_count()) return {};
    std::string names;
    for (std::size_t i = 0; i < executable_->user_input_count(); ++i)
      names +=
          concat(names.empty() ? "" : ", ",
                 executable_->module().signature.inputs[executable_->user_input_position(i)].name);
    return Error(ErrorCode::invalid_argument,
                 concat("expected ", executable_->user_input_count(), " inputs (", names,
                        "), found ", inputs.size()));
  }

  /// Numbers that were fixed at export must be given as they were.
  Status check_constants(std::span<const Value<Backend>> inputs) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto& spec =
          executable_->module().signature.inputs[executable_->user_input_position(i)];
      if (spec.kind != InputKind::constant_input || inputs[i].is_none()) continue;
      const auto given = number_in(inputs[i]);
      const auto fixed = detail::to_number(Argument(spec.value));
      const auto* text = inputs[i].template get_if<std::string>();
      const auto* fixed_text = std::get_if<std::string>(&spec.value);
      const bool same = (given && fixed && given->as_real() == fixed->as_real()) ||
                        (text && fixed_text && *text == *fixed_text);
      if (!same)
        return Error(ErrorCode::invalid_argument,
                     concat("input '", spec.name,
                            "' was fixed when the program was exported and can't change"));
    }
    return {};
  }

  // --- plans and frames --------------------------------------------------------------------------
  std::shared_ptr<Entry> find_entry(std::span<const Value<Backend>> inputs) {
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      bool match = true;
      for (std::size_t i = 0; match && i < inputs.size(); ++i)
        match = fits(entries_[k]->inputs[i], inputs[i]);
      if (!match) continue;
      if (k > 0) std::swap(entries_[k], entries_[0]);
      return entries_[0];
    }
    return nullptr;
  }

  Result<std::shared_ptr<Entry>> entry_for(std::span<const Value<Backend>> inputs) {
    TREADLE_CHECK(check_count(inputs));
    {
      const std::lock_guard lock(mutex_);
      if (auto entry = find_entry(inputs)) return entry;
    }
    TREADLE_CHECK(check_constants(inputs));
    auto made = std::make_shared<Entry>();
    for (const auto& input : inputs) made->inputs.push_back(facts_in(input));
    TREADLE_TRY(made->plan, make_plan_for(made->inputs));
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= options_.max_plans) entries_.pop_back();
    entries_.insert(entries_.begin(), made);
    return made;
  }

  Result<Lease> acquire(std::span<const Value<Backend>> inputs) {
    TREADLE_TRY(auto entry, entry_for(inputs));
    {
      const std::lock_guard lock(mutex_);
      if (!entry->idle.empty()) {
        Lease lease{entry, std::move(entry->idle.back())};
        entry->idle.pop_back();
        return lease;
      }
    }
    TREADLE_TRY(auto frame, Frame<Backend>::make(entry->plan));
    return Lease{std::move(entry), std::move(frame)};
  }

  void release(Lease lease) {
    lease.frame->release_run_tensors();
    const std::lock_guard lock(mutex_);
    if (lease.entry->idle.size() < options_.max_idle_frames)
      lease.entry->idle.push_back(std::move(lease.frame));
  }

  // --- one run -----------------------------------------------------------------------------------
  Result<std::vector<Value<Backend>>> run_in(Frame<Backend>& frame,
                                             std::span<const Value<Backend>> inputs,
                                             State<Backend>& state) {
    if (!executable_->changed_weights().empty()) {
      frame.forget_state();
      frame.bind_state(state);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const ValueId v = executable_->user_input(i);
      if (!v.valid()) continue;
      if (const auto* tensor = inputs[i].template get_if<Tensor>())
        frame.tensor(v) = *tensor;
      else
        frame.number(v) = number_in(inputs[i]);
    }
    TREADLE_CHECK(frame.allocate_results(false));
    frame.bind_run_views();
    TREADLE_CHECK(run_frame(frame, state));
    TREADLE_TRY(auto results, collect(frame));
    TREADLE_CHECK(write_back(frame));
    return results;
  }

  Result<std::vector<Value<Backend>>> collect(Frame<Backend>& frame) {
    std::vector<Value<Backend>> results;
    const auto& outputs = executable_->graph().outputs();
    results.reserve(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto kind = i < executable_->module().signature.outputs.size()
                            ? executable_->module().signature.outputs[i].kind
                            : OutputKind::user_output;
      if (kind != OutputKind::user_output && kind != OutputKind::loss_output) continue;
      TREADLE_TRY(auto value, output_value(frame, outputs[i]));
      results.push_back(std::move(value));
    }
    return results;
  }

  Result<Value<Backend>> output_value(Frame<Backend>& frame, const Argument& output) {
    const auto* v = output.value();
    if (!v || !v->valid()) return constant_value(output);
    if (const auto number = frame.number_of(*v)) {
      if (number->is_boolean()) return Value<Backend>(number->truthy());
      if (number->is_integer()) return Value<Backend>(number->integer);
      return Value<Backend>(number->real);
    }
    const auto kind = executable_->graph().value(*v).kind;
    if (kind == ValueKind::none || kind == ValueKind::token) return Value<Backend>();
    if (shows_weights(frame.plan(), *v)) {
      TREADLE_TRY(auto copy, clone_tensor(frame.backend(), frame.tensor(*v)));
      return Value<Backend>(std::move(copy));
    }
    return Value<Backend>(frame.tensor(*v));
  }
  static Value<Backend> constant_value(const Argument& output) {
    if (const auto* v = output.get<bool>()) return *v;
    if (const auto* v = output.get<std::int64_t>()) return *v;
    if (const auto* v = output.get<double>()) return *v;
    if (const auto* v = output.get<std::string>()) return *v;
    if (const auto* v = output.get<std::complex<double>>()) return *v;
    return {};
  }
  /// The value may share storage with weights or state, which the caller must not hold.
  bool shows_weights(const ExecutionPlan<Backend>& plan, ValueId v) const {
    const ValueId alias = plan.known.alias_class(v);
    for (std::size_t i = 0; i < executable_->inputs().size(); ++i) {
      const ValueId input = executable_->graph().inputs()[i];
      if (input.valid() && executable_->inputs()[i].kind == InputSource::Kind::weight &&
          plan.known.alias_class(input) == alias)
        return true;
    }
    return false;
  }

  ValueId mutated_input(std::string_view target, bool user) const {
    const auto& specs = executable_->module().signature.inputs;
    for (std::size_t i = 0; i < specs.size(); ++i)
      if (user ? specs[i].kind == InputKind::user_input && specs[i].name == target
               : specs[i].kind != InputKind::user_input && specs[i].target == target)
        return executable_->graph().inputs()[i];
    return {};
  }

  std::shared_ptr<const Executable<Backend>> executable_;
  S* scheduler_;
  [[no_unique_address]] T tracer_;
  ExecutorOptions options_;
  Backend backend_ = executable_->backend();
  std::mutex mutex_;
  std::vector<std::shared_ptr<Entry>> entries_;  ///< most recently used first
};

}  // namespace treadle::inline v0
