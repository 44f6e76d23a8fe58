// Places pieces of memory with lifetimes in one arena: the heuristics behind one call.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <treadle/plan/greedy_planner.hpp>
#include <treadle/plan/memory_planner.hpp>
#include <treadle/plan/memory_problem.hpp>

namespace treadle::inline v0 {

namespace detail {

inline std::vector<MemoryRequest> with_alignment(std::span<const MemoryRequest> requests,
                                                 std::size_t alignment) {
  std::vector<MemoryRequest> aligned(requests.begin(), requests.end());
  for (auto& r : aligned) r.alignment = std::max(r.alignment, alignment);
  return aligned;
}

}  // namespace detail

/// What `RepackingPlanner` makes of requests that are all aligned to `alignment`. Besides requests
/// whose lifetimes meet, those conflict of which `conflict`, which is symmetric, says so.
[[nodiscard]] inline ArenaPlan plan_arena(std::span<const MemoryRequest> requests,
                                          std::size_t alignment, MemoryConflict conflict) {
  const auto aligned = detail::with_alignment(requests, alignment);
  return RepackingPlanner{}.plan(MemoryProblem(aligned, conflict));
}

/// The same for steps that run in order: requests conflict if their lifetimes overlap.
[[nodiscard]] inline ArenaPlan plan_arena(std::span<const MemoryRequest> requests,
                                          std::size_t alignment) {
  const auto aligned = detail::with_alignment(requests, alignment);
  return RepackingPlanner{}.plan(MemoryProblem(aligned));
}

}  // namespace treadle::inline v0
