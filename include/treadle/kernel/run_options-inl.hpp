// Definitions of run_options.hpp.
#pragma once

#include <atomic>
#include <chrono>

#include <treadle/kernel/run_options.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE Status check_limits(const RunOptions* limits) {
  if (!limits) return {};
  if (limits->stop && limits->stop->load(std::memory_order_relaxed))
    return Error(ErrorCode::cancelled, "the run was cancelled before this node");
  if (limits->deadline != RunOptions::Time::max() &&
      std::chrono::steady_clock::now() >= limits->deadline)
    return Error(ErrorCode::deadline_exceeded, "the deadline passed before this node");
  return {};
}

}  // namespace treadle::inline v0
