// What every memory planner must do, as checks that any model can be run through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/plan/memory_planner.hpp>

namespace test {

/// Requests with short and long lifetimes, some without bytes, aligned to 1, 16 or 64 if `mixed`.
inline std::vector<treadle::MemoryRequest> random_requests(std::minstd_rand& random,
                                                           std::size_t count, bool mixed) {
  std::vector<treadle::MemoryRequest> requests(count);
  for (auto& r : requests) {
    r.size = random() % 8 == 0 ? 0 : random() % 500;
    r.begin = static_cast<std::uint32_t>(random() % 40);
    r.end = r.begin + static_cast<std::uint32_t>(random() % (random() % 4 == 0 ? 30 : 5));
    r.alignment = mixed ? std::size_t{1} << (2 * (random() % 4)) : 64;
  }
  return requests;
}

/// Offsets are aligned, peak and bound are true, requests in conflict are apart.
inline void expect_valid_plan(const treadle::MemoryProblem& problem,
                              const treadle::ArenaPlan& plan) {
  REQUIRE(plan.offsets.size() == problem.size());
  std::size_t peak = 0;
  bool aligned = true, apart = true;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const std::size_t begin = plan.offsets[i], end = begin + problem.bytes(i);
    aligned = aligned && begin % problem.requests()[i].alignment == 0;
    peak = std::max(peak, end);
    for (std::size_t j = 0; j < i; ++j)
      if (problem.conflict(i, j))
        apart = apart && (end <= plan.offsets[j] || plan.offsets[j] + problem.bytes(j) <= begin);
  }
  CHECK(aligned);
  CHECK(apart);
  CHECK(plan.peak == peak);
  CHECK(plan.lower_bound <= plan.peak);
  CHECK(plan.lower_bound >= problem.busiest_step().first);
}

/// The requirements of `MemoryPlanner`, on problems of both kinds.
template <treadle::MemoryPlanner Planner>
void expect_valid_plans(const Planner& planner) {
  std::minstd_rand random(7);
  for (std::size_t round = 0; round < 40; ++round) {
    const auto requests = random_requests(random, round, round % 2 == 0);
    const treadle::MemoryProblem linear(requests);
    const auto plan = planner.plan(linear);
    expect_valid_plan(linear, plan);
    CHECK(planner.plan(linear).offsets == plan.offsets);
    const treadle::MemoryProblem partial(
        requests, [](std::size_t i, std::size_t j) { return (i + j) % 3 == 0; });
    expect_valid_plan(partial, planner.plan(partial));
  }
}

}  // namespace test
