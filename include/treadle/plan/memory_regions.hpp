// Spreads requests over memories of different size and speed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/sort_places.hpp>
#include <treadle/plan/memory_planner.hpp>

namespace treadle::inline v0 {

/// A memory that requests can be placed in, such as a scratchpad or main memory.
struct MemoryRegion {
  std::size_t capacity = std::numeric_limits<std::size_t>::max();  ///< bytes
  double speed = 1;  ///< bytes moved in a unit of time; only ratios matter
};

/// Which region each request is in, and where.
struct RegionPlan {
  static constexpr std::uint32_t nowhere = 0xffff'ffffu;

  std::vector<std::uint32_t> region;  ///< by request; `nowhere` if it fits in none
  std::vector<std::size_t> offsets;   ///< in its region
  std::vector<std::size_t> peaks;     ///< by region, within its capacity
  double time = 0;  ///< to move what the requests move, each at its region's speed

  /// Has every request a place?
  [[nodiscard]] bool is_complete() const noexcept {
    return std::find(region.begin(), region.end(), nowhere) == region.end();
  }
};

namespace detail {

/// Fills one region with the requests that gain most by it.
template <MemoryPlanner Planner>
class RegionFill {
 public:
  RegionFill(const MemoryProblem& problem, const Planner& planner)
      : problem_(problem), planner_(planner) {}

  /// Takes each candidate, the first before the others, that can be placed beside those taken.
  void fill(std::span<const std::size_t> candidates, std::size_t capacity) {
    for (const std::size_t i : candidates) {
      chosen_.push_back(i);
      if (problem_.bytes(i) <= capacity) {
        ArenaPlan plan = place();
        if (plan.peak <= capacity) {
          plan_ = std::move(plan);
          continue;
        }
      }
      chosen_.pop_back();
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& chosen() const noexcept { return chosen_; }
  [[nodiscard]] const ArenaPlan& plan() const noexcept { return plan_; }

 private:
  [[nodiscard]] ArenaPlan place() const {
    std::vector<MemoryRequest> requests;
    for (const std::size_t i : chosen_) requests.push_back(problem_.requests()[i]);
    if (problem_.is_linear()) return planner_.plan(MemoryProblem(requests));
    return planner_.plan(MemoryProblem(requests, [&](std::size_t a, std::size_t b) {
      return problem_.conflict(chosen_[a], chosen_[b]);
    }));
  }

  const MemoryProblem& problem_;
  const Planner& planner_;
  std::vector<std::size_t> chosen_;
  ArenaPlan plan_;
};

}  // namespace detail

/// Assigns requests to regions by benefit. `traffic` says how many bytes are moved to and from each
/// request. The fastest region is filled first, with the requests that move most for each byte and
/// step that they occupy, as long as the planner can place them within its capacity; what is left
/// goes on to the next region. Regions may have any order; of equally fast ones the first is
/// filled first. Plans once for each request and region.
template <MemoryPlanner Planner>
[[nodiscard]] RegionPlan plan_regions(const MemoryProblem& problem, std::span<const double> traffic,
                                      std::span<const MemoryRegion> regions,
                                      const Planner& planner) {
  RegionPlan result;
  result.region.assign(problem.size(), RegionPlan::nowhere);
  result.offsets.assign(problem.size(), 0);
  result.peaks.assign(regions.size(), 0);
  const auto density = [&](std::size_t i) {
    const auto& r = problem.requests()[i];
    const double steps = double(r.end) - double(r.begin) + 1;
    return traffic[i] / (std::max<double>(static_cast<double>(problem.bytes(i)), 1) * steps);
  };
  std::vector<std::size_t> left = sorted_places(problem.size(), [&](std::size_t a, std::size_t b) {
    const double x = density(a), y = density(b);
    return x != y ? x > y : a < b;
  });
  const std::vector<std::size_t> order =
      sorted_places(regions.size(), [&](std::size_t a, std::size_t b) {
        const double x = regions[a].speed, y = regions[b].speed;
        return x != y ? x > y : a < b;
      });
  for (const std::size_t r : order) {
    detail::RegionFill<Planner> fill(problem, planner);
    fill.fill(left, regions[r].capacity);
    for (std::size_t k = 0; k < fill.chosen().size(); ++k) {
      const std::size_t i = fill.chosen()[k];
      result.region[i] = static_cast<std::uint32_t>(r);
      result.offsets[i] = fill.plan().offsets[k];
      result.time += traffic[i] / regions[r].speed;
    }
    result.peaks[r] = fill.plan().peak;
    std::erase_if(left, [&](std::size_t i) { return result.region[i] != RegionPlan::nowhere; });
  }
  return result;
}

}  // namespace treadle::inline v0
