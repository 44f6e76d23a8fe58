// Runs an executable on a scheduler: plans by shape, frames, state, results, versions of weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/check_inputs.hpp>
#include <treadle/exec/constant_folder.hpp>
#include <treadle/exec/executable.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/give_inputs.hpp>
#include <treadle/exec/plan_builder.hpp>
#include <treadle/exec/plan_cache.hpp>
#include <treadle/exec/run.hpp>
#include <treadle/exec/run_places.hpp>
#include <treadle/exec/run_tasks.hpp>
#include <treadle/exec/snapshot_cell.hpp>
#include <treadle/exec/take_outputs.hpp>
#include <treadle/exec/task_clusters.hpp>
#include <treadle/exec/weight_update.hpp>
#include <treadle/kernel/run_options.hpp>
#include <treadle/plan/memory_regions.hpp>
#include <treadle/sched/parallel_for.hpp>
#include <treadle/sched/scheduler.hpp>
#include <treadle/trace/tell.hpp>
#include <treadle/trace/tracer.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// Run-time knobs.
struct ExecutorOptions {
  std::size_t max_plans = 16;       ///< plans kept, one a set of input shapes
  std::size_t max_idle_frames = 8;  ///< frames kept for each plan
  /// Runs at the same time, and so frames; more callers wait in `run`. 0: as many as there are
  /// callers.
  std::size_t max_concurrent_runs = 0;
  TaskOptions tasks = {};  ///< when a scheduler's threads share one run
  /// Memories of different size and speed for the values that are planned, e.g. a scratchpad and
  /// the heap; those moved most go where memory is fast. Sessions may be lent them, see
  /// `SessionOptions::regions`. None: one memory, as large as it has to be.
  std::vector<MemoryRegion> regions = {};
};

/// One version of the weights with all that was planned for it.
template <TensorBackend Backend>
struct Generation {
  Generation(std::shared_ptr<const Executable<Backend>> program, std::size_t max_plans)
      : executable(std::move(program)), plans(max_plans) {}

  std::shared_ptr<const Executable<Backend>> executable;
  PlanCache<Backend> plans;
};

/// Something outside the executor that keeps frames, and gets new ones when the weights change.
template <TensorBackend Backend>
class FrameHolder {
 public:
  virtual ~FrameHolder() = default;
  /// Makes frames for the generation beside those in use. The thread that swaps calls it.
  virtual Status prepare(Generation<Backend>& next) = 0;
  /// Offers what was prepared to the holder's own thread, or throws it away.
  virtual void finish(bool commit) noexcept = 0;
};

/// Runs one executable. `run` may be called from many threads at once; runs that change the same
/// `State` must not overlap. The scheduler must outlive this.
template <TensorBackend Backend, AnyScheduler S, Tracer T = NoTracer>
class Executor {
 public:
  using Tensor = typename Backend::Tensor;

  /// `folder` made the executable's weights from those of the file, and makes those of later
  /// versions; null if there was nothing to fold.
  Executor(std::shared_ptr<const Executable<Backend>> executable, S& scheduler, T tracer = {},
           ExecutorOptions options = {}, std::shared_ptr<const ConstantFolder<Backend>> folder = {})
      : bound_(executable->shared_bound()),
        backend_(executable->backend()),
        folder_(std::move(folder)),
        scheduler_(&scheduler),
        tracer_(std::move(tracer)),
        options_(std::move(options)),
        current_(std::make_shared<Generation<Backend>>(std::move(executable), options_.max_plans)),
        places_(options_.max_concurrent_runs) {}

  /// The program, which no swap of weights changes.
  [[nodiscard]] const BoundModule<Backend>& bound() const noexcept { return *bound_; }
  /// The program with the weights of now.
  [[nodiscard]] std::shared_ptr<const Executable<Backend>> executable() const noexcept {
    return current_.load()->executable;
  }
  [[nodiscard]] std::uint64_t weights_version() const noexcept { return executable()->version(); }
  [[nodiscard]] T& tracer() noexcept { return tracer_; }
  [[nodiscard]] Result<State<Backend>> make_state() const { return executable()->make_state(); }

  /// Runs the program. `inputs` are the user inputs in flattened order; tensors are borrowed for
  /// the call, and those that the program writes are changed. Results are new tensors, or the
  /// caller's own where the program returns an input. Errors name the input or the node. Waits if
  /// `max_concurrent_runs` are going on.
  Result<std::vector<Value<Backend>>> run(std::span<const Value<Backend>> inputs,
                                          State<Backend>& state, const RunOptions& options = {});
  /// The same, but `busy` instead of waiting.
  Result<std::vector<Value<Backend>>> try_run(std::span<const Value<Backend>> inputs,
                                              State<Backend>& state,
                                              const RunOptions& options = {});

  /// The plan for these inputs, made if there is none yet.
  Result<std::shared_ptr<const ExecutionPlan<Backend>>> plan_for(
      std::span<const Value<Backend>> inputs);

  /// The memory that a session for inputs like these would use, for callers who bring it.
  Result<ArenaNeeds> arena_needs(std::span<const Value<Backend>> inputs);

  /// The plan for inputs of this metadata, aligned with the user inputs. It is not kept.
  Result<std::shared_ptr<const ExecutionPlan<Backend>>> make_plan_for(
      const std::vector<InputFacts>& user) const;

  /// Runs a frame whose inputs are in place: as tasks if its plan has them, else as a plain loop.
  Status run_frame(Frame<Backend>& frame, State<Backend>& state, const RunOptions& options = {}) {
    [[maybe_unused]] const detail::RunScope<T> scope(tracer_, &frame);
    const RunOptions* limits = options.limited() ? &options : nullptr;
    if constexpr (!SerialScheduler<S>)
      if (!frame.plan().tasks.empty())
        return run_tasks(frame, *scheduler_, state.random(), tracer_, limits);
    RunContext<Backend> context(frame.backend(), make_parallel_for(*scheduler_), state.random());
    context.set_limits(limits);
    return run_steps(frame, context, tracer_);
  }

  /// Frees the frames that no run is using.
  void trim() noexcept;

  // --- weights -----------------------------------------------------------------------------------
  /// Replaces the weights under running calls. The new ones are checked (every name there, sizes
  /// and dtypes as before; all problems in one error), constants are folded and every plan in use
  /// is prepared anew beside the old, then all of it takes effect in one step: runs that go on
  /// finish on the old weights, later ones see only new ones. A failure changes nothing. Gives the
  /// new version. Buffers that the program changes live in states, which stay as they are.
  Result<std::uint64_t> swap_weights(std::vector<WeightSource> sources,
                                     const WeightSwapOptions& options = {}) {
    return commit(std::move(sources), options);
  }
  /// Replaces only these weights. Weights that share storage with one of them show its new values.
  Result<std::uint64_t> update_weights(std::vector<WeightSource> sources) {
    return commit(std::move(sources), {.keep = [](std::string_view) { return true; }});
  }

  /// Computes again what depends on the weights alone, after the host changed their memory where it
  /// lies (see `HostBackend`), which it may do only while no run is going on. Gives the new
  /// version.
  Result<std::uint64_t> run_const_graph() {
    bound_->share().clear();
    return update_weights({});
  }

  // --- for sessions ------------------------------------------------------------------------------
  /// Calls `place(generation)` while no swap can happen and, if it succeeds, keeps `holder` up to
  /// date from then on.
  template <class Place>
  Status attach(std::shared_ptr<FrameHolder<Backend>> holder, Place&& place) {
    const std::lock_guard lock(commit_mutex_);
    TREADLE_CHECK(place(*current_.load()));
    std::erase_if(holders_, [](const auto& other) { return other.expired(); });
    holders_.push_back(std::move(holder));
    return {};
  }
  /// The entry for these inputs in a generation, made if there is none yet.
  Result<std::shared_ptr<PlanEntry<Backend>>> entry_for(Generation<Backend>& generation,
                                                        std::span<const Value<Backend>> inputs);

 private:
  Result<std::shared_ptr<const ExecutionPlan<Backend>>> make_plan_in(
      std::shared_ptr<const Executable<Backend>> executable,
      const std::vector<InputFacts>& user) const {
    const auto facts = detail::graph_input_facts(*executable, user);
    TREADLE_TRY(const auto symbols, check_inputs(executable->module(), facts));
    // A program that only runs serially does not even compile what makes tasks.
    TaskMaker tasks = nullptr;
    if constexpr (!SerialScheduler<S>) tasks = &make_tasks;
    return make_plan<Backend>(executable, executable->program().root, facts, symbols, true, tasks,
                              options_.tasks, options_.regions);
  }

  Result<std::shared_ptr<PlanEntry<Backend>>> add_entry(Generation<Backend>& generation,
                                                        std::vector<InputFacts> facts) {
    TREADLE_TRY(auto plan, make_plan_in(generation.executable, facts));
    return generation.plans.add(std::make_shared<PlanEntry<Backend>>(
        std::move(facts), std::move(plan), options_.max_idle_frames));
  }

  /// A place among the concurrent runs, given back at the end.
  class Place {
   public:
    explicit Place(detail::RunPlaces& places) : places_(places) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { places_.give_back(); }

   private:
    detail::RunPlaces& places_;
  };

  Result<std::vector<Value<Backend>>> run_in_place(std::span<const Value<Backend>> inputs,
                                                   State<Backend>& state,
                                                   const RunOptions& options) {
    const Place place(places_);
    const auto generation = current_.load();
    TREADLE_TRY(auto entry, entry_for(*generation, inputs));
    TREADLE_TRY(auto frame, entry->frames.acquire(entry->plan));
    auto result = run_in(*frame, inputs, state, options);
    frame->release_run_tensors();
    entry->frames.release(std::move(frame));
    return result;
  }

  Result<std::vector<Value<Backend>>> run_in(Frame<Backend>& frame,
                                             std::span<const Value<Backend>> inputs,
                                             State<Backend>& state, const RunOptions& options) {
    if (bound_->binds_state()) {
      frame.forget_state();
      frame.bind_state(state);
    }
    TREADLE_CHECK(detail::place_inputs(*bound_, frame, inputs));
    TREADLE_CHECK(frame.allocate_results(false));
    frame.bind_run_views();
    TREADLE_CHECK(run_frame(frame, state, options));
    // First, so that outputs which show what the program writes show all of it.
    TREADLE_CHECK(detail::write_back(frame));
    return detail::take_outputs(frame);
  }

  // --- swapping ----------------------------------------------------------------------------------
  Result<std::uint64_t> commit(std::vector<WeightSource> sources, const WeightSwapOptions& options);

  Status prepare_holders(Generation<Backend>& next) {
    for (const auto& weak : holders_) {
      const auto holder = weak.lock();
      if (!holder) continue;
      if (auto status = holder->prepare(next); !status) {
        finish_holders(false);
        return status;
      }
    }
    return {};
  }
  void finish_holders(bool commit) noexcept {
    for (const auto& weak : holders_)
      if (const auto holder = weak.lock()) holder->finish(commit);
  }

  std::shared_ptr<const BoundModule<Backend>> bound_;
  Backend backend_;
  std::shared_ptr<const ConstantFolder<Backend>> folder_;
  S* scheduler_;
  [[no_unique_address]] T tracer_;
  ExecutorOptions options_;
  SnapshotCell<Generation<Backend>> current_;
  detail::RunPlaces places_;
  std::mutex commit_mutex_;  ///< one swap at a time; guards `holders_`
  std::vector<std::weak_ptr<FrameHolder<Backend>>> holders_;
};

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::vector<Value<Backend>>> Executor<Backend, S, T>::run(
    std::span<const Value<Backend>> inputs, State<Backend>& state, const RunOptions& options) {
  places_.take();
  return run_in_place(inputs, state, options);
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::vector<Value<Backend>>> Executor<Backend, S, T>::try_run(
    std::span<const Value<Backend>> inputs, State<Backend>& state, const RunOptions& options) {
  if (!places_.try_take())
    return Error(ErrorCode::busy,
                 concat(places_.bound(), " runs are going on, which is the limit"));
  return run_in_place(inputs, state, options);
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::shared_ptr<const ExecutionPlan<Backend>>> Executor<Backend, S, T>::plan_for(
    std::span<const Value<Backend>> inputs) {
  TREADLE_TRY(auto entry, entry_for(*current_.load(), inputs));
  return entry->plan;
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<ArenaNeeds> Executor<Backend, S, T>::arena_needs(std::span<const Value<Backend>> inputs) {
  TREADLE_TRY(const auto plan, plan_for(inputs));
  return plan->arena_needs();
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::shared_ptr<const ExecutionPlan<Backend>>> Executor<Backend, S, T>::make_plan_for(
    const std::vector<InputFacts>& user) const {
  return make_plan_in(current_.load()->executable, user);
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
void Executor<Backend, S, T>::trim() noexcept {
  const auto entries = current_.load()->plans.entries();
  for (const auto& entry : *entries) entry->frames.trim();
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::shared_ptr<PlanEntry<Backend>>> Executor<Backend, S, T>::entry_for(
    Generation<Backend>& generation, std::span<const Value<Backend>> inputs) {
  TREADLE_CHECK(detail::check_input_count(*bound_, inputs));
  if (auto entry = generation.plans.find(backend_, inputs)) return entry;
  TREADLE_CHECK(detail::check_constant_inputs(*bound_, inputs));
  std::vector<InputFacts> facts;
  for (const auto& input : inputs) facts.push_back(facts_in(backend_, input));
  return add_entry(generation, std::move(facts));
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::uint64_t> Executor<Backend, S, T>::commit(std::vector<WeightSource> sources,
                                                      const WeightSwapOptions& options) {
  const std::lock_guard lock(commit_mutex_);
  const auto old = current_.load();
  TREADLE_TRY(auto merged, merge_weights(old->executable->weights(), std::move(sources), options));
  TREADLE_TRY(auto weights, Weights<Backend>::make(backend_, std::move(merged)));
  if (folder_) TREADLE_CHECK(folder_->fold(weights));
  TREADLE_TRY(auto executable, old->executable->with_weights(std::move(weights)));
  auto next = std::make_shared<Generation<Backend>>(std::move(executable), options_.max_plans);
  const auto entries = old->plans.entries();
  for (const auto& entry : *entries)
    if (auto made = add_entry(*next, entry->inputs); !made) return std::move(made).error();
  TREADLE_CHECK(prepare_holders(*next));
  const std::uint64_t version = next->executable->version();
  current_.store(std::move(next));
  bound_->commit_weights();
  finish_holders(true);
  return version;
}

}  // namespace treadle::inline v0
