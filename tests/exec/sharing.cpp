// One pool, one program, many callers.
#include <atomic>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/engine.hpp"
#include "support/programs.hpp"
#include "support/threaded_laws.hpp"

using Cpu = treadle::cpu::Backend;
using test::elements_of;
using test::vector_of;

namespace {

test::Values<Cpu> inputs_for(int caller) {
  std::vector<float> x, y;
  for (int i = 0; i < 8; ++i) {
    x.push_back(static_cast<float>(caller + i) / 8);
    y.push_back(static_cast<float>(caller - i) / 4);
  }
  return {vector_of<Cpu>(x), vector_of<Cpu>(y)};
}

}  // namespace

TEST_CASE("eight threads call one program on one pool for a while") {
  for (const std::size_t size : {1U, 2U, 4U}) {
    CAPTURE(size);
    treadle::ThreadPool pool(size);
    treadle::Serial serial;
    treadle::Executor<Cpu, treadle::Serial> alone(test::bind<Cpu>(test::wavefront(6)), serial);
    treadle::Executor<Cpu, treadle::ThreadPool> shared(test::bind<Cpu>(test::wavefront(6)), pool,
                                                       {}, test::every_step_a_task());
    std::vector<std::vector<float>> expected;
    for (int caller = 0; caller < 8; ++caller) {
      treadle::State<Cpu> state;
      expected.push_back(elements_of((*alone.run(inputs_for(caller), state))[0]));
    }
    std::atomic<int> wrong{0};
    test::on_threads(8, [&](int caller) {
      treadle::State<Cpu> state;
      const auto inputs = inputs_for(caller);
      for (int i = 0; i < 100; ++i) {
        const auto outputs = shared.run(inputs, state);
        if (!outputs || elements_of((*outputs)[0]) != expected[static_cast<std::size_t>(caller)])
          ++wrong;
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("different programs share a pool") {
  treadle::ThreadPool pool(3);
  test::on_threads(6, [&](int caller) {
    auto module = caller % 2 == 0 ? test::wide(6, 4) : test::wavefront(5);
    treadle::Executor<Cpu, treadle::ThreadPool> executor(test::bind<Cpu>(std::move(module)), pool,
                                                         {}, test::every_step_a_task());
    treadle::State<Cpu> state;
    const auto first = executor.run(inputs_for(caller), state);
    REQUIRE(first);
    for (int i = 0; i < 50; ++i) {
      const auto again = executor.run(inputs_for(caller), state);
      REQUIRE(again);
      CHECK(elements_of((*again)[0]) == elements_of((*first)[0]));
    }
  });
}
