// The scheduler concept: who runs the tasks.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <treadle/core/function_ref.hpp>

namespace treadle::inline v0 {

/// A piece of work: a function with two words for it. Trivially copyable, so that a queue may hold
/// it by value; `run` does not throw.
struct Task {
  void (*function)(void* context, std::size_t argument) noexcept = nullptr;
  void* context = nullptr;
  std::size_t argument = 0;

  void run() const noexcept { function(context, argument); }
};

/// What the engine asks of a scheduler:
/// - `concurrency()`: how many tasks may run at once, at least 1, the caller's thread included;
/// - `submit(task)`: runs the task once, now or later, on any thread; callable from any thread,
/// also
///   from inside a task;
/// - `help_until_zero(pending)`: returns when `pending` is 0; meanwhile may run submitted tasks on
///   the calling thread. Other threads lower `pending`, with release order.
/// None of them throws. The smallest model is `Inline`.
template <class S>
concept Scheduler =
    requires(S& scheduler, const S& constant, Task task, std::atomic<std::int64_t>& pending) {
      { constant.concurrency() } noexcept -> std::convertible_to<std::size_t>;
      { scheduler.submit(task) } noexcept;
      { scheduler.help_until_zero(pending) } noexcept;
    };

/// Refinement: one thread, in order. The executor becomes a plain loop without one atomic. A model
/// says so with `static constexpr bool is_serial = true` and needs no other member.
template <class S>
concept SerialScheduler = requires { requires S::is_serial; };

template <class S>
concept AnyScheduler = SerialScheduler<S> || Scheduler<S>;

/// How a kernel splits its work: a two-word handle that hides which scheduler is behind it.
class ParallelFor {
 public:
  using Range = FunctionRef<void(std::int64_t begin, std::int64_t end)>;
  using Split = void (*)(void* scheduler, std::int64_t count, std::int64_t grain, Range range);

  /// Runs everything on the calling thread.
  constexpr ParallelFor() noexcept = default;
  /// `scheduler` must outlive this.
  constexpr ParallelFor(void* scheduler, Split split) noexcept
      : scheduler_(scheduler), split_(split) {}

  /// Calls `range(begin, end)` on disjoint pieces of [0, count) and returns when all are done. No
  /// piece is shorter than `grain`, the last one excepted; choose it by cost (about 20 µs of work),
  /// never by the number of threads. Pieces may run at the same time.
  void operator()(std::int64_t count, std::int64_t grain, Range range) const {
    if (count <= 0) return;
    if (!split_ || count <= grain) return range(0, count);
    split_(scheduler_, count, grain, range);
  }

 private:
  void* scheduler_ = nullptr;
  Split split_ = nullptr;
};

}  // namespace treadle::inline v0
