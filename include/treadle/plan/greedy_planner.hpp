// Memory planners that place one request after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/plan/memory_planner.hpp>

namespace treadle::inline v0 {

/// Which request is placed first.
enum class PlacementOrder : std::uint8_t {
  size,      ///< the largest
  lifetime,  ///< the one in use for most steps
  area,      ///< the one with most bytes × steps
  start,     ///< the one that begins first
  crowding,  ///< the one that meets the fullest step
};

/// Which of the gaps that are large enough a request gets.
enum class FitRule : std::uint8_t {
  best,   ///< the smallest, the lowest of equal ones
  first,  ///< the lowest
};

namespace detail {

/// For each request, the most bytes in use in one of its steps.
std::vector<std::size_t> crowding(const MemoryProblem& problem);

/// The requests in the order in which a greedy planner takes them.
std::vector<std::size_t> placement_order(const MemoryProblem& problem, PlacementOrder rule);

/// Places requests one by one. Stops when the peak would pass `limit`; says whether it did not.
bool place_in_order(const MemoryProblem& problem, std::span<const std::size_t> order, FitRule fit,
                    std::size_t limit, ArenaPlan& plan);

}  // namespace detail

/// Takes the requests in one order and puts each into the gap that the rule chooses. By size and
/// best fit it is the planner of Pisarchyk and Lee, "Efficient memory management for deep neural
/// net inference", 2020. Quadratic in the number of requests.
struct GreedyPlanner {
  PlacementOrder order = PlacementOrder::size;
  FitRule fit = FitRule::best;

  [[nodiscard]] ArenaPlan plan(const MemoryProblem& problem) const;
};
static_assert(MemoryPlanner<GreedyPlanner>);

/// Tries the greedy planner's orders until one reaches the lower bound, and keeps the best. After
/// the orders it repacks: what stands at the top is taken earlier and all is placed again, for
/// `repacks` times without gain (the idea of XLA's best-fit repacker and of "squeaky wheel"
/// optimisation, Joslin and Clements, 1999).
struct RepackingPlanner {
  std::size_t repacks = 16;
  /// With more requests than this only the order by size is tried.
  std::size_t many = 2048;

  [[nodiscard]] ArenaPlan plan(const MemoryProblem& problem) const;

 private:
  /// Keeps the plan by this order if it is better.
  static bool improve(const MemoryProblem& problem, std::span<const std::size_t> order, FitRule fit,
                      ArenaPlan& best);

  void repack(const MemoryProblem& problem, std::vector<std::size_t> order, ArenaPlan& best) const;
};
static_assert(MemoryPlanner<RepackingPlanner>);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/plan/greedy_planner-inl.hpp>
#endif
