// Runs a plan's steps as tasks, in any order that their dependencies allow.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/run.hpp>
#include <treadle/sched/parallel_for.hpp>
#include <treadle/sched/scheduler.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0 {
namespace detail {

/// One run of one frame, shared by the tasks of its steps.
template <TensorBackend Backend, Scheduler S, Tracer T>
class TaskRun {
 public:
  TaskRun(Frame<Backend>& frame, S& scheduler, RandomState& random, T& tracer)
      : frame_(frame), scheduler_(scheduler), random_(random), tracer_(tracer) {}

  Status run() {
    const TaskGraph& graph = frame_.plan().tasks;
    const auto waits = frame_.waits();
    for (std::size_t i = 0; i < waits.size(); ++i)
      waits[i].store(graph.waits[i], std::memory_order_relaxed);
    pending_.store(static_cast<std::int64_t>(waits.size()), std::memory_order_release);
    for (std::size_t i = 1; i < graph.roots.size(); ++i) submit(graph.roots[i]);
    if (!graph.roots.empty()) follow(graph.roots[0]);
    scheduler_.help_until_zero(pending_);
    return std::move(status_);
  }

 private:
  static constexpr std::uint32_t nothing = 0xffff'ffffu;

  void submit(std::uint32_t step) noexcept {
    scheduler_.submit({[](void* self, std::size_t i) noexcept {
                         static_cast<TaskRun*>(self)->follow(static_cast<std::uint32_t>(i));
                       },
                       this, step});
  }

  /// Runs a step, then its first ready successor, and so on; other ready ones become tasks. After
  /// an error the rest is only counted down.
  void follow(std::uint32_t step) noexcept {
    const TaskGraph& graph = frame_.plan().tasks;
    RunContext<Backend> context(frame_.backend(), make_parallel_for(scheduler_), random_);
    while (step != nothing) {
      if (!failed_.load(std::memory_order_relaxed)) execute(step, context);
      std::uint32_t next = nothing;
      for (std::uint32_t k = graph.first[step]; k < graph.first[step + 1]; ++k) {
        const std::uint32_t successor = graph.successors[k];
        if (frame_.waits()[successor].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
        if (next == nothing)
          next = successor;
        else
          submit(successor);
      }
      // The last count lets the run end, and this object with it: nothing may follow.
      if (next == nothing) {
        pending_.fetch_sub(1, std::memory_order_acq_rel);
        return;
      }
      pending_.fetch_sub(1, std::memory_order_acq_rel);
      step = next;
    }
  }

  void execute(std::uint32_t index, RunContext<Backend>& context) noexcept {
    const auto& step = frame_.plan().steps[index];
    tracer_.on_begin(step.node);
    auto status = guarded(step, context);
    tracer_.on_end(step.node);
    if (status) return;
    if (!failed_.exchange(true, std::memory_order_acq_rel))
      status_ = at_node(std::move(status).error(), frame_, step.node);
  }

  Status guarded(const Step<Backend>& step, RunContext<Backend>& context) noexcept {
#if defined(__cpp_exceptions)
    try {
      return run_step(step, frame_, context);
    } catch (...) {
      return current_exception_error();
    }
#else
    return run_step(step, frame_, context);
#endif
  }

  Frame<Backend>& frame_;
  S& scheduler_;
  RandomState& random_;
  T& tracer_;
  std::atomic<std::int64_t> pending_{0};
  std::atomic<bool> failed_{false};
  Status status_;
};

}  // namespace detail

/// Runs every step of the frame's plan, which was made for a partial order, on the scheduler. The
/// caller helps. The first error is returned after all tasks have ended.
template <TensorBackend Backend, Scheduler S, Tracer T>
Status run_tasks(Frame<Backend>& frame, S& scheduler, RandomState& random, T& tracer) {
  return detail::TaskRun<Backend, S, T>(frame, scheduler, random, tracer).run();
}

}  // namespace treadle::inline v0
