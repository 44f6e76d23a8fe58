// Memory planners on MiniMalloc's hard instances and on chains: time, and peak over lower bound.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <treadle/plan/greedy_planner.hpp>
#include <treadle/plan/memory_planner.hpp>
#include <treadle/plan/search_planner.hpp>

#include "support/minimalloc.hpp"

namespace {

using treadle::MemoryProblem;
using treadle::MemoryRequest;

std::vector<MemoryRequest> hard_instance(std::size_t index) {
  std::vector<MemoryRequest> requests;
  for (const auto& r : test::minimalloc_instances[index].requests)
    requests.push_back({std::size_t{r.kib} * 1024, r.begin, r.end - 1u, 1024});
  return requests;
}

/// Values of one size, each used by the next step.
std::vector<MemoryRequest> chain(std::size_t length) {
  std::vector<MemoryRequest> requests;
  for (std::uint32_t i = 0; i < length; ++i) requests.push_back({64, i, i + 1, 64});
  return requests;
}

template <treadle::MemoryPlanner Planner>
void measure(benchmark::State& state, const std::vector<MemoryRequest>& requests,
             const Planner& planner) {
  const MemoryProblem problem(requests);
  treadle::ArenaPlan plan;
  for (auto _ : state) {
    plan = planner.plan(problem);
    benchmark::DoNotOptimize(plan.peak);
  }
  state.counters["requests"] = static_cast<double>(requests.size());
  state.counters["peak/bound"] =
      static_cast<double>(plan.peak) / static_cast<double>(plan.lower_bound);
  state.counters["peak/MiB"] = static_cast<double>(plan.peak) / 1048576;
}

void hard_greedy(benchmark::State& state) {
  const auto index = static_cast<std::size_t>(state.range(0));
  state.SetLabel(std::string(test::minimalloc_instances[index].name));
  measure(state, hard_instance(index), treadle::GreedyPlanner{});
}
void hard_repacking(benchmark::State& state) {
  const auto index = static_cast<std::size_t>(state.range(0));
  state.SetLabel(std::string(test::minimalloc_instances[index].name));
  measure(state, hard_instance(index), treadle::RepackingPlanner{});
}
void hard_search(benchmark::State& state) {
  const auto index = static_cast<std::size_t>(state.range(0));
  state.SetLabel(std::string(test::minimalloc_instances[index].name));
  measure(state, hard_instance(index), treadle::SearchPlanner{.enough = 1048576});
}
/// The floor: offsets without any sharing.
void chain_bump(benchmark::State& state) {
  measure(state, chain(static_cast<std::size_t>(state.range(0))), treadle::BumpPlanner{});
}
void chain_search(benchmark::State& state) {
  measure(state, chain(static_cast<std::size_t>(state.range(0))), treadle::SearchPlanner{});
}

BENCHMARK(hard_greedy)->DenseRange(0, 10)->Unit(benchmark::kMillisecond);
BENCHMARK(hard_repacking)->DenseRange(0, 10)->Unit(benchmark::kMillisecond);
BENCHMARK(hard_search)->DenseRange(0, 10)->Unit(benchmark::kMillisecond);
BENCHMARK(chain_bump)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK(chain_search)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

}  // namespace
