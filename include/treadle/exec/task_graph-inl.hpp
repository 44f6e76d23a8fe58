// Definitions of task_graph.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/exec/task_graph.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE void DependencyBuilder::read(std::uint32_t resource) {
  auto& state = resources_[resource];
  depend(state.writer);
  state.readers.push_back(current());
}

TREADLE_INLINE void DependencyBuilder::write(std::uint32_t resource) {
  auto& state = resources_[resource];
  depend(state.writer);
  for (const std::uint32_t reader : state.readers) depend(reader);
  state.readers.clear();
  state.writer = current();
}

TREADLE_INLINE void DependencyBuilder::depend(std::uint32_t step) {
  if (step == nobody || step == current()) return;
  auto& before = edges_.back();
  if (std::ranges::find(before, step) == before.end()) before.push_back(step);
}

TREADLE_INLINE Ancestors::Ancestors(const std::vector<std::vector<std::uint32_t>>& edges)
    : words_((edges.size() + 63) / 64), bits_(edges.size() * words_) {
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (const std::uint32_t before : edges[i]) {
      for (std::size_t w = 0; w < words_; ++w) bits_[i * words_ + w] |= bits_[before * words_ + w];
      bits_[i * words_ + before / 64] |= std::uint64_t{1} << (before % 64);
    }
}

}  // namespace treadle::inline v0
