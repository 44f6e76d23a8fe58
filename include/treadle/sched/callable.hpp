// Lends a host's own threads to the engine, through any callable that runs a piece of work on them.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include <treadle/sched/parking.hpp>
#include <treadle/sched/scheduler.hpp>
#include <treadle/sched/task_queue.hpp>

namespace treadle::inline v0 {

/// A scheduler on threads that belong to somebody else. `Post` is called with a visit, a copyable
/// `void()` callable of one pointer that does not throw, and has a thread of the host call it soon.
/// Tasks wait in a queue of the scheduler's own; a visit works until that queue is empty. So the
/// host sees few visits however many tasks there are, and whoever waits can always help: a host
/// with one busy thread, or with none, blocks nothing. For Taskflow:
///
///     tf::Executor host;
///     treadle::CallableScheduler lent([&](auto visit) { host.silent_async(visit); },
///                                     host.num_workers());
///     auto model = treadle::Model<treadle::cpu::Backend, decltype(lent)>::load("model.pt2", lent);
///
/// The host must outlive this and call every visit it was given; the destructor waits for them.
template <class Post>
class CallableScheduler {
 public:
  class Visit {
   public:
    explicit Visit(CallableScheduler* self) noexcept : self_(self) {}
    void operator()() const noexcept { self_->visit(); }

   private:
    CallableScheduler* self_;
  };

  /// `threads` of the host may be here at once, besides the callers that wait.
  CallableScheduler(Post post, std::size_t threads)
      : post_(std::move(post)), threads_(std::max<std::size_t>(threads, 1)) {}
  CallableScheduler(const CallableScheduler&) = delete;
  CallableScheduler& operator=(const CallableScheduler&) = delete;
  ~CallableScheduler() {
    Task task;
    while (queue_.pop(task)) task.run();
    std::unique_lock lock(mutex_);
    all_left_.wait(lock, [&] { return expected_ == 0; });
  }

  [[nodiscard]] std::size_t concurrency() const noexcept { return threads_ + 1; }

  void submit(Task task) noexcept {
    if (!queue_.push(task)) return task.run();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    parking_.wake_one();
    if (enter()) invite();
  }

  void help_until_zero(std::atomic<std::int64_t>& pending) noexcept {
    const auto done = [&] { return pending.load(std::memory_order_acquire) <= 0; };
    int idle = 0;
    bool slept = false;
    while (!done()) {
      if (run_one()) {
        idle = 0;
        slept = false;
      } else if (++idle < spins) {
        detail::pause();
      } else {
        parking_.sleep(&pending, [&] { return done() || !queue_.empty(); });
        idle = 0;
        slept = true;
      }
    }
    if (slept && !queue_.empty()) parking_.wake_one();  // woken for it, but gone
  }

 private:
  static constexpr int spins = 200;

  bool run_one() noexcept {
    Task task;
    if (!queue_.pop(task)) return false;
    task.run();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    parking_.wake_finished();
    return true;
  }

  /// Counts one more visitor, if there is room.
  bool enter() noexcept {
    std::size_t inside = inside_.load(std::memory_order_relaxed);
    while (inside < threads_)
      if (inside_.compare_exchange_weak(inside, inside + 1, std::memory_order_seq_cst)) return true;
    return false;
  }

  void invite() noexcept {
    {
      const std::lock_guard lock(mutex_);
      ++expected_;
    }
#if defined(__cpp_exceptions)
    try {
      post_(Visit(this));
    } catch (...) {  // the host is out of memory: those that wait do the work
      inside_.fetch_sub(1, std::memory_order_seq_cst);
      leave();
    }
#else
    post_(Visit(this));
#endif
  }

  void visit() noexcept {
    do {
      while (run_one()) {
      }
      inside_.fetch_sub(1, std::memory_order_seq_cst);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      // A task that came meanwhile may have found no room for a visit.
    } while (!queue_.empty() && enter());
    leave();
  }
  void leave() noexcept {
    const std::lock_guard lock(mutex_);
    if (--expected_ == 0) all_left_.notify_all();
  }

  Post post_;
  std::size_t threads_;
  detail::TaskQueue queue_;
  detail::Parking parking_;
  std::atomic<std::size_t> inside_{0};  ///< visits that work or are on their way
  std::mutex mutex_;
  std::condition_variable all_left_;
  std::size_t expected_ = 0;  ///< visits that have not returned
};

}  // namespace treadle::inline v0
