// Dependency order on the caller's thread: the task path without threads.
#pragma once

#include <vector>

#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0 {

/// Keeps submitted tasks and runs them, last in first out, when the caller helps. The smallest
/// model of `Scheduler`; for one thread at a time.
class Inline {
 public:
  [[nodiscard]] static constexpr std::size_t concurrency() noexcept { return 1; }
  void submit(Task task) noexcept { tasks_.push_back(task); }
  void help_until_zero(std::atomic<std::int64_t>& pending) noexcept {
    while (pending.load(std::memory_order_acquire) > 0 && !tasks_.empty()) {
      const Task task = tasks_.back();
      tasks_.pop_back();
      task.run();
    }
  }

 private:
  std::vector<Task> tasks_;
};

static_assert(Scheduler<Inline>);

}  // namespace treadle::inline v0
