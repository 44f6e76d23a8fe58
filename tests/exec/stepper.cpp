// Running a session one node at a time.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/exec/stepper.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>

#include "support/control_programs.hpp"
#include "support/engine.hpp"
#include "support/programs.hpp"

using Cpu = treadle::cpu::Backend;
using test::elements_of;
using test::vector_of;
using Stepper = treadle::Stepper<Cpu>;

namespace {

std::string message_of(const treadle::Result<treadle::Value<Cpu>>& value) {
  return value ? "no error" : value.error().message();
}

float first_of(Stepper& stepper, const char* name) {
  const auto value = stepper.value(name);
  if (!value) FAIL(value.error().message());
  return elements_of(*value)[0];
}

}  // namespace

TEST_CASE_TEMPLATE("a stepper runs node by node and shows values on the way", S, treadle::Serial,
                   treadle::Inline) {
  S scheduler;
  treadle::Executor<Cpu, S> executor(test::bind<Cpu>(test::diamond(4)), scheduler);
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 2, 3, 4}), vector_of<Cpu>({5, 5, 5, 5})};
  auto session = treadle::Session<Cpu, S>::make(executor, inputs);
  REQUIRE(session);
  Stepper stepper(*session);
  CHECK(stepper.step_count() == 11);
  REQUIRE(stepper.current());
  CHECK(stepper.current()->name == "n");
  CHECK(first_of(stepper, "x") == 1);
  CHECK(message_of(stepper.value("n_1")) ==
        "'n_1' is not computed yet: it takes node 'n_1' aten::add.Tensor (model.py:31)");
  CHECK(message_of(stepper.value("z")) == "the program has no value 'z'");
  REQUIRE(stepper.next());
  CHECK(first_of(stepper, "n") == 1);
  REQUIRE(stepper.run_to("n_5"));
  CHECK(stepper.current()->name == "n_5");
  CHECK(stepper.position() == 5);
  CHECK(first_of(stepper, "n_4") == 3);
  CHECK(message_of(stepper.value("n")).starts_with("'n' is gone: its memory serves others since"));
  REQUIRE(stepper.run_to_end());
  CHECK(stepper.at_end());
  CHECK(stepper.current() == nullptr);
  CHECK(first_of(stepper, "n_10") == 30);
  CHECK(session->output(0).template data<float>()[0] == 30);
  CHECK(stepper.next());
}

TEST_CASE("a stepper says why it can't stop at a node") {
  treadle::Serial scheduler;
  treadle::Executor<Cpu, treadle::Serial> executor(test::bind<Cpu>(test::branching()), scheduler);
  auto session = treadle::Session<Cpu, treadle::Serial>::make(
      executor, test::Values<Cpu>{vector_of<Cpu>({1, 2, 3, 4})});
  REQUIRE(session);
  Stepper stepper(*session);
  REQUIRE(stepper.run_to("n_2"));
  CHECK(first_of(stepper, "n_1") == 6);
  CHECK(stepper.run_to("n").error().message() == "node 'n' has run already");
  CHECK(stepper.run_to("m").error().message() == "the program has no node 'm'");
  CHECK(stepper.position() == 2);
  REQUIRE(stepper.next());
  CHECK(stepper.at_end());
  stepper.restart();
  CHECK(stepper.current()->name == "n");
}

TEST_CASE("what a program remembers goes on from stepped run to run") {
  treadle::Serial scheduler;
  treadle::Executor<Cpu, treadle::Serial> executor(
      test::bind<Cpu>(test::counter(), test::zero_buffer("calls")), scheduler);
  auto session = treadle::Session<Cpu, treadle::Serial>::make(
      executor, test::Values<Cpu>{vector_of<Cpu>({1, 1, 1, 1})});
  REQUIRE(session);
  Stepper stepper(*session);
  REQUIRE(stepper.run_to_end());
  stepper.restart();
  REQUIRE(stepper.next());
  CHECK(first_of(stepper, "calls") == 1);
  REQUIRE(stepper.next());
  CHECK(first_of(stepper, "calls") == 2);
  REQUIRE(stepper.run_to_end());
  REQUIRE(session->run());
  CHECK(session->output(1).data<float>()[0] == 3);
}

TEST_CASE("a failing node stays current") {
  treadle::Serial scheduler;
  auto kernels = test::elementwise_kernels<Cpu>();
  kernels.add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(
      [](treadle::RunContext<Cpu>& context, const treadle::cpu::Tensor&,
         const treadle::cpu::Tensor&,
         treadle::cpu::Tensor&) -> treadle::Status { return context.fail("out of luck"); });
  auto executable =
      treadle::Executable<Cpu>::make(test::branching(), {}, kernels, treadle::standard_ops(), {});
  REQUIRE(executable);
  treadle::Executor<Cpu, treadle::Serial> executor(*executable, scheduler);
  auto session = treadle::Session<Cpu, treadle::Serial>::make(
      executor, test::Values<Cpu>{vector_of<Cpu>({1, 1, 1, 1})});
  REQUIRE(session);
  Stepper stepper(*session);
  const auto status = stepper.next();
  REQUIRE(!status);
  CHECK(status.error().message() == "node 'n' aten::mul.Tensor (model.py:31): out of luck");
  CHECK(stepper.position() == 0);
}
