// A bound on how many runs go on at the same time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace treadle::inline v0::detail {

/// So many places; who finds none waits. With a bound of zero there is always one.
class RunPlaces {
 public:
  explicit RunPlaces(std::size_t bound) noexcept
      : bound_(bound), free_(static_cast<std::int64_t>(bound)) {}

  [[nodiscard]] std::size_t bound() const noexcept { return bound_; }

  [[nodiscard]] bool try_take() noexcept {
    if (bound_ == 0) return true;
    std::int64_t free = free_.load(std::memory_order_relaxed);
    while (free > 0)
      if (free_.compare_exchange_weak(free, free - 1, std::memory_order_acquire)) return true;
    return false;
  }
  void take() noexcept {
    while (!try_take()) free_.wait(0, std::memory_order_relaxed);
  }
  void give_back() noexcept {
    if (bound_ == 0) return;
    free_.fetch_add(1, std::memory_order_release);
    free_.notify_one();
  }

 private:
  std::size_t bound_;
  std::atomic<std::int64_t> free_;
};

}  // namespace treadle::inline v0::detail
