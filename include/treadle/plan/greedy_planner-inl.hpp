// Definitions of greedy_planner.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/sort_places.hpp>
#include <treadle/plan/greedy_planner.hpp>

namespace treadle::inline v0 {

namespace detail {

TREADLE_INLINE std::vector<std::size_t> crowding(const MemoryProblem& problem) {
  std::uint32_t last = 0;
  for (const auto& r : problem.requests()) last = std::max(last, r.end);
  // Steps without a begin or an end are as full as the step before: only few count.
  std::vector<std::uint32_t> steps;
  for (const auto& r : problem.requests()) steps.push_back(r.begin);
  sort_numbers(steps);
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

TREADLE_INLINE std::vector<std::size_t> placement_order(const MemoryProblem& problem,
                                                        PlacementOrder rule) {
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
  return sorted_places(problem.size(), [&](std::size_t a, std::size_t b) {
    if (keys[a] != keys[b]) return keys[a] > keys[b];
    return problem.bytes(a) != problem.bytes(b) ? problem.bytes(a) > problem.bytes(b) : a < b;
  });
}

TREADLE_INLINE bool place_in_order(const MemoryProblem& problem, std::span<const std::size_t> order,
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

TREADLE_INLINE ArenaPlan GreedyPlanner::plan(const MemoryProblem& problem) const {
  ArenaPlan plan;
  plan.lower_bound = problem.busiest_step().first;
  detail::place_in_order(problem, detail::placement_order(problem, order), fit, SIZE_MAX, plan);
  return plan;
}

TREADLE_INLINE ArenaPlan RepackingPlanner::plan(const MemoryProblem& problem) const {
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

TREADLE_INLINE bool RepackingPlanner::improve(const MemoryProblem& problem,
                                              std::span<const std::size_t> order, FitRule fit,
                                              ArenaPlan& best) {
  ArenaPlan plan;
  plan.lower_bound = best.lower_bound;
  if (!detail::place_in_order(problem, order, fit, best.peak - 1, plan)) return false;
  best = std::move(plan);
  return true;
}

TREADLE_INLINE void RepackingPlanner::repack(const MemoryProblem& problem,
                                             std::vector<std::size_t> order,
                                             ArenaPlan& best) const {
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

}  // namespace treadle::inline v0
