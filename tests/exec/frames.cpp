// How many runs may go on, what waits for the next one, and sessions of several shapes.
#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/sched/serial.hpp>

#include "support/engine.hpp"
#include "support/programs.hpp"

using Cpu = treadle::cpu::Backend;
using test::elements_of;
using test::vector_of;

namespace {

/// A program whose only kernel waits until it is let go.
struct Gate {
  std::atomic<int> inside{0};
  std::atomic<bool> open{false};
};

std::shared_ptr<const treadle::Executable<Cpu>> gated(Gate& gate) {
  test::ProgramBuilder builder(4);
  const auto x = builder.input("x");
  treadle::KernelRegistry<Cpu> kernels;
  kernels.add<"aten::relu(Tensor self) -> Tensor">(
      [&gate](treadle::RunContext<Cpu>&, const treadle::cpu::Tensor&, treadle::cpu::Tensor&) {
        ++gate.inside;
        while (!gate.open) std::this_thread::yield();
        --gate.inside;
        return treadle::Status();
      });
  auto module = builder.finish({builder.call("aten::relu", {{"self", x}})});
  auto executable =
      treadle::Executable<Cpu>::make(std::move(module), {}, kernels, treadle::standard_ops(), {});
  REQUIRE(executable);
  return *std::move(executable);
}

void wait_for(const std::atomic<int>& value, int wanted) {
  while (value != wanted) std::this_thread::yield();
}

/// x + x of one to six elements.
std::shared_ptr<const treadle::Executable<Cpu>> doubled() {
  test::ProgramBuilder builder(4);
  const auto x = builder.input("x");
  auto module = builder.finish({builder.binary("aten::add.Tensor", x, x)});
  const auto v = module.graph.inputs()[0];
  module.graph.value(v).tensor =
      treadle::make_type(treadle::DType::float32, {treadle::SymInt(treadle::make_symbol("s0"))});
  module.ranges["s0"] = {1, 6};
  return test::bind<Cpu>(std::move(module));
}

}  // namespace

TEST_CASE("no more runs than allowed go on at once; try_run says busy") {
  Gate gate;
  treadle::Serial scheduler;
  treadle::Executor<Cpu, treadle::Serial> executor(gated(gate), scheduler, {},
                                                   {.max_concurrent_runs = 2});
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 2, 3, 4})};
  std::vector<std::thread> threads;
  std::atomic<int> done{0};
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      treadle::State<Cpu> state;
      if (executor.run(inputs, state)) ++done;
    });
  wait_for(gate.inside, 2);
  treadle::State<Cpu> state;
  const auto busy = executor.try_run(inputs, state);
  REQUIRE_FALSE(busy);
  CHECK(busy.error().code() == treadle::ErrorCode::busy);
  CHECK(gate.inside == 2);
  gate.open = true;
  for (auto& thread : threads) thread.join();
  CHECK(done == 3);
  CHECK(executor.try_run(inputs, state));
}

TEST_CASE("frames that a burst of runs made are freed when nobody needs them") {
  Gate gate;
  treadle::Serial scheduler;
  treadle::Executor<Cpu, treadle::Serial> executor(gated(gate), scheduler);
  auto plan = executor.plan_for(test::Values<Cpu>{vector_of<Cpu>({1, 2, 3, 4})});
  REQUIRE(plan);
  treadle::FramePool<Cpu> pool(4);
  std::vector<std::unique_ptr<treadle::Frame<Cpu>>> burst;
  for (int i = 0; i < 6; ++i) burst.push_back(*pool.acquire(*plan));
  for (auto& frame : burst) pool.release(std::move(frame));
  CHECK(pool.idle() == 4);
  for (int i = 0; i < 2000; ++i) pool.release(*pool.acquire(*plan));
  CHECK(pool.idle() == 1);
  pool.trim();
  CHECK(pool.idle() == 0);
}

TEST_CASE("a session of several shapes switches between them") {
  treadle::Serial scheduler;
  treadle::Executor<Cpu, treadle::Serial> executor(doubled(), scheduler);
  auto session = treadle::Session<Cpu, treadle::Serial>::make(
      executor, test::Values<Cpu>{vector_of<Cpu>({1, 2, 3, 4})});
  if (!session) FAIL(session.error().message());
  REQUIRE(session->add_all_shapes());
  CHECK(session->shape_count() == 6);
  CHECK(session->add_all_shapes(3).error().code() == treadle::ErrorCode::limit_exceeded);
  for (std::int64_t n = 1; n <= 6; ++n) {
    const treadle::Dims sizes[] = {{n}};
    const auto shape = session->find_shape(sizes);
    REQUIRE(shape < session->shape_count());
    session->select_shape(shape);
    auto elements = session->input(0).elements<float>();
    REQUIRE(elements.size() == static_cast<std::size_t>(n));
    for (auto& element : elements) element = static_cast<float>(n);
    REQUIRE(session->run());
    CHECK(session->output(0).elements<float>()[elements.size() - 1] == static_cast<float>(2 * n));
  }
  const treadle::Dims unknown[] = {{7}};
  CHECK(session->find_shape(unknown) == session->shape_count());
}

TEST_CASE("plans come and go while memory is trimmed and weights are swapped") {
  treadle::Serial scheduler;
  treadle::ExecutorOptions options;
  options.max_plans = 2;
  treadle::Executor<Cpu, treadle::Serial> executor(doubled(), scheduler, {}, options);
  std::atomic<bool> stop{false};
  std::atomic<int> bad{0}, runs{0};
  std::vector<std::thread> others;
  for (std::size_t t = 0; t < 2; ++t)
    others.emplace_back([&, t] {
      treadle::State<Cpu> state;
      for (std::size_t n = 1 + 3 * t; !stop; n = n % 6 + 1) {
        const auto outputs =
            executor.run(test::Values<Cpu>{vector_of<Cpu>(std::vector<float>(n, 1))}, state);
        if (!outputs || elements_of((*outputs)[0]) != std::vector<float>(n, 2)) ++bad;
        ++runs;
      }
    });
  for (int i = 0; i < 2000 || runs < 2000; ++i) {
    executor.trim();
    if (!executor.update_weights({})) ++bad;
  }
  stop = true;
  for (auto& other : others) other.join();
  CHECK(bad == 0);
}
