// The memory planner concept: requests in, offsets out.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include <treadle/plan/memory_problem.hpp>

namespace treadle::inline v0 {

/// Where the pieces go.
struct ArenaPlan {
  std::vector<std::size_t> offsets;  ///< one a request, multiples of its alignment
  std::size_t peak = 0;              ///< bytes that the arena needs
  /// No plan can need less, as far as the planner knows: the most that is in use in one step, or
  /// more where the planner has proved more.
  std::size_t lower_bound = 0;

  /// Is it proved that no plan needs less?
  [[nodiscard]] bool is_optimal() const noexcept { return peak == lower_bound; }
};

/// What the engine asks of a memory planner:
/// - `plan(problem)` gives each request an offset that is a multiple of its alignment, so that no
///   two requests in conflict share a byte;
/// - `peak` is the largest end of a request, its size rounded up to its alignment; 0 without any;
/// - `lower_bound` is true: no plan has a lower peak;
/// - it is pure: equal problems get equal plans, on any thread, at any time;
/// - it always gives a plan and never throws.
/// The smallest model is `BumpPlanner`, which shares nothing:
///
///     struct BumpPlanner {
///       ArenaPlan plan(const MemoryProblem& problem) const;
///     };
template <class P>
concept MemoryPlanner = requires(const P& planner, const MemoryProblem& problem) {
  { planner.plan(problem) } -> std::same_as<ArenaPlan>;
};

/// Each request behind the one before, no byte used twice: for debugging, and as the amount that
/// planning saves from.
struct BumpPlanner {
  [[nodiscard]] ArenaPlan plan(const MemoryProblem& problem) const {
    ArenaPlan plan;
    for (std::size_t i = 0; i < problem.size(); ++i) {
      plan.offsets.push_back(detail::round_up(plan.peak, problem.requests()[i].alignment));
      plan.peak = plan.offsets.back() + problem.bytes(i);
    }
    plan.lower_bound = problem.busiest_step().first;
    return plan;
  }
};
static_assert(MemoryPlanner<BumpPlanner>);

}  // namespace treadle::inline v0
