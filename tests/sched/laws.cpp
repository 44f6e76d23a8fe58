// Every scheduler is run through the laws.
#include "support/laws.hpp"

#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/schedulers.hpp"

TEST_CASE_TEMPLATE("every scheduler obeys the laws", S, treadle::Inline, treadle::ThreadPool,
                   test::SteppingScheduler, test::MinimalScheduler) {
  S scheduler;
  test::expect_scheduler_laws(scheduler);
}

TEST_CASE("the serial scheduler covers ranges and passes exceptions on") {
  treadle::Serial scheduler;
  test::expect_ranges_are_covered(scheduler);
  test::expect_nested_ranges_are_covered(scheduler, 1);
  test::expect_exceptions_come_back(scheduler);
}

TEST_CASE("the laws hold in twenty orders of tasks") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    test::SteppingScheduler scheduler(test::SteppingScheduler::Order::seeded, seed);
    test::expect_tasks_run_once(scheduler);
    test::expect_ranges_are_covered(scheduler);
    test::expect_nested_ranges_are_covered(scheduler, 3);
  }
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
