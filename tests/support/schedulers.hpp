// Schedulers for tests: ones that do only what the concept says, in an order that the test chooses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <treadle/sched/scheduler.hpp>

namespace test {

/// Runs tasks one at a time on the caller's thread, in an order that the test chooses.
class SteppingScheduler {
 public:
  enum class Order { first_in, last_in, seeded };

  explicit SteppingScheduler(Order order = Order::first_in, std::uint32_t seed = 0)
      : order_(order), random_(seed) {}

  [[nodiscard]] static std::size_t concurrency() noexcept { return 3; }
  void submit(treadle::Task task) noexcept { tasks_.push_back(task); }
  void help_until_zero(std::atomic<std::int64_t>& pending) noexcept {
    while (pending.load(std::memory_order_acquire) > 0 && !tasks_.empty()) {
      const std::size_t at = pick();
      const treadle::Task task = tasks_[at];
      tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(at));
      ++steps_;
      task.run();
    }
  }
  [[nodiscard]] std::size_t steps() const noexcept { return steps_; }

 private:
  std::size_t pick() {
    if (order_ == Order::first_in) return 0;
    if (order_ == Order::last_in) return tasks_.size() - 1;
    return random_() % tasks_.size();
  }

  Order order_;
  std::mt19937 random_;
  std::vector<treadle::Task> tasks_;
  std::size_t steps_ = 0;
};

static_assert(treadle::Scheduler<SteppingScheduler>);

/// Exactly the concept, nothing more: runs a task at once.
struct MinimalScheduler {
  [[nodiscard]] std::size_t concurrency() const noexcept { return 1; }
  void submit(treadle::Task task) noexcept { task.run(); }
  void help_until_zero(std::atomic<std::int64_t>&) noexcept {}
};

static_assert(treadle::Scheduler<MinimalScheduler>);

}  // namespace test
