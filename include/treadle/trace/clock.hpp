// The clock of all tracers.
#pragma once

#include <chrono>
#include <cstdint>

namespace treadle::inline v0::detail {

/// Nanoseconds of a steady clock from some start.
[[nodiscard]] inline std::int64_t now_in_nanoseconds() noexcept {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

}  // namespace treadle::inline v0::detail
