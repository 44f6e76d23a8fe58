// The heaviest conflict set against exhaustive search.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/plan/conflict_set.hpp>
#include <treadle/plan/search_planner.hpp>

using treadle::heaviest_conflict_set;
using treadle::MemoryProblem;
using treadle::MemoryRequest;

namespace {

/// Steps with edges to later ones, and for each step the set of those that surely come before.
std::vector<std::uint32_t> random_order(std::minstd_rand& random, std::uint32_t steps) {
  std::vector<std::uint32_t> before(steps, 0);
  for (std::uint32_t s = 1; s < steps; ++s)
    for (std::uint32_t edge = 0; edge < 2; ++edge) {
      const auto from = static_cast<std::uint32_t>(random() % s);
      if (random() % 3 > 0) before[s] |= before[from] | 1u << from;
    }
  return before;
}

std::size_t weight(const MemoryProblem& problem, const std::vector<std::size_t>& set) {
  std::size_t sum = 0;
  for (const std::size_t i : set) sum += problem.bytes(i);
  return sum;
}

std::size_t heaviest_of_all(const MemoryProblem& problem) {
  std::size_t most = 0;
  for (std::uint32_t subset = 0; subset < 1u << problem.size(); ++subset) {
    std::vector<std::size_t> set;
    for (std::size_t i = 0; i < problem.size(); ++i)
      if ((subset >> i) & 1) set.push_back(i);
    const bool all = std::ranges::all_of(set, [&](std::size_t i) {
      return std::ranges::all_of(set,
                                 [&](std::size_t j) { return i == j || problem.conflict(i, j); });
    });
    if (all) most = std::max(most, weight(problem, set));
  }
  return most;
}

}  // namespace

TEST_CASE("the heaviest conflict set of a partial order is found") {
  std::minstd_rand random(3);
  bool above_steps = false;
  for (int round = 0; round < 100; ++round) {
    const auto before = random_order(random, 14);
    std::vector<MemoryRequest> requests(9);
    for (auto& r : requests) {
      r.size = 1 + random() % 9;
      r.begin = static_cast<std::uint32_t>(random() % 14);
      r.end = r.begin;
      for (std::uint32_t s = r.begin + 1; s < 14; ++s)
        if ((before[s] >> r.begin) & 1 && random() % 3 == 0) r.end = s;
    }
    const MemoryProblem problem(requests, [&](std::size_t i, std::size_t j) {
      if (requests[j].begin < requests[i].begin) std::swap(i, j);
      return ((before[requests[j].begin] >> requests[i].end) & 1) == 0;
    });
    const auto set = heaviest_conflict_set(problem);
    CHECK(weight(problem, set) == heaviest_of_all(problem));
    above_steps = above_steps || weight(problem, set) > problem.busiest_step().first;
    const auto plan = treadle::SearchPlanner{}.plan(problem);
    CHECK(plan.lower_bound >= problem.busiest_step().first);
    CHECK(plan.peak >= weight(problem, set));
  }
  CHECK(above_steps);
}

TEST_CASE("without an order behind the conflicts, or without budget, there is no set") {
  const std::vector<MemoryRequest> requests = {{4, 0, 0}, {4, 2, 2}, {4, 4, 4}};
  const MemoryProblem odd(requests, [](std::size_t i, std::size_t j) { return i + j == 2; });
  CHECK(weight(odd, heaviest_conflict_set(odd)) <= 8);
  const MemoryProblem linear(requests);
  CHECK(weight(linear, heaviest_conflict_set(linear)) == 4);
  CHECK(heaviest_conflict_set(linear, 0).empty());
}
