// Threads of one's own that run tasks.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0 {

/// A pool of worker threads with one queue; callers help while they wait. Many executors and many
/// callers may share it. The destructor waits for running tasks; no run may be in progress then.
class ThreadPool {
 public:
  /// `concurrency` counts the helping caller: a pool of n starts n - 1 threads. 0 means one for
  /// each hardware thread.
  explicit ThreadPool(std::size_t concurrency = 0) {
    if (concurrency == 0) concurrency = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < concurrency; ++i) workers_.emplace_back([this] { work(); });
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  [[nodiscard]] std::size_t concurrency() const noexcept { return workers_.size() + 1; }

  void submit(Task task) noexcept {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(task);
    }
    wake_.notify_one();
  }

  void help_until_zero(std::atomic<std::int64_t>& pending) noexcept {
    int idle = 0;
    while (pending.load(std::memory_order_acquire) > 0) {
      Task task;
      if (take(task)) {
        task.run();
        idle = 0;
      } else if (++idle > spins) {
        std::this_thread::yield();
      }
    }
  }

 private:
  static constexpr int spins = 256;

  bool take(Task& task) noexcept {
    const std::lock_guard lock(mutex_);
    if (tasks_.empty()) return false;
    task = tasks_.front();
    tasks_.pop_front();
    return true;
  }

  void work() noexcept {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const Task task = tasks_.front();
      tasks_.pop_front();
      lock.unlock();
      task.run();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

static_assert(Scheduler<ThreadPool>);

}  // namespace treadle::inline v0
