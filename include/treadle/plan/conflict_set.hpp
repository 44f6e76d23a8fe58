// The heaviest set of requests that all conflict, and the chains of requests that do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/plan/memory_problem.hpp>

namespace treadle::inline v0 {

/// Requests, by index, each two of which conflict, with the most bytes together: the lower bound of
/// plans that hold in any order of a partial one. "Dies before the other begins" is itself a
/// partial order, and its heaviest antichain weighs as much as the flow that covers it by chains
/// (Dilworth's theorem, with weights), which is exact and polynomial. Gives nothing if conflicts do
/// not come from such an order, or when `budget` steps of work do not suffice.
[[nodiscard]] std::vector<std::size_t> heaviest_conflict_set(const MemoryProblem& problem,
                                                             std::uint64_t budget = std::uint64_t{1}
                                                                                    << 30);

/// What the same flow tells: the set, and chains of requests that can hand their bytes on whole,
/// one to the next.
struct ConflictFlow {
  std::vector<std::size_t> heaviest;  ///< as `heaviest_conflict_set`
  std::vector<std::size_t> chain;     ///< by request: the first request of its chain
};
[[nodiscard]] ConflictFlow conflict_flow(const MemoryProblem& problem, std::uint64_t budget);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/plan/conflict_set-inl.hpp>
#endif
