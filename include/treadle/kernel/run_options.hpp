// What a caller may ask of one run: to stop when told, or at a time.
#pragma once

#include <atomic>
#include <chrono>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0 {

/// Looked at before every node, in the bodies of loops too. A run that stops ends with the code
/// `cancelled` or `deadline_exceeded` and names the node that it did not run any more; tensors that
/// the program writes in place may have been written or not. The next run works.
///
///     std::atomic<bool> stop = false;  // set by another thread
///     auto outputs = model->run({image}, {.stop = &stop, .deadline = now + 5ms});
struct RunOptions {
  using Time = std::chrono::steady_clock::time_point;

  const std::atomic<bool>* stop = nullptr;  ///< must outlive the run
  Time deadline = Time::max();

  /// False if nothing limits the run, which then is not slowed down.
  [[nodiscard]] bool limited() const noexcept { return stop || deadline != Time::max(); }
};

/// An error if a run with these limits must stop now. `limits` may be null.
[[nodiscard]] Status check_limits(const RunOptions* limits);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/kernel/run_options-inl.hpp>
#endif
