// Lends an Asio thread pool to the engine.
#pragma once

#include <cstddef>

#include <asio/post.hpp>
#include <asio/thread_pool.hpp>

#include <treadle/sched/callable.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0 {
namespace detail {

struct PostToAsio {
  asio::thread_pool* pool;
  template <class Visit>
  void operator()(Visit visit) const {
    asio::post(*pool, visit);
  }
};

}  // namespace detail

/// Runs tasks on the threads of a pool, which must outlive this and not be stopped before. Callers
/// may be threads of the pool or any others. Asio does not tell how many threads a pool has.
class AsioScheduler : public CallableScheduler<detail::PostToAsio> {
 public:
  AsioScheduler(asio::thread_pool& pool, std::size_t threads)
      : CallableScheduler({&pool}, threads) {}
};

static_assert(Scheduler<AsioScheduler>);

}  // namespace treadle::inline v0
