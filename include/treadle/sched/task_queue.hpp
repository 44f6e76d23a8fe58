// A first-in first-out queue of tasks that any thread may use.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::detail {

/// Grows by doubling and never shrinks, so that a steady program does not allocate.
class TaskQueue {
 public:
  /// False if there is no memory for one more.
  bool push(Task task) noexcept {
    const std::lock_guard lock(mutex_);
    if (count_ == capacity_ && !grow()) return false;
    ring_[(first_ + count_) & (capacity_ - 1)] = task;
    size_.store(++count_, std::memory_order_release);
    return true;
  }
  bool pop(Task& task) noexcept {
    if (empty()) return false;
    const std::lock_guard lock(mutex_);
    if (count_ == 0) return false;
    task = ring_[first_];
    first_ = (first_ + 1) & (capacity_ - 1);
    size_.store(--count_, std::memory_order_release);
    return true;
  }
  /// A glance without the lock: after a full fence it sees every push that came before.
  [[nodiscard]] bool empty() const noexcept { return size_.load(std::memory_order_acquire) == 0; }

 private:
  static constexpr std::size_t first_capacity = 256;

  bool grow() noexcept {
    const std::size_t capacity = capacity_ == 0 ? first_capacity : 2 * capacity_;
    std::unique_ptr<Task[]> larger(new (std::nothrow) Task[capacity]);
    if (!larger) return false;
    for (std::size_t i = 0; i < count_; ++i) larger[i] = ring_[(first_ + i) & (capacity_ - 1)];
    ring_ = std::move(larger);
    capacity_ = capacity;
    first_ = 0;
    return true;
  }

  std::mutex mutex_;
  std::unique_ptr<Task[]> ring_;
  std::size_t capacity_ = 0;  ///< a power of two
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::atomic<std::size_t> size_{0};
};

}  // namespace treadle::inline v0::detail
