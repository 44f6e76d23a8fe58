// Memory planners that place one request after the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

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
inline std::vector<std::size_t> crowding(const MemoryProblem& problem) {
  std::uint32_t last = 0;
  for (const auto& r : problem.requests()) last = std::max(last, r.end);
  // Steps without a begin or an end are as full as the step before: only few count.
  std::vector<std::uint32_t> steps;
  for (const auto& r : problem.requests()) steps.push_back(r.begin);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  std::vector<std::size_t> use(steps.size(), 0), result(problem.size(), 0);
  const auto range = [&](const MemoryRequest& r) {
    const auto from = std::lower_bound(steps.begin(), steps.end(), r.begin);
    const auto to = std::upper_bound(from, steps.end(), r.end);
    return std::pair(from - steps.begin(), to - steps.begin());
  };
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const auto [from, to] = range(problem.requests()[i]);
    for (auto s = from; s < to; ++s) use[static_cast<std::size_t>(s)] += problem.bytes(i);
  }
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const auto [from, to] = range(problem.requests()[i]);
    result[i] = *std::max_element(use.begin() + from, use.begin() + to);
  }
  return result;
}

/// The requests in the order in which a greedy planner takes them.
inline std::vector<std::size_t> placement_order(const MemoryProblem& problem, PlacementOrder rule) {
  const auto life = [&](std::size_t i) {
    return std::size_t{problem.requests()[i].end} - problem.requests()[i].begin + 1;
  };
  std::vector<std::size_t> keys(problem.size());
  if (rule == PlacementOrder::crowding) keys = crowding(problem);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (rule == PlacementOrder::size) keys[i] = problem.bytes(i);
    if (rule == PlacementOrder::lifetime) keys[i] = life(i);
    if (rule == PlacementOrder::area) keys[i] = life(i) * problem.bytes(i);
    if (rule == PlacementOrder::start) keys[i] = SIZE_MAX - problem.requests()[i].begin;
  }
  std::vector<std::size_t> order(problem.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (keys[a] != keys[b]) return keys[a] > keys[b];
    return problem.bytes(a) != problem.bytes(b) ? problem.bytes(a) > problem.bytes(b) : a < b;
  });
  return order;
}

/// Places requests one by one. Stops when the peak would pass `limit`; says whether it did not.
inline bool place_in_order(const MemoryProblem& problem, std::span<const std::size_t> order,
                           FitRule fit, std::size_t limit, ArenaPlan& plan) {
  plan.offsets.assign(problem.size(), 0);
  plan.peak = 0;
  std::vector<std::size_t> placed;  // by offset
  placed.reserve(order.size());
  for (const std::size_t i : order) {
    const std::size_t size = problem.bytes(i), alignment = problem.requests()[i].alignment;
    std::size_t end = 0, best = SIZE_MAX, best_gap = SIZE_MAX;
    for (const std::size_t j : placed) {
      if (!problem.conflict(i, j)) continue;
      const std::size_t begin = plan.offsets[j], start = round_up(end, alignment);
      if (begin > start && begin - start >= size && begin - end < best_gap) {
        best = start;
        best_gap = begin - end;
        if (fit == FitRule::first) break;
      }
      end = std::max(end, begin + problem.bytes(j));
    }
    plan.offsets[i] = best == SIZE_MAX ? round_up(end, alignment) : best;
    plan.peak = std::max(plan.peak, plan.offsets[i] + size);
    if (plan.peak > limit) return false;
    const auto at = std::upper_bound(
        placed.begin(), placed.end(), plan.offsets[i],
        [&](std::size_t offset, std::size_t j) { return offset < plan.offsets[j]; });
    placed.insert(at, i);
  }
  return true;
}

}  // namespace detail

/// Takes the requests in one order and puts each into the gap that the rule chooses. By size and
/// best fit it is the planner of Pisarchyk and Lee, "Efficient memory management for deep neural
/// net inference", 2020. Quadratic in the number of requests.
struct GreedyPlanner {
  PlacementOrder order = PlacementOrder::size;
  FitRule fit = FitRule::best;

  [[nodiscard]] ArenaPlan plan(const MemoryProblem& problem) const {
    ArenaPlan plan;
    plan.lower_bound = problem.busiest_step().first;
    detail::place_in_order(problem, detail::placement_order(problem, order), fit, SIZE_MAX, plan);
    return plan;
  }
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

  [[nodiscard]] ArenaPlan plan(const MemoryProblem& problem) const {
    constexpr std::array rules = {PlacementOrder::size, PlacementOrder::lifetime,
                                  PlacementOrder::area, PlacementOrder::crowding,
                                  PlacementOrder::start};
    ArenaPlan best = GreedyPlanner{}.plan(problem);
    if (problem.size() > many) return best;
    std::vector<std::size_t> best_order = detail::placement_order(problem, PlacementOrder::size);
    for (const auto rule : rules)
      for (const auto fit : {FitRule::best, FitRule::first}) {
        if (best.is_optimal()) return best;
        auto order = detail::placement_order(problem, rule);
        if (improve(problem, order, fit, best)) best_order = std::move(order);
      }
    repack(problem, std::move(best_order), best);
    return best;
  }

 private:
  /// Keeps the plan by this order if it is better.
  static bool improve(const MemoryProblem& problem, std::span<const std::size_t> order, FitRule fit,
                      ArenaPlan& best) {
    ArenaPlan plan;
    plan.lower_bound = best.lower_bound;
    if (!detail::place_in_order(problem, order, fit, best.peak - 1, plan)) return false;
    best = std::move(plan);
    return true;
  }

  void repack(const MemoryProblem& problem, std::vector<std::size_t> order, ArenaPlan& best) const {
    ArenaPlan now = best;
    for (std::size_t idle = 0; idle < repacks && !best.is_optimal(); ++idle) {
      // Halfway to the front, so that what blocks it comes to blame next time.
      for (std::size_t k = 1; k < order.size(); ++k) {
        const std::size_t i = order[k];
        if (now.offsets[i] + problem.bytes(i) < now.peak) continue;
        const auto from = order.begin() + static_cast<std::ptrdiff_t>(k);
        std::rotate(order.begin() + static_cast<std::ptrdiff_t>(k / 2), from, from + 1);
      }
      detail::place_in_order(problem, order, FitRule::best, SIZE_MAX, now);
      if (now.peak >= best.peak) continue;
      best = now;
      idle = 0;
    }
  }
};
static_assert(MemoryPlanner<RepackingPlanner>);

}  // namespace treadle::inline v0
