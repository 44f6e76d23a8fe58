// What every scheduler that threads share must do, as checks that any such model can be run
// through.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/sched/scheduler.hpp>

#include "support/laws.hpp"

namespace test {

/// Runs `body(number)` on so many threads at once.
template <class Body>
void on_threads(int threads, Body body) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back([&body, i] { body(i); });
  for (auto& thread : all) thread.join();
}

/// Callers do not see each other.
template <treadle::Scheduler S>
void expect_callers_share(S& scheduler) {
  on_threads(4, [&](int) {
    expect_writes_are_seen(scheduler, 1000);
    expect_tasks_run_once(scheduler);
    expect_ranges_are_covered(scheduler);
  });
}

struct Countdown {
  std::atomic<std::int64_t> pending{0};

  static void step(void* context, std::size_t) noexcept {
    static_cast<Countdown*>(context)->pending.fetch_sub(1, std::memory_order_acq_rel);
  }
};

/// Tasks of threads that do not help themselves end the wait of one that does.
template <treadle::Scheduler S>
void expect_foreign_submits(S& scheduler) {
  Countdown run;
  run.pending.store(4 * 500);
  std::thread submitters([&] {
    on_threads(4, [&](int) {
      for (int i = 0; i < 500; ++i) scheduler.submit({&Countdown::step, &run, 0});
    });
  });
  scheduler.help_until_zero(run.pending);
  submitters.join();
  CHECK(run.pending.load() == 0);
}

/// Threads that went to sleep wake up for work that comes late, again and again.
template <treadle::Scheduler S>
void expect_no_wake_up_is_lost(S& scheduler, int rounds = 30) {
  for (int i = 0; i < rounds; ++i) {
    Countdown run;
    run.pending.store(3);
    std::thread late([&] {
      for (int k = 0; k < 3; ++k) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        scheduler.submit({&Countdown::step, &run, 0});
      }
    });
    scheduler.help_until_zero(run.pending);
    late.join();
    CHECK(run.pending.load() == 0);
  }
}

/// Tasks run although nobody helps.
template <treadle::Scheduler S>
void expect_tasks_run_unwatched(S& scheduler) {
  Countdown run;
  run.pending.store(100);
  for (int i = 0; i < 100; ++i) scheduler.submit({&Countdown::step, &run, 0});
  while (run.pending.load(std::memory_order_acquire) > 0) std::this_thread::yield();
  CHECK(run.pending.load() == 0);
}

/// All laws for many callers. A pool without threads of its own runs nothing unwatched.
template <treadle::Scheduler S>
void expect_threaded_laws(S& scheduler, bool has_threads = true) {
  expect_callers_share(scheduler);
  expect_foreign_submits(scheduler);
  expect_no_wake_up_is_lost(scheduler);
  if (has_threads) expect_tasks_run_unwatched(scheduler);
}

}  // namespace test
