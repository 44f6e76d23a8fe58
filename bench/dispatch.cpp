// What running nothing costs: chains of additions and multiplications of 16 floats.
//
// The floor is a plain loop over the same prepared kernels.
#include <cstdint>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include <treadle/cpu/kernels.hpp>
#include <treadle/exec/session.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/count_allocations.hpp"
#include "support/programs.hpp"

namespace {

using Cpu = treadle::cpu::Backend;

treadle::GraphModule chain(std::int64_t nodes) {
  test::ProgramBuilder b(16);
  auto x = b.input("x");
  const auto y = b.input("y");
  for (std::int64_t i = 0; i < nodes; ++i)
    x = b.binary(i % 2 == 1 ? "aten::add.Tensor" : "aten::mul.Tensor", x, y);
  return b.finish({x});
}

template <class S>
void dispatch(benchmark::State& state, S& scheduler) {
  auto executable = treadle::Executable<Cpu>::make(
      chain(state.range(0)), {}, treadle::cpu::kernels(), treadle::standard_ops(), {});
  if (!executable) return state.SkipWithError(executable.error().message().c_str());
  treadle::Executor<Cpu, S> executor(*executable, scheduler);
  const std::vector<float> ones(16, 1.0F);
  const std::vector<treadle::Value<Cpu>> inputs = {*treadle::cpu::Tensor::from(ones, {16}),
                                                   *treadle::cpu::Tensor::from(ones, {16})};
  auto session = treadle::Session<Cpu, S>::make(executor, inputs);
  if (!session || !session->run()) return state.SkipWithError("the session failed");
  const std::int64_t before = test::allocations;
  for (auto _ : state) {
    auto status = session->run();
    benchmark::DoNotOptimize(status);
  }
  state.counters["allocations"] = static_cast<double>(test::allocations - before);
  state.counters["per_node"] = benchmark::Counter(
      static_cast<double>(state.range(0)),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void serial(benchmark::State& state) {
  treadle::Serial scheduler;
  dispatch(state, scheduler);
}
void inlined(benchmark::State& state) {
  treadle::Inline scheduler;
  dispatch(state, scheduler);
}
void pool_of_two(benchmark::State& state) {
  treadle::ThreadPool scheduler(2);
  dispatch(state, scheduler);
}

void add(const float* a, const float* b, float* out) {
  for (int i = 0; i < 16; ++i) out[i] = a[i] + b[i];
}
void mul(const float* a, const float* b, float* out) {
  for (int i = 0; i < 16; ++i) out[i] = a[i] * b[i];
}

/// The same chain as a hand-written loop over function pointers.
void floor_loop(benchmark::State& state) {
  struct Call {
    void (*function)(const float*, const float*, float*);
    const float* a;
    const float* b;
    float* out;
  };
  std::vector<float> x(16, 1.0F), y(16, 1.0F), buffers(32);
  std::vector<Call> calls;
  const float* from = x.data();
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    float* to = buffers.data() + 16 * (i % 2);
    calls.push_back({i % 2 == 1 ? &add : &mul, from, y.data(), to});
    from = to;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(calls.data());
    for (const auto& call : calls) call.function(call.a, call.b, call.out);
    benchmark::ClobberMemory();
  }
  state.counters["per_node"] = benchmark::Counter(
      static_cast<double>(state.range(0)),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(floor_loop)->Arg(1)->Arg(1000);
BENCHMARK(serial)->Arg(1)->Arg(10)->Arg(1000);
BENCHMARK(inlined)->Arg(1)->Arg(1000);
BENCHMARK(pool_of_two)->Arg(1000);

}  // namespace
