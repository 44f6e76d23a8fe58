// What a task costs: graphs of empty kernels beside oneTBB's flow graph on the same graph, and
// whole models on one thread and on two.
//
// `as_tasks` makes every node a task, as a flow graph does; `as_planned` leaves it to the plan,
// which runs graphs as cheap as these as a loop. The floor is the serial executor. Set TREADLE_ZOO
// to a folder of exported models (chain_1000.pt2, wide_64.pt2) for the models; theirs is half the
// time of two serial runs on two threads at once, which says what the machine's second core is
// worth.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/task_arena.h>

#include <treadle/cpu/kernels.hpp>
#include <treadle/exec/session.hpp>
#include <treadle/model/model.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/programs.hpp"

namespace {

using Cpu = treadle::cpu::Backend;
using treadle::cpu::Tensor;
using Inputs = std::vector<treadle::Value<Cpu>>;

constexpr treadle::ExecutorOptions as_tasks = {
    .tasks = {.grain_ns = 0, .least_work_ns = 0, .least_gain = 0}};
constexpr treadle::ExecutorOptions as_planned = {};

treadle::GraphModule make_wide() { return test::wide(500, 2, 1); }
treadle::GraphModule make_wavefront() { return test::wavefront(32, 1); }

treadle::KernelRegistry<Cpu> empty_kernels() {
  treadle::KernelRegistry<Cpu> kernels;
  kernels.add<"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor">(
      [](treadle::RunContext<Cpu>&, const Tensor&, const Tensor&, treadle::Scalar,
         Tensor&) -> treadle::Status { return {}; });
  kernels.add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(
      [](treadle::RunContext<Cpu>&, const Tensor&, const Tensor&, Tensor&) -> treadle::Status {
        return {};
      });
  return kernels;
}

Inputs inputs_of(std::int64_t width) {
  return {*Tensor::zeros(treadle::DType::float32, {width}),
          *Tensor::zeros(treadle::DType::float32, {width})};
}

/// Times each run; `best` is the shortest, which other programs on the machine disturb the least.
template <class Run>
void measure(benchmark::State& state, std::size_t nodes, Run run) {
  using Clock = std::chrono::steady_clock;
  auto best = Clock::duration::max();
  for (auto _ : state) {
    const auto begin = Clock::now();
    run();
    best = std::min(best, Clock::now() - begin);
  }
  const double seconds = std::chrono::duration<double>(best).count();
  state.counters["best"] = seconds;
  if (nodes > 0) state.counters["best_per_node"] = seconds / static_cast<double>(nodes);
}

template <class S>
void empty_graph(benchmark::State& state, treadle::GraphModule module, S&& scheduler,
                 const treadle::ExecutorOptions& options) {
  using Scheduler = std::remove_reference_t<S>;
  std::size_t nodes = 0;
  for ([[maybe_unused]] const treadle::NodeId id : module.graph.nodes()) ++nodes;
  auto executable = treadle::Executable<Cpu>::make(std::move(module), {}, empty_kernels(),
                                                   treadle::standard_ops(), {});
  if (!executable) return state.SkipWithError(executable.error().message().c_str());
  treadle::Executor<Cpu, Scheduler> executor(*executable, scheduler, {}, options);
  auto session = treadle::Session<Cpu, Scheduler>::make(executor, inputs_of(1));
  if (!session || !session->run()) return state.SkipWithError("the session failed");
  measure(state, nodes, [&] {
    auto status = session->run();
    benchmark::DoNotOptimize(status);
  });
}

/// The same nodes and edges, without edges from the inputs, as oneTBB's flow graph.
void flow_graph(benchmark::State& state, const treadle::GraphModule& module, int threads) {
  namespace flow = oneapi::tbb::flow;
  using Node = flow::continue_node<flow::continue_msg>;
  oneapi::tbb::task_arena arena(threads);
  arena.execute([&] {
    flow::graph graph;
    flow::broadcast_node<flow::continue_msg> start(graph);
    std::vector<std::unique_ptr<Node>> nodes;
    std::vector<int> producer(module.graph.value_capacity(), -1);
    for (const treadle::NodeId id : module.graph.nodes()) {
      nodes.push_back(std::make_unique<Node>(graph, [](const flow::continue_msg&) {}));
      std::vector<int> before;
      for (const auto& argument : module.graph.node(id).arguments)
        argument.value.for_each_value([&](treadle::ValueId v) {
          const int from = producer[v.index];
          if (from >= 0 && std::ranges::find(before, from) == before.end()) before.push_back(from);
        });
      for (const int from : before)
        flow::make_edge(*nodes[static_cast<std::size_t>(from)], *nodes.back());
      if (before.empty()) flow::make_edge(start, *nodes.back());
      for (const treadle::ValueId v : module.graph.node(id).outputs)
        producer[v.index] = static_cast<int>(nodes.size()) - 1;
    }
    measure(state, nodes.size(), [&] {
      start.try_put({});
      graph.wait_for_all();
    });
  });
}

/// A model of the zoo and inputs of zeros; empty with an error in `state` if it can't be read.
template <class S>
struct ZooModel {
  std::unique_ptr<treadle::Model<Cpu, S>> model;
  Inputs inputs;

  ZooModel(benchmark::State& state, const char* name, S& scheduler) {
    const char* folder = std::getenv("TREADLE_ZOO");
    auto loaded = treadle::Model<Cpu, S>::load(
        std::string(folder ? folder : ".") + "/" + name + ".pt2", scheduler);
    if (!folder || !loaded) {
      state.SkipWithError(folder ? loaded.error().message().c_str() : "TREADLE_ZOO is not set");
      return;
    }
    const auto& graph = loaded->module().graph;
    for (std::size_t i = 0; i < graph.inputs().size(); ++i) {
      if (loaded->module().signature.inputs[i].kind != treadle::InputKind::user_input) continue;
      treadle::TensorMeta meta;
      const auto& type = *graph.value(graph.inputs()[i]).tensor;
      for (const auto& size : type.sizes) meta.sizes.push_back(size.value_or(1));
      inputs.emplace_back(*Tensor::zeros(type.dtype, meta.sizes));
    }
    model = std::make_unique<treadle::Model<Cpu, S>>(*std::move(loaded));
  }
};

template <class S>
void model(benchmark::State& state, const char* name, S&& scheduler) {
  const ZooModel<std::remove_reference_t<S>> zoo(state, name, scheduler);
  if (!zoo.model) return;
  auto session = zoo.model->session(zoo.inputs);
  if (!session || !session->run()) return state.SkipWithError("the session failed");
  measure(state, 0, [&] {
    auto status = session->run();
    benchmark::DoNotOptimize(status);
  });
  state.counters["tasks"] = static_cast<double>(session->plan().tasks.size());
}

/// Two sessions on two threads, one run each an iteration.
void two_at_once(benchmark::State& state, const char* name) {
  treadle::Serial serial;
  const ZooModel<treadle::Serial> zoo(state, name, serial);
  if (!zoo.model) return;
  auto here = zoo.model->session(zoo.inputs), there = zoo.model->session(zoo.inputs);
  if (!here || !there) return state.SkipWithError("the session failed");
  std::atomic<std::int64_t> asked{0}, done{0};
  std::thread other([&] {
    for (std::int64_t round = 1;; ++round) {
      while (asked.load(std::memory_order_acquire) < round) {
      }
      if (asked.load(std::memory_order_acquire) == INT64_MAX) return;
      benchmark::DoNotOptimize(there->run());
      done.store(round, std::memory_order_release);
    }
  });
  std::int64_t round = 0;
  measure(state, 2, [&] {
    asked.store(++round, std::memory_order_release);
    benchmark::DoNotOptimize(here->run());
    while (done.load(std::memory_order_acquire) < round) {
    }
  });
  asked.store(INT64_MAX, std::memory_order_release);
  other.join();
}

void register_graph(const std::string& name, treadle::GraphModule (*make)()) {
  const auto add = [&](const std::string& series, auto function) {
    benchmark::RegisterBenchmark((name + "/" + series).c_str(), function)
        ->UseRealTime()
        ->ComputeStatistics(
            "min", [](const std::vector<double>& all) { return *std::ranges::min_element(all); });
  };
  add("floor_serial",
      [=](auto& state) { empty_graph(state, make(), treadle::Serial{}, as_tasks); });
  add("inline", [=](auto& state) { empty_graph(state, make(), treadle::Inline{}, as_tasks); });
  for (const int threads : {1, 2}) {
    const std::string n = std::to_string(threads);
    const auto size = static_cast<std::size_t>(threads);
    add("pool_" + n,
        [=](auto& state) { empty_graph(state, make(), treadle::ThreadPool(size), as_tasks); });
    add("pool_" + n + "_as_planned",
        [=](auto& state) { empty_graph(state, make(), treadle::ThreadPool(size), as_planned); });
    add("flow_graph_" + n, [=](auto& state) { flow_graph(state, make(), threads); });
  }
}

void register_model(const char* name) {
  const auto add = [&](const char* series, auto function) {
    benchmark::RegisterBenchmark((std::string(name) + "/" + series).c_str(), function)
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond)
        ->ComputeStatistics(
            "min", [](const std::vector<double>& all) { return *std::ranges::min_element(all); });
  };
  add("two_serial_runs_at_once", [=](auto& state) { two_at_once(state, name); });
  add("serial", [=](auto& state) { model(state, name, treadle::Serial{}); });
  add("inline", [=](auto& state) { model(state, name, treadle::Inline{}); });
  add("pool_2", [=](auto& state) { model(state, name, treadle::ThreadPool(2)); });
}

[[maybe_unused]] const bool registered = [] {
  register_graph("wide_1500", &make_wide);
  register_graph("wavefront_1024", &make_wavefront);
  register_model("chain_1000");
  for (const char* name :
       {"wide_64", "dense_64", "ic_resnet8", "lstm_64", "transformer_tiny", "unet"})
    register_model(name);
  return true;
}();

}  // namespace
