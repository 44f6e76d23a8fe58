// Which steps use which memory, noted while a plan is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <treadle/config.hpp>

namespace treadle::inline v0 {

/// Which steps use which alias classes, and what workspace they want.
class MemoryUses {
 public:
  void touch(std::uint32_t alias, std::uint32_t step);
  void scratch(std::uint32_t step, std::size_t bytes);
  /// The steps that use the class, in order. Valid until the next `touch`.
  [[nodiscard]] std::span<const std::uint32_t> steps(std::uint32_t alias) const;
  [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::size_t>>& scratch() const noexcept {
    return scratch_;
  }

 private:
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> uses_;
  std::vector<std::pair<std::uint32_t, std::size_t>> scratch_;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exec/memory_uses-inl.hpp>
#endif
