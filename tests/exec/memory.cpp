// Memory of plans: results in place of arguments, and arenas that the caller lends.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/elementwise.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>

#include "support/backends.hpp"
#include "support/engine.hpp"
#include "support/programs.hpp"
#include "support/schedulers.hpp"

using Cpu = treadle::cpu::Backend;
using test::elements_of;
using test::vector_of;
using treadle::Constant;
using treadle::ValueId;

namespace {

const std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8};

std::shared_ptr<const treadle::Executable<Cpu>> bind_stock(treadle::GraphModule module) {
  Cpu backend;
  auto weights = treadle::Weights<Cpu>::make(backend, {});
  REQUIRE(weights);
  auto executable = treadle::Executable<Cpu>::make(std::move(module), *std::move(weights),
                                                   treadle::cpu::elementwise_kernels(),
                                                   treadle::standard_ops(), backend);
  if (!executable) FAIL(executable.error().message());
  return *std::move(executable);
}

/// The offset of each planned value, in the order of the values.
std::vector<std::size_t> offsets(const treadle::ExecutionPlan<Cpu>& plan) {
  std::vector<std::pair<std::uint32_t, std::size_t>> placed;
  for (const auto& p : plan.arena) placed.emplace_back(p.value.index, p.offset);
  std::sort(placed.begin(), placed.end());
  std::vector<std::size_t> found;
  for (const auto& [value, offset] : placed) found.push_back(offset);
  return found;
}

struct Outcome {
  std::vector<std::size_t> offsets;
  std::size_t bytes = 0;
  std::vector<float> output;
};

template <class S>
Outcome plan_and_run(std::shared_ptr<const treadle::Executable<Cpu>> executable, S& scheduler) {
  treadle::ExecutorOptions every_step_a_task;
  every_step_a_task.tasks = {0, 0, 0};
  treadle::Executor<Cpu, S> executor(std::move(executable), scheduler, {}, every_step_a_task);
  treadle::State<Cpu> state;
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x)};
  const auto plan = executor.plan_for(inputs);
  REQUIRE(plan);
  auto outputs = executor.run(inputs, state);
  if (!outputs) FAIL(outputs.error().message());
  return {offsets(**plan), (*plan)->arena_bytes, elements_of((*outputs)[0])};
}

/// x → double → + x → relu → out: each value dies where the next is made.
treadle::GraphModule line() {
  test::ProgramBuilder b(8);
  const auto in = b.input("x");
  const auto twice = b.binary("aten::mul.Tensor", in, Constant(2.0));
  const auto sum = b.binary("aten::add.Tensor", twice, in);
  const auto relu = b.call("aten::relu", {{"self", sum}});
  return b.finish({b.binary("aten::mul.Tensor", relu, Constant(1.0))});
}

/// `twice` has two readers; with `ordered`, the second reads what the first has made.
treadle::GraphModule two_readers(bool ordered) {
  test::ProgramBuilder b(8);
  const auto in = b.input("x");
  const auto twice = b.binary("aten::mul.Tensor", in, Constant(2.0));
  const auto triple = b.binary("aten::mul.Tensor", twice, Constant(3.0));
  const auto other = b.binary("aten::add.Tensor", twice, ordered ? triple : in);
  return b.finish({b.binary("aten::add.Tensor", triple, other)});
}

/// The view shows `twice` after the sum was made.
treadle::GraphModule late_view() {
  test::ProgramBuilder b(8);
  const auto in = b.input("x");
  const auto twice = b.binary("aten::mul.Tensor", in, Constant(2.0));
  const auto view =
      b.call("aten::view", {{"self", twice}, {"size", Constant(std::vector<std::int64_t>{8})}});
  const auto sum = b.binary("aten::add.Tensor", twice, in);
  return b.finish({b.binary("aten::add.Tensor", sum, view)});
}

std::vector<float> times(float factor) {
  std::vector<float> out = x;
  for (float& v : out) v *= factor;
  return out;
}

}  // namespace

TEST_CASE("elementwise results take the memory of arguments that die") {
  treadle::Serial serial;
  treadle::Inline inlined;
  for (const auto& run :
       {plan_and_run(bind_stock(line()), serial), plan_and_run(bind_stock(line()), inlined)}) {
    CHECK(run.offsets == std::vector<std::size_t>{0, 0, 0});
    CHECK(run.bytes == 64);
    CHECK(run.output == times(3));
  }
}

TEST_CASE("kernels that do not say so get memory of their own") {
  test::ProgramBuilder b(8);
  const auto in = b.input("x");
  const auto twice = b.binary("aten::mul.Tensor", in, Constant(2.0));
  const auto sum = b.binary("aten::add.Tensor", twice, in);
  treadle::Serial serial;
  const auto run =
      plan_and_run(test::bind<Cpu>(b.finish({b.binary("aten::add.Tensor", sum, in)})), serial);
  CHECK(run.offsets[0] != run.offsets[1]);
  CHECK(run.output == times(4));
}

TEST_CASE("what is read later keeps its memory") {
  treadle::Serial serial;
  const auto run = plan_and_run(bind_stock(two_readers(true)), serial);
  REQUIRE(run.offsets.size() == 3);
  CHECK(run.offsets[0] != run.offsets[1]);
  CHECK(run.output == times(14));
  const auto viewed = plan_and_run(bind_stock(late_view()), serial);
  CHECK(viewed.offsets[0] != viewed.offsets[1]);
  CHECK(viewed.output == times(5));
}

TEST_CASE("readers in any order leave a value's memory alone") {
  treadle::Serial serial;
  const auto linear = plan_and_run(bind_stock(two_readers(false)), serial);
  CHECK(linear.bytes == 128);  // the second reader is the last one
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    test::SteppingScheduler stepping(test::SteppingScheduler::Order::seeded, seed);
    const auto run = plan_and_run(bind_stock(two_readers(false)), stepping);
    CHECK(run.bytes == 192);
    CHECK(run.output == linear.output);
    CHECK(run.output == times(9));
  }
}

TEST_CASE("a session works in an arena that the caller lends") {
  treadle::Serial serial;
  treadle::Executor<Cpu, treadle::Serial> executor(bind_stock(two_readers(true)), serial);
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x)};
  const auto needs = executor.arena_needs(inputs);
  REQUIRE(needs);
  CHECK(needs->bytes == 128);
  CHECK(needs->alignment == 64);
  alignas(64) std::byte memory[192] = {};
  using Session = treadle::Session<Cpu, treadle::Serial>;
  auto session = Session::make(executor, inputs, {.arena = std::span(memory).first(128)});
  REQUIRE(session);
  REQUIRE(session->run());
  const auto out = session->output(0).elements<float>();
  CHECK(std::vector<float>(out.begin(), out.end()) == times(14));
  const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
  CHECK_FALSE(std::all_of(memory, memory + 128, is_zero));
  CHECK(std::all_of(memory + 128, memory + 192, is_zero));
}

TEST_CASE("a session's values are spread over several memories, the fastest first") {
  treadle::Serial serial;
  treadle::ExecutorOptions options;
  options.regions = {{.speed = 1}, {.capacity = 64, .speed = 10}};
  treadle::Executor<Cpu, treadle::Serial> executor(bind_stock(two_readers(true)), serial, {},
                                                   options);
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x)};
  alignas(64) std::byte slow[128] = {}, fast[64] = {};
  using Session = treadle::Session<Cpu, treadle::Serial>;
  auto session = Session::make(executor, inputs, {.regions = {slow, fast}});
  if (!session) FAIL(session.error().message());
  REQUIRE(session->run());
  const auto out = session->output(0).elements<float>();
  CHECK(std::vector<float>(out.begin(), out.end()) == times(14));
  const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
  CHECK_FALSE(std::all_of(fast, fast + 64, is_zero));
  CHECK_FALSE(std::all_of(slow, slow + 64, is_zero));
  CHECK(session->plan().regions.size() == 2);
  CHECK(session->plan().arena_bytes == 128);
  // Memories that are not lent are the session's own.
  auto own = Session::make(executor, inputs, {.regions = {{}, fast}});
  REQUIRE(own);
  CHECK(own->run());
  const auto one = Session::make(executor, inputs, {.arena = slow});
  REQUIRE_FALSE(one);
  CHECK(one.error().message() == "the plan's arena has 2 regions, 1 are lent");
  const auto small = Session::make(executor, inputs, {.regions = {slow, std::span(fast).first(8)}});
  REQUIRE_FALSE(small);
  CHECK(small.error().message() == "memory region 1: the arena has 8 bytes, the plan needs 64");
}

TEST_CASE("values that fit in no memory are an error that names one") {
  treadle::Serial serial;
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x)};
  treadle::ExecutorOptions options;
  options.regions = {{.capacity = 64}, {.capacity = 32}};
  treadle::Executor<Cpu, treadle::Serial> two(bind_stock(two_readers(true)), serial, {}, options);
  const auto spread = two.plan_for(inputs);
  REQUIRE_FALSE(spread);
  CHECK(spread.error().code() == treadle::ErrorCode::out_of_memory);
  CHECK(spread.error().message().find("fits in none of the 2 memory regions") != std::string::npos);
  options.regions = {{.capacity = 100}};
  treadle::Executor<Cpu, treadle::Serial> one(bind_stock(two_readers(true)), serial, {}, options);
  const auto plain = one.plan_for(inputs);
  REQUIRE_FALSE(plain);
  CHECK(plain.error().message() == "the plan needs 128 bytes, the memory region has 100");
}

TEST_CASE("an arena that does not fit is refused with what is needed") {
  treadle::Serial serial;
  treadle::Executor<Cpu, treadle::Serial> executor(bind_stock(two_readers(true)), serial);
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x)};
  alignas(64) std::byte memory[256] = {};
  using Session = treadle::Session<Cpu, treadle::Serial>;
  const auto small = Session::make(executor, inputs, {.arena = std::span(memory).first(100)});
  REQUIRE_FALSE(small);
  CHECK(small.error().code() == treadle::ErrorCode::out_of_memory);
  CHECK(small.error().message() == "the arena has 100 bytes, the plan needs 128");
  const auto crooked = Session::make(executor, inputs, {.arena = std::span(memory).subspan(8)});
  REQUIRE_FALSE(crooked);
  CHECK(crooked.error().message() == "the arena must begin at a multiple of 64 bytes");
}
