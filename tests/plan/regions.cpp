// Spreading requests over memories.
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/plan/greedy_planner.hpp>
#include <treadle/plan/memory_regions.hpp>

using treadle::MemoryProblem;
using treadle::MemoryRegion;
using treadle::MemoryRequest;
using treadle::plan_regions;
using treadle::RegionPlan;
using treadle::RepackingPlanner;

TEST_CASE("what moves most bytes for its room gets the fast memory") {
  const std::vector<MemoryRequest> requests = {{100, 0, 9}, {100, 0, 1}, {50, 2, 3}, {100, 4, 4}};
  const std::vector<double> traffic = {1000, 1000, 900, 10};
  const std::vector<MemoryRegion> regions = {{.speed = 1}, {.capacity = 100, .speed = 10}};
  const auto plan = plan_regions(MemoryProblem(requests), traffic, regions, RepackingPlanner{});
  CHECK(plan.region == std::vector<std::uint32_t>{0, 1, 1, 1});
  CHECK(plan.is_complete());
  CHECK(plan.peaks == std::vector<std::size_t>{100, 100});
  CHECK(plan.time == doctest::Approx(1000 + 100 + 90 + 1));
}

TEST_CASE("requests in one region and conflict are apart, and within its capacity") {
  std::vector<MemoryRequest> requests;
  std::vector<double> traffic;
  for (std::uint32_t i = 0; i < 60; ++i) {
    requests.push_back({64 + 32 * (i % 7), i / 3, i / 3 + i % 5, 32});
    traffic.push_back(double(100 + 37 * (i % 11)));
  }
  const std::vector<MemoryRegion> regions = {{.capacity = 512, .speed = 8}, {.capacity = 1024}};
  for (const bool partial : {false, true}) {
    const auto conflict = [](std::size_t a, std::size_t b) { return (a ^ b) < 3; };
    const auto problem = partial ? MemoryProblem(requests, conflict) : MemoryProblem(requests);
    const auto plan = plan_regions(problem, traffic, regions, RepackingPlanner{});
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (plan.region[i] == RegionPlan::nowhere) continue;
      CHECK(plan.offsets[i] + problem.bytes(i) <= regions[plan.region[i]].capacity);
      for (std::size_t j = 0; j < i; ++j)
        if (plan.region[j] == plan.region[i] && problem.conflict(i, j)) {
          const bool apart = plan.offsets[i] + problem.bytes(i) <= plan.offsets[j] ||
                             plan.offsets[j] + problem.bytes(j) <= plan.offsets[i];
          CHECK(apart);
        }
    }
  }
}

TEST_CASE("a request that fits nowhere is reported") {
  const std::vector<MemoryRequest> requests = {{100, 0, 0}, {10, 0, 0}};
  const std::vector<double> traffic = {1, 1};
  const std::vector<MemoryRegion> regions = {{.capacity = 50}};
  const auto plan = plan_regions(MemoryProblem(requests), traffic, regions, RepackingPlanner{});
  CHECK(!plan.is_complete());
  CHECK(plan.region == std::vector<std::uint32_t>{RegionPlan::nowhere, 0});
}
