// Runs a plan's steps as tasks, in any order that their dependencies allow.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/run.hpp>
#include <treadle/kernel/run_options.hpp>
#include <treadle/sched/parallel_for.hpp>
#include <treadle/sched/scheduler.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0 {
namespace detail {

/// One run of one frame, shared by its tasks.
template <TensorBackend Backend, Scheduler S, Tracer T>
class TaskRun {
 public:
  TaskRun(Frame<Backend>& frame, S& scheduler, RandomState& random, T& tracer,
          const RunOptions* limits)
      : frame_(frame), scheduler_(scheduler), random_(random), tracer_(tracer), limits_(limits) {}

  /// The roots are submitted by a task too, so that they begin in the helping thread's own queue.
  Status run() {
    const TaskGraph& graph = frame_.plan().tasks;
    const auto waits = frame_.waits();
    for (std::size_t i = 0; i < waits.size(); ++i)
      waits[i].store(graph.waits[i], std::memory_order_relaxed);
    pending_.store(static_cast<std::int64_t>(graph.size()), std::memory_order_release);
    scheduler_.submit(
        {[](void* self, std::size_t) noexcept { static_cast<TaskRun*>(self)->begin(); }, this, 0});
    scheduler_.help_until_zero(pending_);
    return std::move(status_);
  }

 private:
  static constexpr std::uint32_t nothing = 0xffff'ffffu;

  void submit(std::uint32_t task) noexcept {
    if constexpr (is_tracing<T>)
      if (!failed_.load(std::memory_order_relaxed)) tell_ready(tracer_, first_of(task));
    scheduler_.submit({[](void* self, std::size_t i) noexcept {
                         static_cast<TaskRun*>(self)->follow(static_cast<std::uint32_t>(i));
                       },
                       this, task});
  }

  /// The node that a task begins with.
  [[nodiscard]] NodeRun first_of(std::uint32_t task) const noexcept {
    const auto& plan = frame_.plan();
    return RunningNode<Backend>(frame_,
                                plan.steps[plan.tasks.steps[plan.tasks.first_step[task]]].node)
        .at();
  }

  void begin() noexcept {
    const auto& roots = frame_.plan().tasks.roots;
    for (std::size_t i = 1; i < roots.size(); ++i) submit(roots[i]);
    follow(roots[0]);
  }

  /// Runs a task, then its first ready successor, and so on; other ready ones are submitted. After
  /// an error the rest is only counted down.
  void follow(std::uint32_t task) noexcept {
    RunContext<Backend> context(frame_.backend(), make_parallel_for(scheduler_), random_);
    context.set_limits(limits_);
    std::int64_t done = 0;
    while (task != nothing) {
      if (!failed_.load(std::memory_order_relaxed)) execute(task, context);
      task = finish(task);
      ++done;
    }
    // The last count lets the run end, and this object with it: nothing may come after.
    pending_.fetch_sub(done, std::memory_order_acq_rel);
  }

  /// Lets the successors of a task know; gives one that is ready.
  std::uint32_t finish(std::uint32_t task) noexcept {
    const TaskGraph& graph = frame_.plan().tasks;
    const auto waits = frame_.waits();
    std::uint32_t next = nothing;
    for (std::uint32_t k = graph.first[task]; k < graph.first[task + 1]; ++k) {
      const std::uint32_t successor = graph.successors[k];
      if (graph.waits[successor] > 1 &&
          waits[successor].fetch_sub(1, std::memory_order_acq_rel) != 1)
        continue;
      if (next == nothing)
        next = successor;
      else
        submit(successor);
    }
    return next;
  }

  void execute(std::uint32_t task, RunContext<Backend>& context) noexcept {
    NodeId at;
#if defined(__cpp_exceptions)
    try {
      run_steps_of(task, context, at);
    } catch (...) {
      fail(current_exception_error(), at);
    }
#else
    run_steps_of(task, context, at);
#endif
  }

  void run_steps_of(std::uint32_t task, RunContext<Backend>& context, NodeId& at) {
    const auto& plan = frame_.plan();
    for (std::uint32_t k = plan.tasks.first_step[task]; k < plan.tasks.first_step[task + 1]; ++k) {
      const auto& step = plan.steps[plan.tasks.steps[k]];
      at = step.node;
      if (limits_)
        if (auto status = check_limits(limits_); !status)
          return fail(std::move(status).error(), at);
      auto status = run_step(step, frame_, context, tracer_);
      if (!status) [[unlikely]]
        return fail(std::move(status).error(), at);
      if (failed_.load(std::memory_order_relaxed)) [[unlikely]]
        return;
    }
  }

  /// The first error is the run's.
  void fail(Error error, NodeId at) noexcept {
    if (!failed_.exchange(true, std::memory_order_acq_rel))
      status_ = at_node(std::move(error), frame_, at);
  }

  Frame<Backend>& frame_;
  S& scheduler_;
  RandomState& random_;
  T& tracer_;
  const RunOptions* limits_;
  Status status_;
  alignas(64) std::atomic<std::int64_t> pending_{0};
  std::atomic<bool> failed_{false};
};

}  // namespace detail

/// Runs every task of the frame's plan on the scheduler. The caller helps. The first error is
/// returned after all tasks have ended. `limits` may be null.
template <TensorBackend Backend, Scheduler S, Tracer T>
Status run_tasks(Frame<Backend>& frame, S& scheduler, RandomState& random, T& tracer,
                 const RunOptions* limits = nullptr) {
  return detail::TaskRun<Backend, S, T>(frame, scheduler, random, tracer, limits).run();
}

}  // namespace treadle::inline v0
