// Runs that ask for no memory.
#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/count_allocations.hpp"
#include "support/engine.hpp"
#include "support/programs.hpp"

#if !defined(TREADLE_TEST_TSAN) && !defined(TREADLE_TEST_ASAN)

using Cpu = treadle::cpu::Backend;
using test::vector_of;

namespace {

/// Runs in a steady state; gives how often memory was asked for.
template <class S>
std::int64_t allocations_of_runs(S& scheduler, treadle::GraphModule module) {
  treadle::Executor<Cpu, S> executor(test::bind<Cpu>(std::move(module)), scheduler, {},
                                     test::every_step_a_task());
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 2, 3, 4, 5, 6, 7, 8}),
                                    vector_of<Cpu>({8, 7, 6, 5, 4, 3, 2, 1})};
  auto session = treadle::Session<Cpu, S>::make(executor, inputs);
  REQUIRE(session);
  for (int i = 0; i < 10; ++i) REQUIRE(session->run());
  const std::int64_t before = test::allocations;
  bool good = true;
  for (int i = 0; i < 100; ++i) good &= session->run().has_value();
  const std::int64_t after = test::allocations;
  CHECK(good);
  return after - before;
}

}  // namespace

TEST_CASE_TEMPLATE("a steady run asks for no memory", S, treadle::Serial, treadle::Inline,
                   treadle::ThreadPool) {
  S scheduler;
  CHECK(allocations_of_runs(scheduler, test::wide(32, 3)) == 0);
  CHECK(allocations_of_runs(scheduler, test::wavefront(12)) == 0);
}

#endif
