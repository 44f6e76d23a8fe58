// Definitions of memory_layout.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <treadle/exec/memory_layout.hpp>

namespace treadle::inline v0 {

namespace detail {

TREADLE_INLINE std::size_t PlannedPieces::add(std::size_t bytes,
                                              std::span<const std::uint32_t> steps) {
  requests_.push_back({bytes, steps.front(), steps.back(), arena_alignment});
  uses_.emplace_back(steps.begin(), steps.end());
  return requests_.size() - 1;
}

TREADLE_INLINE void PlannedPieces::extend(std::size_t i, std::span<const std::uint32_t> steps) {
  requests_[i].end = steps.back();
  uses_[i].insert(uses_[i].end(), steps.begin(), steps.end());
}

TREADLE_INLINE void PlannedPieces::keep_last(std::vector<std::uint32_t>& steps,
                                             const Ancestors& order) {
  for (std::size_t k = 0; k + 1 < steps.size();)
    if (std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(k) + 1, steps.end(),
                    [&](std::uint32_t later) { return order.before(steps[k], later); }))
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(k));
    else
      ++k;
}

TREADLE_INLINE MemoryProblem PlannedPieces::problem(const Ancestors* order) {
  if (!order) return MemoryProblem(requests_);
  for (auto& steps : uses_) keep_last(steps, *order);
  const auto conflict = [&](std::size_t i, std::size_t j) {
    // The one that is first in the linear order can't be the later one in any other.
    if (requests_[j].begin < requests_[i].begin) std::swap(i, j);
    return !std::all_of(uses_[i].begin(), uses_[i].end(),
                        [&](std::uint32_t use) { return order->before(use, requests_[j].begin); });
  };
  return MemoryProblem(requests_, conflict);
}

TREADLE_INLINE MemoryProblem PlannedPieces::problem_apart() const {
  return MemoryProblem(requests_, [](std::size_t, std::size_t) { return true; });
}

TREADLE_INLINE std::vector<double> PlannedPieces::traffic() const {
  std::vector<double> bytes;
  for (std::size_t i = 0; i < requests_.size(); ++i)
    bytes.push_back(static_cast<double>(requests_[i].size) * static_cast<double>(uses_[i].size()));
  return bytes;
}

}  // namespace detail

}  // namespace treadle::inline v0
