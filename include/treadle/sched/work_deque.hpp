// A deque of tasks that one thread owns and others steal from.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::detail {

/// Chase and Lev's deque in the C11 form of Lê, Pop, Cohen and Zappa Nardelli ("Correct and
/// efficient work-stealing for weak memory models", 2013), of fixed size. The owner pushes and pops
/// at one end, last in first out; others steal at the other. The end is published by release stores
/// where the paper has fences, so that what a task refers to is ordered for sanitizers too.
class WorkDeque {
 public:
  WorkDeque() : cells_(std::make_unique<Cell[]>(capacity)) {}

  /// Owner only. False if it is full.
  bool push(Task task) noexcept {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom - top_.load(std::memory_order_acquire) >= capacity) return false;
    cells_[index(bottom)].store(task);
    bottom_.store(bottom + 1, std::memory_order_release);
    return true;
  }
  /// Owner only.
  bool pop(Task& task) noexcept {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    if (bottom < top_.load(std::memory_order_relaxed)) return false;  // only the owner adds
    bottom_.store(bottom, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::int64_t top = top_.load(std::memory_order_relaxed);
    if (top < bottom) {
      task = cells_[index(bottom)].load();
      return true;
    }
    bool got = false;
    if (top == bottom) {  // the last one: thieves may be after it
      task = cells_[index(bottom)].load();
      got = top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                         std::memory_order_relaxed);
    }
    bottom_.store(bottom + 1, std::memory_order_release);
    return got;
  }
  /// Any thread. May fail although there is a task, if another thread takes it first.
  bool steal(Task& task) noexcept {
    std::int64_t top = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (top >= bottom_.load(std::memory_order_acquire)) return false;
    task = cells_[index(top)].load();
    return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                        std::memory_order_relaxed);
  }
  /// A glance: after a full fence it sees every push that came before.
  [[nodiscard]] bool empty() const noexcept {
    const std::int64_t top = top_.load(std::memory_order_relaxed);
    return bottom_.load(std::memory_order_acquire) <= top;
  }

 private:
  static constexpr std::int64_t capacity = 512;  // a power of two

  /// Three words that are read one by one: a thief that reads a mixture loses the race for it.
  struct Cell {
    std::atomic<void (*)(void*, std::size_t) noexcept> function{nullptr};
    std::atomic<void*> context{nullptr};
    std::atomic<std::size_t> argument{0};

    void store(Task task) noexcept {
      function.store(task.function, std::memory_order_relaxed);
      context.store(task.context, std::memory_order_relaxed);
      argument.store(task.argument, std::memory_order_relaxed);
    }
    [[nodiscard]] Task load() const noexcept {
      return {function.load(std::memory_order_relaxed), context.load(std::memory_order_relaxed),
              argument.load(std::memory_order_relaxed)};
    }
  };

  static std::size_t index(std::int64_t i) noexcept {
    return static_cast<std::size_t>(i & (capacity - 1));
  }

  alignas(64) std::atomic<std::int64_t> top_{0};
  alignas(64) std::atomic<std::int64_t> bottom_{0};
  std::unique_ptr<Cell[]> cells_;
};

}  // namespace treadle::inline v0::detail
