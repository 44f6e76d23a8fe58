// Splits a range over any scheduler.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0 {
namespace detail {

/// A range being worked on: pieces are taken in order by whoever comes.
struct SplitRange {
  ParallelFor::Range range;
  std::int64_t count;
  std::int64_t piece;
  std::atomic<std::int64_t> next{0};
  std::atomic<std::int64_t> helpers{0};

  void work() const noexcept {
    auto& self = const_cast<SplitRange&>(*this);
    while (true) {
      const std::int64_t begin = self.next.fetch_add(piece, std::memory_order_relaxed);
      if (begin >= count) return;
      range(begin, std::min(begin + piece, count));
    }
  }
  static void help(void* context, std::size_t) noexcept {
    auto& self = *static_cast<SplitRange*>(context);
    self.work();
    self.helpers.fetch_sub(1, std::memory_order_acq_rel);
  }
};

}  // namespace detail

/// The handle that kernels split their work with, over `scheduler`, which must outlive it.
template <AnyScheduler S>
[[nodiscard]] ParallelFor make_parallel_for(S& scheduler) noexcept {
  if constexpr (SerialScheduler<S>) {
    return {};
  } else {
    const auto split = [](void* context, std::int64_t count, std::int64_t grain,
                          ParallelFor::Range range) {
      auto& pool = *static_cast<S*>(context);
      const auto workers = static_cast<std::int64_t>(pool.concurrency());
      if (workers <= 1) return range(0, count);
      const std::int64_t pieces = std::min((count + grain - 1) / grain, workers * 4);
      detail::SplitRange work{range, count, (count + pieces - 1) / pieces};
      const std::int64_t helpers = std::min(pieces, workers) - 1;
      work.helpers.store(helpers, std::memory_order_relaxed);
      for (std::int64_t i = 0; i < helpers; ++i) pool.submit({&detail::SplitRange::help, &work, 0});
      work.work();
      pool.help_until_zero(work.helpers);
    };
    return {&scheduler, split};
  }
}

}  // namespace treadle::inline v0
