// One thread, in order.
#pragma once

#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0 {

/// The default scheduler: the executor is a plain loop on the caller's thread.
struct Serial {
  static constexpr bool is_serial = true;
};

static_assert(SerialScheduler<Serial>);

}  // namespace treadle::inline v0
