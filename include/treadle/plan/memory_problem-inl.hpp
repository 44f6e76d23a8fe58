// Definitions of memory_problem.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/sort_places.hpp>
#include <treadle/plan/memory_problem.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE MemoryProblem::MemoryProblem(std::span<const MemoryRequest> requests,
                                            MemoryConflict more)
    : requests_(requests),
      words_((requests.size() + 63) / 64),
      conflicts_(requests.size() * words_) {
  for (std::size_t i = 0; i < requests.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (meet(i, j) || more(i, j)) {
        conflicts_[i * words_ + j / 64] |= std::uint64_t{1} << (j % 64);
        conflicts_[j * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
      }
}

TREADLE_INLINE std::pair<std::size_t, std::uint32_t> MemoryProblem::busiest_step() const {
  std::vector<std::pair<std::uint64_t, std::int64_t>> events;
  for (std::size_t i = 0; i < size(); ++i) {
    // Twice the step, so that what ends in a step is still there when the step begins.
    events.emplace_back(2 * std::uint64_t{requests_[i].begin}, static_cast<std::int64_t>(bytes(i)));
    events.emplace_back(2 * std::uint64_t{requests_[i].end} + 1,
                        -static_cast<std::int64_t>(bytes(i)));
  }
  const std::vector<std::size_t> order = sorted_places(
      events.size(), [&](std::size_t a, std::size_t b) { return events[a] < events[b]; });
  std::int64_t now = 0, most = 0;
  std::uint64_t when = 0;
  for (const std::size_t i : order)
    if ((now += events[i].second) > most) {
      most = now;
      when = events[i].first;
    }
  return {static_cast<std::size_t>(most), static_cast<std::uint32_t>(when / 2)};
}

}  // namespace treadle::inline v0
