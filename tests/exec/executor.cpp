// The executor on every scheduler and on two backends.
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/kernels.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/backends.hpp"
#include "support/engine.hpp"
#include "support/programs.hpp"
#include "support/schedulers.hpp"

using Cpu = treadle::cpu::Backend;
using test::elements_of;
using test::vector_of;

namespace {

const std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<float> y = {8, 7, 6, 5, 4, 3, 2, 1};
const std::vector<float> expected = {42, 48, 54, 60, 66, 72, 78, 84};

template <class Backend, class S>
std::vector<float> run_diamond(S& scheduler) {
  treadle::Executor<Backend, S> executor(test::bind<Backend>(test::diamond()), scheduler, {},
                                         test::every_step_a_task());
  treadle::State<Backend> state;
  const test::Values<Backend> inputs = {vector_of<Backend>(x), vector_of<Backend>(y)};
  auto outputs = executor.run(inputs, state);
  if (!outputs) FAIL(outputs.error().message());
  return elements_of((*outputs)[0]);
}

}  // namespace

TEST_CASE_TEMPLATE("a diamond gives the same answer on every scheduler", S, treadle::Serial,
                   treadle::Inline, treadle::ThreadPool, test::SteppingScheduler,
                   test::MinimalScheduler) {
  S scheduler;
  CHECK(run_diamond<Cpu>(scheduler) == expected);
  CHECK(run_diamond<test::MinimalBackend>(scheduler) == expected);
}

TEST_CASE("a diamond gives the same bits in twenty task orders") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    test::SteppingScheduler scheduler(test::SteppingScheduler::Order::seeded, seed);
    CHECK(run_diamond<Cpu>(scheduler) == expected);
    CHECK(scheduler.steps() > 0);
  }
}

TEST_CASE_TEMPLATE("reads and writes of a buffer keep their order", S, treadle::Serial,
                   treadle::Inline, treadle::ThreadPool, test::SteppingScheduler) {
  S scheduler;
  treadle::Executor<Cpu, S> executor(test::bind<Cpu>(test::counter(), test::zero_buffer("calls")),
                                     scheduler, {}, test::every_step_a_task());
  auto state = executor.make_state();
  REQUIRE(state);
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 2, 3, 4})};
  for (float run = 1; run < 4; ++run) {
    auto outputs = executor.run(inputs, *state);
    REQUIRE(outputs);
    CHECK(elements_of((*outputs)[0])[1] == 20 * (run - 1));
    CHECK(elements_of((*outputs)[1])[1] == 2 * run);
  }
}

TEST_CASE("two states of one program do not mix") {
  treadle::Serial scheduler;
  treadle::Executor<Cpu, treadle::Serial> executor(
      test::bind<Cpu>(test::counter(), test::zero_buffer("calls")), scheduler);
  auto first = executor.make_state();
  auto second = executor.make_state();
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 1, 1, 1})};
  CHECK(elements_of((*executor.run(inputs, *first))[1])[0] == 1);
  CHECK(elements_of((*executor.run(inputs, *first))[1])[0] == 2);
  CHECK(elements_of((*executor.run(inputs, *second))[1])[0] == 1);
  CHECK(elements_of((*executor.run(inputs, *first))[1])[0] == 3);
}

TEST_CASE("many threads run one executor at once") {
  treadle::ThreadPool pool(2);
  treadle::Executor<Cpu, treadle::ThreadPool> executor(test::bind<Cpu>(test::diamond()), pool, {},
                                                       test::every_step_a_task());
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&] {
      treadle::State<Cpu> state;
      const test::Values<Cpu> inputs = {vector_of<Cpu>(x), vector_of<Cpu>(y)};
      for (int i = 0; i < 50; ++i) {
        auto outputs = executor.run(inputs, state);
        if (!outputs || elements_of((*outputs)[0]) != expected) ++wrong;
      }
    });
  for (auto& caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("every allocation may fail and the next run works") {
  treadle::Serial scheduler;
  const std::vector<float> four = {1, 2, 3, 4};
  for (int n = 0; n < 40; ++n) {
    CAPTURE(n);
    test::FailingBackend backend(n);
    auto weights =
        treadle::Weights<test::FailingBackend>::make(backend, test::zero_buffer("calls"));
    if (!weights) continue;
    auto executable = treadle::Executable<test::FailingBackend>::make(
        test::counter(), *std::move(weights), test::elementwise_kernels<test::FailingBackend>(),
        treadle::standard_ops(), backend);
    REQUIRE(executable);
    treadle::Executor<test::FailingBackend, treadle::Serial> executor(*executable, scheduler);
    auto state = executor.make_state();
    if (!state) {
      CHECK(state.error().code() == treadle::ErrorCode::out_of_memory);
      continue;
    }
    const test::Values<test::FailingBackend> inputs = {vector_of<test::FailingBackend>(four)};
    auto outputs = executor.run(inputs, *state);
    if (outputs) {
      CHECK(n > 3);
      return;
    }
    CHECK(outputs.error().code() == treadle::ErrorCode::out_of_memory);
  }
  FAIL("no number of allocations is enough");
}

TEST_CASE("a failing kernel names its node and line, and the next run works") {
  treadle::Inline scheduler;
  auto kernels = test::elementwise_kernels<Cpu>();
  auto fails = std::make_shared<bool>(true);
  kernels.add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(
      [fails](treadle::RunContext<Cpu>& context, const treadle::cpu::Tensor&,
              const treadle::cpu::Tensor&, treadle::cpu::Tensor& out) -> treadle::Status {
        if (*fails) return context.fail("out of luck");
        for (float& e : out.elements<float>()) e = 1;
        return {};
      });
  auto executable =
      treadle::Executable<Cpu>::make(test::diamond(), {}, kernels, treadle::standard_ops(), {});
  REQUIRE(executable);
  treadle::Executor<Cpu, treadle::Inline> executor(*executable, scheduler);
  treadle::State<Cpu> state;
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x), vector_of<Cpu>(y)};
  const auto failed = executor.run(inputs, state);
  REQUIRE(!failed);
  CHECK(failed.error().message() == "node 'n' aten::mul.Tensor (model.py:31): out of luck");
  *fails = false;
  CHECK(executor.run(inputs, state).has_value());
}

namespace {

/// Runs a program once, on its own.
template <class S>
auto run_alone(treadle::GraphModule module, const treadle::KernelRegistry<Cpu>& kernels,
               const test::Values<Cpu>& inputs) {
  S scheduler;
  auto executable =
      treadle::Executable<Cpu>::make(std::move(module), {}, kernels, treadle::standard_ops(), {});
  if (!executable) FAIL(executable.error().message());
  treadle::Executor<Cpu, S> executor(*executable, scheduler);
  treadle::State<Cpu> state;
  return executor.run(inputs, state);
}

}  // namespace

TEST_CASE_TEMPLATE("a throwing kernel is that run's error", S, treadle::Serial, treadle::Inline,
                   treadle::ThreadPool) {
  auto kernels = test::elementwise_kernels<Cpu>();
  kernels.add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(
      [](treadle::RunContext<Cpu>&, const treadle::cpu::Tensor&, const treadle::cpu::Tensor&,
         treadle::cpu::Tensor&) -> treadle::Status { throw std::runtime_error("boom"); });
  const auto failed =
      run_alone<S>(test::diamond(), kernels, {vector_of<Cpu>(x), vector_of<Cpu>(y)});
  REQUIRE(!failed);
  CHECK(failed.error().message().find("the kernel threw: boom") != std::string::npos);
}

namespace {

/// Fails while it is planned, as containers do when memory ends.
struct ThrowsWhenPrepared {
  struct Prepared {};
  treadle::Result<Prepared> prepare(treadle::PrepareContext<Cpu>&, const treadle::TensorInfo<Cpu>&,
                                    const treadle::TensorInfo<Cpu>&,
                                    const treadle::TensorInfo<Cpu>&) const {
    throw std::runtime_error("boom");
  }
  treadle::Status run(const Prepared&, treadle::RunContext<Cpu>&, const treadle::cpu::Tensor&,
                      const treadle::cpu::Tensor&, treadle::cpu::Tensor&) const {
    return {};
  }
};

}  // namespace

TEST_CASE("what a kernel throws while it is planned is an error") {
  auto kernels = test::elementwise_kernels<Cpu>();
  kernels.add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(ThrowsWhenPrepared{});
  const auto failed =
      run_alone<treadle::Serial>(test::diamond(), kernels, {vector_of<Cpu>(x), vector_of<Cpu>(y)});
  REQUIRE(!failed);
  CHECK(failed.error().message().find(
            "node 'n' aten::mul.Tensor (model.py:31): the kernel threw: boom") !=
        std::string::npos);
}

TEST_CASE("a view of a number holds the number") {
  const treadle::Constant number = std::int64_t{2};
  test::ProgramBuilder b(3);
  const auto in = b.input("x");
  const auto viewed = b.call("aten::unsqueeze", {{"self", treadle::Argument(number)},
                                                 {"dim", treadle::Constant(std::int64_t{0})}});
  const auto sum = b.binary("aten::add.Tensor", in, viewed);
  const auto out = run_alone<treadle::Serial>(b.finish({sum}), treadle::cpu::kernels(),
                                              {vector_of<Cpu>({1, 2, 3})});
  if (!out) FAIL(out.error().message());
  CHECK(elements_of<Cpu>((*out)[0]) == std::vector<float>{3, 4, 5});
}

TEST_CASE("operands of an in-place operator must fit what it writes") {
  test::ProgramBuilder c(3);
  const auto self = c.input("x");
  const auto written = c.call("aten::clone", {{"self", self}});
  const auto index =
      c.call("aten::zeros", {{"size", treadle::Constant(std::vector<std::int64_t>{2})},
                             {"dtype", treadle::Constant(treadle::DType::int64)}});
  const auto put = c.call("aten::index_copy_", {{"self", written},
                                                {"dim", treadle::Constant(std::int64_t{0})},
                                                {"index", index},
                                                {"source", self}});
  const auto failed = run_alone<treadle::Serial>(c.finish({put}), treadle::cpu::kernels(),
                                                 {vector_of<Cpu>({1, 2, 3})});
  REQUIRE(!failed);
  CHECK(failed.error().message().find("does not fit") != std::string::npos);
}

TEST_CASE("all missing kernels and unknown operators are reported at once") {
  test::ProgramBuilder b(4);
  const auto in = b.input("x");
  const auto a = b.binary("aten::sub.Tensor", in, in);
  const auto c = b.binary("mine::unheard_of", a, in);
  auto executable =
      treadle::Executable<Cpu>::make(b.finish({c}), {}, {}, treadle::standard_ops(), {});
  REQUIRE(!executable);
  const std::string message = executable.error().message();
  CHECK(message.find("2 nodes can't be run") != std::string::npos);
  CHECK(message.find("aten::sub.Tensor (model.py:31): no kernel for (float32, float32)") !=
        std::string::npos);
  CHECK(message.find("mine::unheard_of (model.py:31)") != std::string::npos);
}

TEST_CASE("wrong inputs are refused by name") {
  treadle::Serial scheduler;
  treadle::Executor<Cpu, treadle::Serial> executor(test::bind<Cpu>(test::diamond()), scheduler);
  treadle::State<Cpu> state;
  const auto good = vector_of<Cpu>(x);
  const auto doubles = treadle::cpu::Tensor::zeros(treadle::DType::float64, {8});
  const auto matrix = treadle::cpu::Tensor::zeros(treadle::DType::float32, {2, 4});
  const struct {
    test::Values<Cpu> inputs;
    const char* expected;
  } rows[] = {
      {{good}, "expected 2 inputs (x, y), found 1"},
      {{good, good, good}, "expected 2 inputs (x, y), found 3"},
      {{good, *doubles}, "input 'y': the dtype is float64, expected float32"},
      {{good, *matrix}, "input 'y': the rank is 2 (float32[2, 4]), expected 1 ([8])"},
      {{good, vector_of<Cpu>({1, 2})}, "input 'y': size 0 is 2, expected 8"},
      {{good, treadle::Value<Cpu>(3)}, "input 'y': the value is not one, expected a tensor"},
  };
  for (const auto& row : rows) {
    const auto outputs = executor.run(row.inputs, state);
    REQUIRE(!outputs);
    CHECK(outputs.error().message() == row.expected);
    CHECK(outputs.error().code() == treadle::ErrorCode::invalid_argument);
  }
}

TEST_CASE("a session's tensors stay in place and its runs allocate nothing new") {
  treadle::Serial scheduler;
  treadle::Executor<Cpu, treadle::Serial> executor(test::bind<Cpu>(test::diamond()), scheduler);
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x), vector_of<Cpu>(y)};
  auto session = treadle::Session<Cpu, treadle::Serial>::make(executor, inputs);
  REQUIRE(session);
  REQUIRE(session->run());
  const auto* where = session->output(0).bytes();
  CHECK(session->output(0).data<float>()[7] == 84);
  session->input(0).data<float>()[7] = 0;
  REQUIRE(session->run());
  CHECK(session->output(0).bytes() == where);
  CHECK(session->output(0).data<float>()[7] == 4);
}
