// Definitions of memory_uses.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <treadle/exec/memory_uses.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE void MemoryUses::touch(std::uint32_t alias, std::uint32_t step) {
  auto& steps = uses_[alias];
  if (steps.empty() || steps.back() != step) steps.push_back(step);
}

TREADLE_INLINE void MemoryUses::scratch(std::uint32_t step, std::size_t bytes) {
  if (bytes > 0) scratch_.emplace_back(step, bytes);
}

TREADLE_INLINE std::span<const std::uint32_t> MemoryUses::steps(std::uint32_t alias) const {
  const auto found = uses_.find(alias);
  return found == uses_.end() ? std::span<const std::uint32_t>{} : std::span(found->second);
}

}  // namespace treadle::inline v0
