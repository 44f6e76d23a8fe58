// Lends a oneTBB arena to the engine.
#pragma once

#include <cstddef>

#include <oneapi/tbb/task_arena.h>

#include <treadle/sched/callable.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0 {
namespace detail {

struct PostToTbb {
  oneapi::tbb::task_arena* arena;
  template <class Visit>
  void operator()(Visit visit) const {
    arena->enqueue(visit);
  }
};

}  // namespace detail

/// Runs tasks on the workers of an arena, which must outlive this. Callers may be threads of the
/// arena or any others.
class TbbScheduler : public CallableScheduler<detail::PostToTbb> {
 public:
  explicit TbbScheduler(oneapi::tbb::task_arena& arena)
      : CallableScheduler({&arena}, workers(arena)) {}

 private:
  /// One place of an arena is the caller's.
  static std::size_t workers(oneapi::tbb::task_arena& arena) {
    arena.initialize();
    const int places = arena.max_concurrency();
    return places > 1 ? static_cast<std::size_t>(places - 1) : 1;
  }
};

static_assert(Scheduler<TbbScheduler>);

}  // namespace treadle::inline v0
