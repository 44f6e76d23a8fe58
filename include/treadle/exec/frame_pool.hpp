// Frames of one plan that wait for their next run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/exec/frame.hpp>

namespace treadle::inline v0 {

/// Lends frames to runs. Lock-free and safe from many threads; only making or freeing a frame takes
/// memory. Frames that no run has needed for a while are freed, so that a burst of concurrent runs
/// does not keep its memory for ever.
template <TensorBackend Backend>
class FramePool {
 public:
  using FramePointer = std::unique_ptr<Frame<Backend>>;

  /// Keeps at most `max_idle` frames between runs.
  explicit FramePool(std::size_t max_idle)
      : slots_(std::make_unique<Slot[]>(max_idle)), capacity_(max_idle) {}
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  ~FramePool() { trim(); }

  /// An idle frame, or a new one for `plan`.
  Result<FramePointer> acquire(const std::shared_ptr<const ExecutionPlan<Backend>>& plan) {
    for (std::size_t i = 0; i < capacity_; ++i) {
      if (slots_[i].frame.load(std::memory_order_relaxed) == nullptr) continue;
      if (auto* frame = slots_[i].frame.exchange(nullptr, std::memory_order_acq_rel)) {
        slots_[i].last_use.store(period(), std::memory_order_relaxed);
        return FramePointer(frame);
      }
    }
    return Frame<Backend>::make(plan);
  }

  /// Takes a frame back after its run. The lowest free place is filled, so that rarely needed
  /// frames gather at the end and grow old there.
  void release(FramePointer frame) {
    if (releases_.fetch_add(1, std::memory_order_relaxed) % runs_a_period == runs_a_period - 1)
      free_unused();
    for (std::size_t i = 0; i < capacity_; ++i) {
      Frame<Backend>* empty = nullptr;
      if (slots_[i].frame.compare_exchange_strong(empty, frame.get(), std::memory_order_acq_rel)) {
        slots_[i].last_use.store(period(), std::memory_order_relaxed);
        (void)frame.release();
        return;
      }
    }
  }

  /// Frees every idle frame.
  void trim() noexcept {
    for (std::size_t i = 0; i < capacity_; ++i)
      FramePointer(slots_[i].frame.exchange(nullptr, std::memory_order_acq_rel)).reset();
  }

  [[nodiscard]] std::size_t idle() const noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < capacity_; ++i)
      count += slots_[i].frame.load(std::memory_order_relaxed) != nullptr;
    return count;
  }

 private:
  static constexpr std::uint64_t runs_a_period = 256;

  struct Slot {
    std::atomic<Frame<Backend>*> frame{nullptr};
    std::atomic<std::uint64_t> last_use{0};
  };

  [[nodiscard]] std::uint64_t period() const noexcept {
    return releases_.load(std::memory_order_relaxed) / runs_a_period;
  }

  /// Frees what a whole period of runs had no use for.
  void free_unused() noexcept {
    for (std::size_t i = 0; i < capacity_; ++i)
      if (slots_[i].last_use.load(std::memory_order_relaxed) + 1 < period())
        FramePointer(slots_[i].frame.exchange(nullptr, std::memory_order_acq_rel)).reset();
  }

  std::unique_ptr<Slot[]> slots_;
  std::size_t capacity_;
  std::atomic<std::uint64_t> releases_{0};
};

}  // namespace treadle::inline v0
