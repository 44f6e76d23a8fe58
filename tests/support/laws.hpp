// What every model of a policy must do, as checks that any model can be run through.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
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

/// More tasks than any queue was made for, each told from the others by its argument. What they
/// write, without atomics, is there when helping returns.
template <treadle::Scheduler S>
void expect_writes_are_seen(S& scheduler, std::size_t tasks = 5000) {
  struct Run {
    std::vector<std::size_t> seen;
    std::atomic<std::int64_t> pending{0};
  } run;
  run.seen.assign(tasks, 0);
  run.pending.store(static_cast<std::int64_t>(tasks));
  for (std::size_t i = 0; i < tasks; ++i)
    scheduler.submit({[](void* context, std::size_t n) noexcept {
                        auto& self = *static_cast<Run*>(context);
                        self.seen[n] += n + 1;
                        self.pending.fetch_sub(1, std::memory_order_acq_rel);
                      },
                      &run, i});
  scheduler.help_until_zero(run.pending);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < tasks; ++i) wrong += run.seen[i] != i + 1;
  CHECK(wrong == 0);
}

/// Helping returns at once if there is nothing to wait for.
template <treadle::Scheduler S>
void expect_zero_returns(S& scheduler) {
  std::atomic<std::int64_t> none{0};
  scheduler.help_until_zero(none);
  CHECK(none.load() == 0);
}

/// A split range is covered once, whatever the grain; pieces begin at multiples of it.
template <treadle::AnyScheduler S>
void expect_ranges_are_covered(S& scheduler) {
  const auto parallel_for = treadle::make_parallel_for(scheduler);
  for (const std::int64_t count : {0, 1, 7, 1000})
    for (const std::int64_t grain : {1, 3, 64, 5000}) {
      std::vector<std::atomic<int>> hits(static_cast<std::size_t>(count));
      std::atomic<int> odd{0};
      parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
        if (begin % grain != 0) ++odd;
        for (std::int64_t i = begin; i < end; ++i) hits[static_cast<std::size_t>(i)].fetch_add(1);
      });
      for (const auto& hit : hits) CHECK(hit.load() == 1);
      CHECK(odd == 0);
    }
}

/// Ranges split inside ranges are covered once, and no more bodies run at a time than the scheduler
/// has threads.
template <treadle::AnyScheduler S>
void expect_nested_ranges_are_covered(S& scheduler, std::int64_t threads) {
  const auto parallel_for = treadle::make_parallel_for(scheduler);
  std::vector<std::atomic<int>> hits(400);
  std::atomic<std::int64_t> inside{0}, most{0};
  parallel_for(20, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      parallel_for(20, 2, [&](std::int64_t first, std::int64_t last) {
        const std::int64_t now = inside.fetch_add(1) + 1;
        std::int64_t seen = most.load();
        while (seen < now && !most.compare_exchange_weak(seen, now)) {
        }
        for (std::int64_t k = first; k < last; ++k)
          hits[static_cast<std::size_t>(20 * i + k)].fetch_add(1);
        inside.fetch_sub(1);
      });
  });
  for (const auto& hit : hits) CHECK(hit.load() == 1);
  CHECK(most.load() <= threads);
}

/// What a piece throws comes out of the call on the caller's thread, and the next split works.
template <treadle::AnyScheduler S>
void expect_exceptions_come_back(S& scheduler) {
  const auto parallel_for = treadle::make_parallel_for(scheduler);
  for (const std::int64_t bad : {0, 13, 99}) {
    std::string what;
    try {
      parallel_for(100, 1, [&](std::int64_t begin, std::int64_t end) {
        if (begin <= bad && bad < end) throw std::runtime_error("piece " + std::to_string(bad));
      });
    } catch (const std::runtime_error& e) {
      what = e.what();
    }
    CHECK(what == "piece " + std::to_string(bad));
  }
  std::atomic<std::int64_t> sum{0};
  parallel_for(100, 1, [&](std::int64_t begin, std::int64_t end) { sum += end - begin; });
  CHECK(sum == 100);
}

/// All laws for one caller.
template <treadle::Scheduler S>
void expect_scheduler_laws(S& scheduler) {
  expect_zero_returns(scheduler);
  expect_tasks_run_once(scheduler);
  expect_writes_are_seen(scheduler);
  expect_ranges_are_covered(scheduler);
  expect_nested_ranges_are_covered(scheduler, static_cast<std::int64_t>(scheduler.concurrency()));
  expect_exceptions_come_back(scheduler);
}

}  // namespace test
