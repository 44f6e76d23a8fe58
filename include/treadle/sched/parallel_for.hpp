// Splits a range over any scheduler.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0 {
namespace detail {

/// A range being worked on: pieces are taken in order by whoever comes. Pieces begin at multiples
/// of the grain, so that how many threads came shows in no boundary that a kernel did not choose.
class SplitRange {
 public:
  SplitRange(ParallelFor::Range range, std::int64_t count, std::int64_t piece,
             std::int64_t helpers) noexcept
      : range_(range), count_(count), piece_(piece), helpers_(helpers) {}

  /// Works until no piece is left. What the range throws ends the work and is kept.
  void work() noexcept {
#if defined(__cpp_exceptions)
    try {
      take_pieces();
    } catch (...) {
      next_.store(count_, std::memory_order_relaxed);
      if (!thrown_.exchange(true, std::memory_order_relaxed)) exception_ = std::current_exception();
    }
#else
    take_pieces();
#endif
  }
  /// A task; the last thing it does with `context` is to count itself off.
  static void help(void* context, std::size_t) noexcept {
    auto& self = *static_cast<SplitRange*>(context);
    self.work();
    self.helpers_.fetch_sub(1, std::memory_order_acq_rel);
  }
  [[nodiscard]] std::atomic<std::int64_t>& helpers() noexcept { return helpers_; }
  /// Passes on, once all have ended, what one of them threw.
  void finish() const {
#if defined(__cpp_exceptions)
    if (exception_) std::rethrow_exception(exception_);
#endif
  }

 private:
  void take_pieces() {
    while (true) {
      const std::int64_t begin = next_.fetch_add(piece_, std::memory_order_relaxed);
      if (begin >= count_) return;
      range_(begin, std::min(begin + piece_, count_));
    }
  }

  ParallelFor::Range range_;
  std::int64_t count_;
  std::int64_t piece_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::int64_t> helpers_;
  std::atomic<bool> thrown_{false};
  std::exception_ptr exception_;
};

/// `S` is a scheduler that runs tasks.
template <Scheduler S>
void split_range(void* scheduler, std::int64_t count, std::int64_t grain,
                 ParallelFor::Range range) {
  constexpr std::int64_t pieces_each = 8;  // enough for threads of unequal speed
  auto& pool = *static_cast<S*>(scheduler);
  const auto threads = static_cast<std::int64_t>(pool.concurrency());
  grain = std::max<std::int64_t>(grain, 1);
  if (threads <= 1) return range(0, count);
  const std::int64_t grains = (count - 1) / grain + 1;
  const std::int64_t together = std::max<std::int64_t>(1, grains / (threads * pieces_each));
  const std::int64_t helpers = std::min((grains - 1) / together + 1, threads) - 1;
  SplitRange work(range, count, grain * together, helpers);
  for (std::int64_t i = 0; i < helpers; ++i) pool.submit({&SplitRange::help, &work, 0});
  work.work();
  pool.help_until_zero(work.helpers());
  work.finish();
}

}  // namespace detail

/// The handle that kernels split their work with, over `scheduler`, which must outlive it. A split
/// inside a split adds tasks, never threads. What the range throws comes out of the call, after all
/// pieces that had begun have ended.
template <AnyScheduler S>
[[nodiscard]] ParallelFor make_parallel_for(S& scheduler) noexcept {
  if constexpr (SerialScheduler<S>)
    return {};
  else
    return {&scheduler, &detail::split_range<S>};
}

}  // namespace treadle::inline v0
