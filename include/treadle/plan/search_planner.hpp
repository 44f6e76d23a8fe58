// The memory planner that searches where heuristics leave a gap.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/config.hpp>
#include <treadle/plan/greedy_planner.hpp>
#include <treadle/plan/memory_planner.hpp>

namespace treadle::inline v0 {

/// Heuristics first (`RepackingPlanner`); if they leave a gap to the lower bound, a search for a
/// packing at the bound, then for packings between the bound and the best one so far. A target that
/// is proved impossible raises the lower bound, so that `is_optimal()` may hold above the most that
/// is in use in one step. The search is for linear lifetimes; others get what the heuristics find,
/// with the weight of the heaviest conflict set as the bound.
///
/// Deterministic: the budget counts steps of work, not time; a step takes a few nanoseconds. Where
/// a capacity is given as `enough`, each of the eleven hard instances of MiniMalloc is placed in
/// its 1 MiB by a fraction of the default budget (bench/plan.cpp).
struct SearchPlanner {
  std::uint64_t budget = std::uint64_t{1} << 30;  ///< steps of search, all targets together
  std::size_t enough = 0;                         ///< a peak, say a capacity, to stop at
  std::size_t max_requests = 4096;                ///< no search with more
  RepackingPlanner heuristics = {};

  [[nodiscard]] ArenaPlan plan(const MemoryProblem& problem) const;
};
static_assert(MemoryPlanner<SearchPlanner>);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/plan/search_planner-inl.hpp>
#endif
