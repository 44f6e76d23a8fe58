// Runs that are told to stop, and runs with a deadline.
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/engine.hpp"
#include "support/programs.hpp"
#include "support/schedulers.hpp"

using Cpu = treadle::cpu::Backend;
using test::vector_of;
using treadle::cpu::Tensor;

namespace {

using Clock = std::chrono::steady_clock;

/// Multiplications call `hook`, additions do nothing.
template <class Hook>
std::shared_ptr<const treadle::Executable<Cpu>> bind_hooked(treadle::GraphModule module,
                                                            Hook hook) {
  treadle::KernelRegistry<Cpu> kernels;
  kernels.add<"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor">(
      [](treadle::RunContext<Cpu>&, const Tensor&, const Tensor&, treadle::Scalar,
         Tensor&) -> treadle::Status { return {}; });
  kernels.add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(
      [hook](treadle::RunContext<Cpu>&, const Tensor&, const Tensor&, Tensor&) -> treadle::Status {
        hook();
        return {};
      });
  auto executable =
      treadle::Executable<Cpu>::make(std::move(module), {}, kernels, treadle::standard_ops(), {});
  REQUIRE(executable);
  return *executable;
}

const auto inputs_of_eight = [] {
  return test::Values<Cpu>{vector_of<Cpu>({1, 2, 3, 4, 5, 6, 7, 8}),
                           vector_of<Cpu>({8, 7, 6, 5, 4, 3, 2, 1})};
};

}  // namespace

TEST_CASE_TEMPLATE("a run stops when another thread says so", S, treadle::Serial, treadle::Inline,
                   treadle::ThreadPool, test::SteppingScheduler) {
  S scheduler;
  std::atomic<bool> stop{false}, reached{false};
  const auto wait = [&] {
    reached = true;
    while (!stop) std::this_thread::yield();
  };
  treadle::Executor<Cpu, S> executor(bind_hooked(test::wide(4, 3), wait), scheduler, {},
                                     test::every_step_a_task());
  treadle::State<Cpu> state;
  std::thread other([&] {
    while (!reached) std::this_thread::yield();
    stop = true;
  });
  const auto stopped = executor.run(inputs_of_eight(), state, {.stop = &stop});
  other.join();
  REQUIRE(!stopped);
  CHECK(stopped.error().code() == treadle::ErrorCode::cancelled);
  const std::string message = stopped.error().message();
  CHECK(message.find("node 'n") == 0);
  CHECK(message.find("(model.py:31): the run was cancelled before this node") != std::string::npos);
  CHECK(executor.run(inputs_of_eight(), state).has_value());
  stop = false;
}

TEST_CASE_TEMPLATE("a run stops at its deadline", S, treadle::Serial, treadle::Inline,
                   treadle::ThreadPool, test::SteppingScheduler) {
  S scheduler;
  std::atomic<bool> slow{true};
  const auto deadline = Clock::now() + std::chrono::milliseconds(300);
  const auto wait = [&] {
    while (slow && Clock::now() <= deadline) std::this_thread::yield();
  };
  treadle::Executor<Cpu, S> executor(bind_hooked(test::wide(4, 3), wait), scheduler, {},
                                     test::every_step_a_task());
  treadle::State<Cpu> state;
  const auto late = executor.run(inputs_of_eight(), state, {.deadline = deadline});
  REQUIRE(!late);
  CHECK(late.error().code() == treadle::ErrorCode::deadline_exceeded);
  CHECK(late.error().message().find("the deadline passed before this node") != std::string::npos);
  slow = false;
  CHECK(executor.run(inputs_of_eight(), state).has_value());
  const auto soon = Clock::now() + std::chrono::hours(1);
  CHECK(executor.run(inputs_of_eight(), state, {.deadline = soon}).has_value());
}

TEST_CASE_TEMPLATE("a run that is late already runs nothing", S, treadle::Serial,
                   treadle::ThreadPool) {
  S scheduler;
  std::atomic<int> calls{0};
  treadle::Executor<Cpu, S> executor(bind_hooked(test::wide(4, 3), [&] { ++calls; }), scheduler, {},
                                     test::every_step_a_task());
  treadle::State<Cpu> state;
  const auto late = executor.run(inputs_of_eight(), state, {.deadline = Clock::now()});
  REQUIRE(!late);
  CHECK(late.error().message() ==
        "node 'n' aten::add.Tensor (model.py:31): the deadline passed before this node");
  CHECK(calls == 0);
}

TEST_CASE("a session's run stops too, and its next one works") {
  treadle::Serial scheduler;
  treadle::Executor<Cpu, treadle::Serial> executor(bind_hooked(test::wide(4, 3), [] {}), scheduler);
  const auto inputs = inputs_of_eight();
  auto session = treadle::Session<Cpu, treadle::Serial>::make(executor, inputs);
  REQUIRE(session);
  const std::atomic<bool> stop{true};
  const auto stopped = session->run({.stop = &stop});
  REQUIRE(!stopped);
  CHECK(stopped.error().code() == treadle::ErrorCode::cancelled);
  CHECK(session->run().has_value());
}
