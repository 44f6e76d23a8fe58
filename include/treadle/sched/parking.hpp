// Where threads sleep until there is work for them, or the end of what they wait for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace treadle::inline v0::detail {

/// Tells the processor that this is a waiting loop.
inline void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Threads that found nothing to do. A thread first puts itself on the list, looks for work once
/// more and then sleeps; whoever adds work passes a full fence and then looks at the list: one of
/// both sees the other, so no wake-up is lost. The lock is taken only when somebody sleeps.
class Parking {
 public:
  /// One sleeping thread, on its own stack. `pending` is what it waits for; null for workers.
  struct Sleeper {
    explicit Sleeper(const std::atomic<std::int64_t>* what) : pending(what) {}
    const std::atomic<std::int64_t>* pending;
    std::condition_variable wake;
    Sleeper* next = nullptr;
    bool woken = false;
  };

  /// Sleeps until woken, unless `ready()` holds once the thread is on the list.
  template <class Ready>
  void sleep(const std::atomic<std::int64_t>* pending, Ready ready) noexcept {
    Sleeper self(pending);
    std::unique_lock lock(mutex_);
    self.next = first_;
    first_ = &self;
    count(pending, 1);
    lock.unlock();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const bool stay = !ready();
    lock.lock();
    if (!stay && !self.woken) return remove(&self);
    self.wake.wait(lock, [&] { return self.woken; });
  }

  /// After work was added and a full fence passed: wakes one thread, if one sleeps.
  void wake_one() noexcept {
    if (sleepers_.load(std::memory_order_relaxed) == 0) return;
    const std::lock_guard lock(mutex_);
    if (first_) wake(first_);
  }
  /// After tasks were finished and a full fence passed: wakes those whose wait is over.
  void wake_finished() noexcept {
    if (waiting_.load(std::memory_order_relaxed) == 0) return;
    const std::lock_guard lock(mutex_);
    for (Sleeper* at = first_; at;) {
      Sleeper* const next = at->next;
      if (at->pending && at->pending->load(std::memory_order_acquire) <= 0) wake(at);
      at = next;
    }
  }
  void wake_all() noexcept {
    const std::lock_guard lock(mutex_);
    while (first_) wake(first_);
  }

 private:
  /// Under the lock, which the sleeper takes before it goes: it can't vanish meanwhile.
  void wake(Sleeper* sleeper) noexcept {
    remove(sleeper);
    sleeper->woken = true;
    sleeper->wake.notify_one();
  }
  void remove(Sleeper* sleeper) noexcept {
    Sleeper** link = &first_;
    while (*link != sleeper) link = &(*link)->next;
    *link = sleeper->next;
    count(sleeper->pending, -1);
  }
  void count(const std::atomic<std::int64_t>* pending, int by) noexcept {
    sleepers_.fetch_add(by, std::memory_order_relaxed);
    if (pending) waiting_.fetch_add(by, std::memory_order_relaxed);
  }

  std::mutex mutex_;
  Sleeper* first_ = nullptr;
  alignas(64) std::atomic<int> sleepers_{0};
  std::atomic<int> waiting_{0};  ///< those among them that wait for the end of something
};

}  // namespace treadle::inline v0::detail
