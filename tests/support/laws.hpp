// What every model of a policy must do, as checks that any model can be run through.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/sched/parallel_for.hpp>
#include <treadle/sched/scheduler.hpp>

namespace test {

/// Counts itself, and starts two more of its kind until `depth` is used up.
template <treadle::Scheduler S>
struct Branching {
  S* scheduler;
  std::atomic<std::int64_t> pending{0};
  std::atomic<int> ran{0};

  static void run(void* context, std::size_t depth) noexcept {
    auto& self = *static_cast<Branching*>(context);
    self.ran.fetch_add(1);
    if (depth > 0) {
      self.pending.fetch_add(2);
      self.scheduler->submit({&run, context, depth - 1});
      self.scheduler->submit({&run, context, depth - 1});
    }
    self.pending.fetch_sub(1, std::memory_order_acq_rel);
  }
};

/// Every submitted task runs once, tasks may submit tasks, helping returns at zero.
template <treadle::Scheduler S>
void expect_tasks_run_once(S& scheduler) {
  CHECK(scheduler.concurrency() >= 1);
  for (int round = 0; round < 20; ++round) {
    Branching<S> tree{&scheduler};
    tree.pending.store(1);
    scheduler.submit({&Branching<S>::run, &tree, 6});
    scheduler.help_until_zero(tree.pending);
    CHECK(tree.pending.load() == 0);
    CHECK(tree.ran.load() == 127);
  }
}

/// A split range is covered once, whatever the grain.
template <treadle::AnyScheduler S>
void expect_ranges_are_covered(S& scheduler) {
  const auto parallel_for = treadle::make_parallel_for(scheduler);
  for (const std::int64_t count : {0, 1, 7, 1000})
    for (const std::int64_t grain : {1, 3, 64, 5000}) {
      std::vector<std::atomic<int>> hits(static_cast<std::size_t>(count));
      parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) hits[static_cast<std::size_t>(i)].fetch_add(1);
      });
      for (const auto& hit : hits) CHECK(hit.load() == 1);
    }
}

}  // namespace test
