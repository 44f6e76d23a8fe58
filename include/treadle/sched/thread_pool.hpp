// Threads of one's own that run tasks and steal from each other.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <treadle/sched/parking.hpp>
#include <treadle/sched/scheduler.hpp>
#include <treadle/sched/task_queue.hpp>
#include <treadle/sched/thread_pool_os.hpp>
#include <treadle/sched/work_deque.hpp>

namespace treadle::inline v0 {

/// How a pool's threads are made.
struct ThreadPoolOptions {
  /// Threads that work at once, the helping caller among them: a pool of n starts n - 1. 0 means
  /// one for each hardware thread.
  std::size_t concurrency = 0;
  std::string name = "treadle";        ///< the threads are called `treadle-1`, `treadle-2`, …
  std::vector<std::size_t> cpus = {};  ///< worker i is bound to `cpus[i % size]`; empty: nowhere
  /// How often an idle thread looks again before it sleeps: some tens of microseconds, about what
  /// waking it costs.
  std::uint32_t spins = 1000;
  std::function<void(std::size_t worker)> on_start =
      {};  ///< runs first on each thread; not to throw
};

/// A pool of worker threads, each with a deque of its own; callers help while they wait and get a
/// deque for that time. Idle threads look for work for some microseconds, then sleep. Many
/// executors and many callers may share it. After a warm-up nothing is allocated. The destructor
/// runs what was submitted and joins the threads; nobody may wait on the pool then. A pool of 1 has
/// no threads: what is submitted runs when a caller helps.
class ThreadPool {
 public:
  explicit ThreadPool(std::size_t concurrency = 0)
      : ThreadPool(ThreadPoolOptions{.concurrency = concurrency}) {}
  explicit ThreadPool(ThreadPoolOptions options) : options_(std::move(options)) {
    if (options_.concurrency == 0)
      options_.concurrency = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t wanted = options_.concurrency - 1;
    slots_ = std::make_unique<Slot[]>(wanted + caller_slots);
    slot_count_ = wanted + caller_slots;
    first_caller_ = wanted;
    used_.store(wanted, std::memory_order_relaxed);
    workers_.reserve(wanted);
    for (std::size_t i = 0; i < wanted && start(i); ++i) {
    }
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    stopping_.store(true, std::memory_order_seq_cst);
    parking_.wake_all();
    for (auto& worker : workers_) worker.join();
    Task task;
    while (find(nullptr, task)) task.run();
  }

  /// Fewer than asked for if the system refused threads.
  [[nodiscard]] std::size_t concurrency() const noexcept { return workers_.size() + 1; }

  void submit(Task task) noexcept {
    Slot* const slot = own_slot(std::this_thread::get_id());
    if (!(slot && slot->deque.push(task)) && !shared_.push(task)) return task.run();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    parking_.wake_one();
  }

  void help_until_zero(std::atomic<std::int64_t>& pending) noexcept {
    if (pending.load(std::memory_order_acquire) <= 0) return;
    const std::thread::id self = std::this_thread::get_id();
    Slot* slot = own_slot(self);
    Slot* const claimed = slot ? nullptr : claim_slot(self);
    if (claimed) slot = claimed;
    loop(slot, &pending, [&] { return pending.load(std::memory_order_acquire) <= 0; });
    // What is left in the deque belongs to other runs: it stays there to be stolen.
    if (claimed) claimed->owner.store({}, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    parking_.wake_finished();
  }

 private:
  static constexpr std::size_t caller_slots = 16;  ///< callers beyond these share one queue

  struct alignas(128) Slot {
    std::atomic<std::thread::id> owner{};
    std::size_t victim = 0;  ///< whom the owner robs next
    detail::WorkDeque deque;
  };

  // --- threads -----------------------------------------------------------------------------------
  bool start(std::size_t i) {
#if defined(__cpp_exceptions)
    try {
      workers_.emplace_back([this, i] { work(i); });
    } catch (...) {
      return false;  // the pool is smaller
    }
#else
    workers_.emplace_back([this, i] { work(i); });
#endif
    return true;
  }

  void work(std::size_t i) noexcept {
    detail::name_this_thread(options_.name, i + 1);
    if (!options_.cpus.empty()) detail::pin_this_thread(options_.cpus[i % options_.cpus.size()]);
    if (options_.on_start) options_.on_start(i);
    take_slot(slots_[i], std::this_thread::get_id(), i);
    loop(&slots_[i], nullptr, [&] { return stopping_.load(std::memory_order_relaxed); });
  }

  /// Lets the other hardware thread have the core, and now and then other threads the processor.
  static void rest(std::uint32_t turn) noexcept {
    if (turn % 16 == 15)
      std::this_thread::yield();
    else
      detail::pause();
  }

  template <class Done>
  void loop(Slot* slot, const std::atomic<std::int64_t>* pending, Done done) noexcept {
    std::uint32_t idle = 0;
    bool slept = false;
    while (!done()) {
      Task task;
      if (find(slot, task)) {
        task.run();
        idle = 0;
        slept = false;
      } else if (++idle < options_.spins) {
        rest(idle);
      } else {
        parking_.sleep(pending, [&] { return done() || has_work(); });
        idle = 0;
        slept = true;
      }
    }
    if (slept && has_work()) parking_.wake_one();  // woken for it, but gone
  }

  // --- tasks -------------------------------------------------------------------------------------
  bool find(Slot* slot, Task& task) noexcept {
    if (slot && slot->deque.pop(task)) {  // has passed a full fence
      parking_.wake_finished();
      return true;
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    parking_.wake_finished();
    if (shared_.pop(task)) return true;
    const std::size_t used = used_.load(std::memory_order_relaxed);
    std::size_t at = slot ? slot->victim : 0;
    for (std::size_t i = 0; i < used; ++i, ++at) {
      if (at >= used) at = 0;
      auto& deque = slots_[at].deque;
      if (&slots_[at] == slot || deque.empty() || !deque.steal(task)) continue;
      if (slot) slot->victim = at;
      return true;
    }
    return false;
  }
  [[nodiscard]] bool has_work() const noexcept {
    if (!shared_.empty()) return true;
    const std::size_t used = used_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < used; ++i)
      if (!slots_[i].deque.empty()) return true;
    return false;
  }

  // --- which thread is which ---------------------------------------------------------------------
  /// A thread's id leads to its slot through a small table of hints, which may be stale or shared.
  static std::size_t hint_of(std::thread::id id) noexcept {
    std::uint64_t bits = 0;
    if constexpr (sizeof(id) == sizeof(bits))
      bits = std::bit_cast<std::uint64_t>(id);
    else
      bits = std::hash<std::thread::id>()(id);
    return static_cast<std::size_t>((bits * 0x9E37'79B9'7F4A'7C15U) >> 58);
  }
  [[nodiscard]] Slot* own_slot(std::thread::id self) const noexcept {
    const std::size_t hint = hints_[hint_of(self)].load(std::memory_order_relaxed);
    if (slots_[hint].owner.load(std::memory_order_relaxed) == self) return &slots_[hint];
    const std::size_t used = used_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < used; ++i)
      if (slots_[i].owner.load(std::memory_order_relaxed) == self) return &slots_[i];
    return nullptr;
  }
  void take_slot(Slot& slot, std::thread::id self, std::size_t i) noexcept {
    slot.owner.store(self, std::memory_order_relaxed);
    hints_[hint_of(self)].store(static_cast<std::uint32_t>(i), std::memory_order_relaxed);
  }
  [[nodiscard]] Slot* claim_slot(std::thread::id self) noexcept {
    for (std::size_t i = first_caller_; i < slot_count_; ++i) {
      std::thread::id nobody;
      auto& owner = slots_[i].owner;
      if (owner.load(std::memory_order_relaxed) != nobody ||
          !owner.compare_exchange_strong(nobody, self, std::memory_order_acquire,
                                         std::memory_order_relaxed))
        continue;
      std::size_t used = used_.load(std::memory_order_relaxed);
      while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
      }
      take_slot(slots_[i], self, i);
      return &slots_[i];
    }
    return nullptr;
  }

  ThreadPoolOptions options_;
  std::unique_ptr<Slot[]> slots_;  ///< the workers', then the callers'
  std::size_t slot_count_ = 0;
  std::size_t first_caller_ = 0;
  std::atomic<std::size_t> used_{0};  ///< slots that may hold tasks
  std::array<std::atomic<std::uint32_t>, 64> hints_{};
  detail::TaskQueue shared_;
  detail::Parking parking_;
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> workers_;
};

static_assert(Scheduler<ThreadPool>);

}  // namespace treadle::inline v0
