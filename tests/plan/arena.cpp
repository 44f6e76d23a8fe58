// The arena planner against published and small hand-made cases.
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/plan/arena.hpp>

using treadle::MemoryRequest;

TEST_CASE("greedy by size places the published example as its authors do") {
  // Pisarchyk and Lee 2020, figure 6.
  const std::vector<MemoryRequest> requests = {{32, 0, 1}, {28, 1, 4}, {36, 2, 5}, {16, 3, 5},
                                               {8, 4, 5},  {64, 5, 7}, {10, 6, 8}, {40, 7, 8}};
  const auto plan = treadle::plan_arena(requests, 1);
  CHECK(plan.peak == 124);
  CHECK(plan.offsets == std::vector<std::size_t>{0, 32, 64, 100, 116, 0, 104, 64});
}

TEST_CASE("pieces in use at one time never overlap") {
  std::minstd_rand random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<MemoryRequest> requests(60);
    for (auto& r : requests) {
      r.size = random() % 500;
      r.begin = static_cast<std::uint32_t>(random() % 40);
      r.end = r.begin + static_cast<std::uint32_t>(random() % 10);
    }
    const auto plan = treadle::plan_arena(requests, 64);
    CHECK(plan.peak >= plan.lower_bound);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      CHECK(plan.offsets[i] % 64 == 0);
      CHECK(plan.offsets[i] + requests[i].size <= plan.peak);
      for (std::size_t j = 0; j < i; ++j) {
        const bool together =
            requests[i].begin <= requests[j].end && requests[j].begin <= requests[i].end;
        const bool apart = plan.offsets[i] + requests[i].size <= plan.offsets[j] ||
                           plan.offsets[j] + requests[j].size <= plan.offsets[i];
        if (together) CHECK(apart);
      }
    }
  }
}

TEST_CASE("a chain of equal pieces needs two of them") {
  std::vector<MemoryRequest> requests;
  for (std::uint32_t i = 0; i < 100; ++i) requests.push_back({640, i, i + 1});
  const auto plan = treadle::plan_arena(requests, 64);
  CHECK(plan.peak == 1280);
  CHECK(plan.lower_bound == 1280);
}

TEST_CASE("a conflict of one's own keeps pieces apart that time would not") {
  const std::vector<MemoryRequest> requests = {{64, 0, 0}, {64, 5, 5}};
  const auto apart =
      treadle::plan_arena(requests, 64, [](std::size_t, std::size_t) { return true; });
  CHECK(apart.peak == 128);
  CHECK(treadle::plan_arena(requests, 64).peak == 64);
}
