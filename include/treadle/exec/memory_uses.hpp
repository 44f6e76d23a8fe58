// Which steps use which memory, noted while a plan is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace treadle::inline v0 {

/// Which steps use which alias classes, and what workspace they want.
class MemoryUses {
 public:
  void touch(std::uint32_t alias, std::uint32_t step) {
    auto& steps = uses_[alias];
    if (steps.empty() || steps.back() != step) steps.push_back(step);
  }
  void scratch(std::uint32_t step, std::size_t bytes) {
    if (bytes > 0) scratch_.emplace_back(step, bytes);
  }
  /// The steps that use the class, in order. Valid until the next `touch`.
  [[nodiscard]] std::span<const std::uint32_t> steps(std::uint32_t alias) const {
    const auto found = uses_.find(alias);
    return found == uses_.end() ? std::span<const std::uint32_t>{} : std::span(found->second);
  }
  [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::size_t>>& scratch() const noexcept {
    return scratch_;
  }

 private:
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> uses_;
  std::vector<std::pair<std::uint32_t, std::size_t>> scratch_;
};

}  // namespace treadle::inline v0
