// Memory planners against the laws, exhaustive search and published instances.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/plan/greedy_planner.hpp>
#include <treadle/plan/memory_planner.hpp>
#include <treadle/plan/search_planner.hpp>

#include "support/minimalloc.hpp"
#include "support/planner_laws.hpp"

using treadle::ArenaPlan;
using treadle::BumpPlanner;
using treadle::FitRule;
using treadle::GreedyPlanner;
using treadle::MemoryProblem;
using treadle::MemoryRequest;
using treadle::PlacementOrder;
using treadle::RepackingPlanner;
using treadle::SearchPlanner;

namespace {

/// Least peak: of the packings that put each request as low as it gets, in every order, one is
/// optimal.
std::size_t least_peak(const MemoryProblem& problem) {
  std::vector<std::size_t> order(problem.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t least = SIZE_MAX;
  do {
    ArenaPlan plan;
    treadle::detail::place_in_order(problem, order, FitRule::first, SIZE_MAX, plan);
    least = std::min(least, plan.peak);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

std::vector<MemoryRequest> requests_of(const test::MinimallocInstance& instance) {
  std::vector<MemoryRequest> requests;
  for (const auto& r : instance.requests)
    requests.push_back({std::size_t{r.kib} * 1024, r.begin, r.end - 1u, 1024});
  return requests;
}

/// Requests of one to three bytes that fill every step to the same height.
std::vector<MemoryRequest> full_steps(std::minstd_rand& random) {
  const std::size_t height = 4 + random() % 3;
  std::vector<std::size_t> room(3 + random() % 3, height);
  std::vector<MemoryRequest> requests;
  for (std::size_t t = 0; t < room.size(); ++t)
    while (room[t] > 0) {
      const std::size_t size = 1 + random() % std::min<std::size_t>(room[t], 3);
      const std::size_t last = std::min(room.size(), t + 1 + random() % 4);
      std::size_t end = t;
      for (; end < last && room[end] >= size; ++end) room[end] -= size;
      requests.push_back(
          {size, static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(end - 1)});
    }
  return requests;
}

}  // namespace

TEST_CASE("every planner keeps the laws") {
  test::expect_valid_plans(BumpPlanner{});
  for (const auto order : {PlacementOrder::size, PlacementOrder::lifetime, PlacementOrder::area,
                           PlacementOrder::start, PlacementOrder::crowding})
    for (const auto fit : {FitRule::best, FitRule::first})
      test::expect_valid_plans(GreedyPlanner{order, fit});
  test::expect_valid_plans(RepackingPlanner{});
  test::expect_valid_plans(SearchPlanner{.budget = 100'000});
}

TEST_CASE("the bump planner shares no byte") {
  const std::vector<MemoryRequest> requests = {{10, 0, 0}, {10, 5, 5, 16}, {1, 9, 9}};
  const auto plan = BumpPlanner{}.plan(MemoryProblem(requests));
  CHECK(plan.offsets == std::vector<std::size_t>{0, 16, 32});
  CHECK(plan.peak == 33);
  CHECK(plan.lower_bound == 16);
  CHECK(!plan.is_optimal());
}

TEST_CASE("search finds the least peak of small problems and proves it") {
  std::minstd_rand random(11);
  for (int round = 0; round < 300; ++round) {
    const auto requests = full_steps(random);
    const MemoryProblem problem(requests);
    const auto plan = SearchPlanner{}.plan(problem);
    test::expect_valid_plan(problem, plan);
    CHECK(plan.is_optimal());
    if (requests.size() <= 7) CHECK(plan.peak == least_peak(problem));
  }
}

TEST_CASE("search proves that the fullest step is not enough") {
  const std::vector<MemoryRequest> requests = {{3, 0, 2}, {2, 0, 1}, {1, 2, 4},
                                               {1, 2, 3}, {2, 3, 4}, {1, 3, 3},
                                               {2, 4, 5}, {3, 5, 6}, {2, 6, 6}};
  const MemoryProblem problem(requests);
  const auto plan = SearchPlanner{}.plan(problem);
  test::expect_valid_plan(problem, plan);
  CHECK(problem.busiest_step().first == 5);
  CHECK(plan.peak == 6);
  CHECK(plan.lower_bound == 6);
  CHECK(least_peak(problem) == 6);
}

TEST_CASE("search places where all greedy orders fail") {
  for (const auto& instance : test::minimalloc_instances) {
    CAPTURE(instance.name);
    const auto requests = requests_of(instance);
    const MemoryProblem problem(requests);
    CHECK(RepackingPlanner{}.plan(problem).peak > 1048576);
    const auto plan = SearchPlanner{.enough = 1048576}.plan(problem);
    test::expect_valid_plan(problem, plan);
    CHECK(plan.peak <= 1048576);
  }
}

TEST_CASE("a search without budget gives what the heuristics found") {
  const auto requests = requests_of(test::minimalloc_instances[0]);
  const MemoryProblem problem(requests);
  const auto heuristic = RepackingPlanner{}.plan(problem);
  CHECK(SearchPlanner{.budget = 0}.plan(problem).offsets == heuristic.offsets);
  CHECK(SearchPlanner{.max_requests = 10}.plan(problem).offsets == heuristic.offsets);
  CHECK(SearchPlanner{.budget = 1}.plan(problem).peak <= heuristic.peak);
}

TEST_CASE("alignments of several sizes do not make a search prove too much") {
  // Rounded up to the larger alignment both would take 128 bytes; 65 are enough.
  const std::vector<MemoryRequest> requests = {{64, 0, 1, 64}, {1, 0, 1}, {1, 2, 2}};
  const auto plan = SearchPlanner{}.plan(MemoryProblem(requests));
  CHECK(plan.peak == 65);
  CHECK(plan.is_optimal());
}
