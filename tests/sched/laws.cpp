// Every scheduler is run through the laws.
#include "support/laws.hpp"

#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/schedulers.hpp"

TEST_CASE_TEMPLATE("every task runs once and helping ends", S, treadle::Inline, treadle::ThreadPool,
                   test::SteppingScheduler, test::MinimalScheduler) {
  S scheduler;
  test::expect_tasks_run_once(scheduler);
}

TEST_CASE_TEMPLATE("a split range is covered once", S, treadle::Serial, treadle::Inline,
                   treadle::ThreadPool, test::SteppingScheduler, test::MinimalScheduler) {
  S scheduler;
  test::expect_ranges_are_covered(scheduler);
}

TEST_CASE("pools of every size obey the laws") {
  for (const std::size_t size : {1, 2, 4, 8}) {
    treadle::ThreadPool pool(size);
    CAPTURE(size);
    CHECK(pool.concurrency() == size);
    test::expect_tasks_run_once(pool);
    test::expect_ranges_are_covered(pool);
  }
}

TEST_CASE("many callers share one pool") {
  treadle::ThreadPool pool(3);
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) callers.emplace_back([&] { test::expect_ranges_are_covered(pool); });
  for (auto& caller : callers) caller.join();
}

TEST_CASE("a stepping scheduler runs tasks in the order that the test chose") {
  using Order = test::SteppingScheduler::Order;
  for (const auto& [order, expected] :
       {std::pair(Order::first_in, 0), std::pair(Order::last_in, 2)}) {
    test::SteppingScheduler scheduler(order);
    std::vector<int> ran;
    struct Item {
      std::vector<int>* ran;
      std::atomic<std::int64_t>* pending;
    };
    std::atomic<std::int64_t> pending{3};
    Item item{&ran, &pending};
    for (std::size_t i = 0; i < 3; ++i)
      scheduler.submit({[](void* context, std::size_t n) noexcept {
                          auto& self = *static_cast<Item*>(context);
                          self.ran->push_back(static_cast<int>(n));
                          self.pending->fetch_sub(1);
                        },
                        &item, i});
    scheduler.help_until_zero(pending);
    REQUIRE(ran.size() == 3);
    CHECK(ran.front() == expected);
  }
}
