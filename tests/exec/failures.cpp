// Kernels that fail or throw, one after the other, under every scheduler.
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/engine.hpp"
#include "support/programs.hpp"
#include "support/schedulers.hpp"

using Cpu = treadle::cpu::Backend;
using test::elements_of;
using test::vector_of;
using treadle::cpu::Tensor;

namespace {

enum class Way { fail, raise, raise_in_piece };

/// The call with number `at` goes wrong; calls are counted over all nodes.
struct Trouble {
  std::atomic<int> calls{0};
  int at = 0;
  Way way = Way::fail;
};

/// The backend's own kernels, each of whose calls may go wrong.
treadle::KernelRegistry<Cpu> troubled_kernels(std::shared_ptr<Trouble> trouble) {
  treadle::KernelRegistry<Cpu> kernels;
  const auto each = [&](auto function) {
    return [trouble, function](treadle::RunContext<Cpu>& context, const Tensor& a, const Tensor& b,
                               auto&&... rest) -> treadle::Status {
      auto& out = std::get<sizeof...(rest) - 1>(std::tie(rest...));
      const bool wrong = trouble->calls.fetch_add(1) == trouble->at;
      if (wrong && trouble->way == Way::fail) return context.fail("out of luck");
      if (wrong && trouble->way == Way::raise) throw std::runtime_error("out of luck");
      context.parallel_for(8, 1, [&](std::int64_t begin, std::int64_t end) {
        if (wrong && begin == 0) throw std::runtime_error("out of luck");
        for (std::int64_t i = begin; i < end; ++i) {
          const float right = b.count() == 1 ? 2 : b.template data<float>()[i];
          out.template data<float>()[i] = function(a.template data<float>()[i], right);
        }
      });
      return {};
    };
  };
  kernels.add<"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor">(
      each([](float a, float b) { return a + b; }));
  kernels.add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(
      each([](float a, float b) { return a * b; }));
  return kernels;
}

/// Lets every call go wrong in turn, until a run has none left that could.
template <class S>
void expect_errors_come_back(S& scheduler, treadle::GraphModule module, Way way) {
  auto trouble = std::make_shared<Trouble>();
  auto executable = treadle::Executable<Cpu>::make(std::move(module), {}, troubled_kernels(trouble),
                                                   treadle::standard_ops(), {});
  REQUIRE(executable);
  treadle::Executor<Cpu, S> executor(*executable, scheduler, {}, test::every_step_a_task());
  treadle::State<Cpu> state;
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 2, 3, 4, 5, 6, 7, 8}),
                                    vector_of<Cpu>({8, 7, 6, 5, 4, 3, 2, 1})};
  trouble->at = -1;
  trouble->way = way;
  auto good = executor.run(inputs, state);
  REQUIRE(good);
  const auto expected = elements_of((*good)[0]);
  const int calls = trouble->calls;
  for (int at = 0; at < calls; ++at) {
    CAPTURE(at);
    trouble->calls = 0;
    trouble->at = at;
    const auto failed = executor.run(inputs, state);
    REQUIRE(!failed);
    const std::string message = failed.error().message();
    CHECK(failed.error().code() == treadle::ErrorCode::kernel_failed);
    CHECK(message.find("node 'n") == 0);
    CHECK(message.find("(model.py:31): ") != std::string::npos);
    CHECK(message.find("out of luck") != std::string::npos);
    CHECK(trouble->calls <= calls);
    trouble->at = -1;
    good = executor.run(inputs, state);
    REQUIRE(good);
    CHECK(elements_of((*good)[0]) == expected);
  }
}

template <class S>
void expect_all_errors_come_back(S& scheduler) {
  for (const Way way : {Way::fail, Way::raise, Way::raise_in_piece}) {
    expect_errors_come_back(scheduler, test::wide(5, 3), way);
    expect_errors_come_back(scheduler, test::wavefront(4), way);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("every kernel may fail or throw and the next run works", S, treadle::Serial,
                   treadle::Inline, test::MinimalScheduler) {
  S scheduler;
  expect_all_errors_come_back(scheduler);
}

TEST_CASE("every kernel may fail or throw on pools of every size") {
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    CAPTURE(size);
    treadle::ThreadPool pool(size);
    expect_all_errors_come_back(pool);
  }
}

TEST_CASE("every kernel may fail or throw in any order of tasks") {
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    CAPTURE(seed);
    test::SteppingScheduler scheduler(test::SteppingScheduler::Order::seeded, seed);
    expect_all_errors_come_back(scheduler);
  }
}
