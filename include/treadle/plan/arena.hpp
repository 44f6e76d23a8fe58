// Places pieces of memory with lifetimes in one arena.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/function_ref.hpp>

namespace treadle::inline v0 {

/// A piece of memory that is in use during the steps [begin, end].
struct MemoryRequest {
  std::size_t size = 0;  ///< bytes
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Where the pieces go.
struct ArenaPlan {
  std::vector<std::size_t> offsets;  ///< one a request, multiples of the alignment
  std::size_t peak = 0;              ///< bytes that the arena needs
  /// No plan can need less: the most that is in use in one step.
  std::size_t lower_bound = 0;
};

namespace detail {

inline std::size_t round_up(std::size_t n, std::size_t alignment) noexcept {
  return (n + alignment - 1) / alignment * alignment;
}

inline std::size_t lower_bound(std::span<const MemoryRequest> requests, std::size_t alignment) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> events;
  for (const auto& r : requests) {
    const auto size = static_cast<std::int64_t>(round_up(r.size, alignment));
    // Twice the step, so that what ends in a step is still there when the step begins.
    events.emplace_back(2 * std::uint64_t{r.begin}, size);
    events.emplace_back(2 * std::uint64_t{r.end} + 1, -size);
  }
  std::sort(events.begin(), events.end());
  std::int64_t now = 0, most = 0;
  for (const auto& [when, change] : events) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

}  // namespace detail

/// May two requests, by index, be in use at the same time?
using MemoryConflict = FunctionRef<bool(std::size_t, std::size_t)>;

namespace detail {

/// Places requests one by one, each into the smallest gap that fits.
inline void place_in_order(std::span<const MemoryRequest> requests,
                           std::span<const std::size_t> order, std::size_t alignment,
                           MemoryConflict conflict, ArenaPlan& plan) {
  plan.offsets.assign(requests.size(), 0);
  plan.peak = 0;
  std::vector<std::size_t> placed;  // by offset
  for (const std::size_t i : order) {
    const std::size_t size = round_up(requests[i].size, alignment);
    std::size_t end = 0, best = SIZE_MAX, best_gap = SIZE_MAX;
    for (const std::size_t j : placed) {
      if (!conflict(i, j)) continue;
      const std::size_t begin = plan.offsets[j];
      if (begin > end && begin - end >= size && begin - end < best_gap) {
        best = end;
        best_gap = begin - end;
      }
      end = std::max(end, begin + round_up(requests[j].size, alignment));
    }
    plan.offsets[i] = best == SIZE_MAX ? end : best;
    plan.peak = std::max(plan.peak, plan.offsets[i] + size);
    const auto at = std::upper_bound(
        placed.begin(), placed.end(), plan.offsets[i],
        [&](std::size_t offset, std::size_t j) { return offset < plan.offsets[j]; });
    placed.insert(at, i);
  }
}

}  // namespace detail

/// Greedy by size, each piece into the smallest gap that fits (Pisarchyk and Lee, "Efficient memory
/// management for deep neural net inference", 2020). Where that leaves a gap to the lower bound,
/// the orders by lifetime, by area and by first use are tried too, and the best is kept. Quadratic
/// in the number of requests. `conflict` is symmetric.
[[nodiscard]] inline ArenaPlan plan_arena(std::span<const MemoryRequest> requests,
                                          std::size_t alignment, MemoryConflict conflict) {
  const auto life = [&](std::size_t i) {
    return std::size_t{requests[i].end} - requests[i].begin + 1;
  };
  const auto key = [&](int rule, std::size_t i) -> std::size_t {
    if (rule == 0) return requests[i].size;
    if (rule == 1) return life(i);
    if (rule == 2) return life(i) * requests[i].size;
    return SIZE_MAX - requests[i].begin;
  };
  ArenaPlan best;
  best.lower_bound = detail::lower_bound(requests, alignment);
  std::vector<std::size_t> order(requests.size());
  for (int rule = 0; rule < 4; ++rule) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const std::size_t ka = key(rule, a), kb = key(rule, b);
      if (ka != kb) return ka > kb;
      return requests[a].size != requests[b].size ? requests[a].size > requests[b].size : a < b;
    });
    ArenaPlan plan;
    detail::place_in_order(requests, order, alignment, conflict, plan);
    if (rule == 0 || plan.peak < best.peak) {
      best.offsets = std::move(plan.offsets);
      best.peak = plan.peak;
    }
    if (best.peak <= best.lower_bound) break;
  }
  return best;
}

/// The same for steps that run in order: requests conflict if their lifetimes overlap.
[[nodiscard]] inline ArenaPlan plan_arena(std::span<const MemoryRequest> requests,
                                          std::size_t alignment) {
  return plan_arena(requests, alignment, [&](std::size_t a, std::size_t b) {
    return requests[a].begin <= requests[b].end && requests[b].begin <= requests[a].end;
  });
}

}  // namespace treadle::inline v0
