// Times runs in batches that are long enough for the clock.
#include "stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/core.h>

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

namespace tool {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool is_terminal() {
#if defined(_WIN32)
  return _isatty(_fileno(stderr)) != 0;
#else
  return isatty(fileno(stderr)) != 0;
#endif
}

/// One line that is written over and wiped in the end.
class Progress {
 public:
  Progress(std::string_view what, double seconds) : what_(what), seconds_(seconds) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }

  void tell(double elapsed, std::size_t runs) {
    if (!terminal_ || elapsed < next_) return;
    next_ = elapsed + 0.2;
    shown_ = true;
    fmt::print(stderr, "\r\x1b[K{}: {} runs, {:.0f} %", what_, runs,
               std::min(100.0, 100 * elapsed / seconds_));
    std::fflush(stderr);
  }

 private:
  std::string_view what_;
  double seconds_;
  bool terminal_ = is_terminal();
  bool shown_ = false;
  double next_ = 1.0;
};

constexpr std::size_t least_samples = 5;
constexpr std::size_t most_samples = 1'000'000;
constexpr double batch_seconds = 20e-6;

}  // namespace

double Timing::median() const {
  if (samples.empty()) return 0;
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

treadle::Result<Timing> measure(std::string_view what, double seconds,
                                const std::function<treadle::Status()>& run) {
  Progress progress(what, seconds);
  const auto warm_up = Clock::now();
  double fastest = 1e9;
  for (int i = 0; i < 3 || (seconds_since(warm_up) < seconds / 10 && i < 1000); ++i) {
    const auto start = Clock::now();
    TREADLE_CHECK(run());
    fastest = std::min(fastest, seconds_since(start));
    progress.tell(seconds_since(warm_up), 0);
  }
  const auto batch =
      static_cast<std::size_t>(std::clamp(batch_seconds / std::max(fastest, 1e-9), 1.0, 10'000.0));
  Timing timing;
  const auto begin = Clock::now();
  while (timing.samples.size() < least_samples ||
         (seconds_since(begin) < seconds && timing.samples.size() < most_samples)) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < batch; ++i) TREADLE_CHECK(run());
    timing.samples.push_back(1e6 * seconds_since(start) / static_cast<double>(batch));
    timing.runs += batch;
    progress.tell(seconds_since(begin), timing.runs);
  }
  std::ranges::sort(timing.samples);
  return timing;
}

}  // namespace tool
