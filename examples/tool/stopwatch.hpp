// Measures how long something takes, again and again.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include <treadle/core/result.hpp>

namespace tool {

/// Times of single runs, in microseconds.
struct Timing {
  std::vector<double> samples;  ///< sorted; short runs are measured in batches, one sample each
  std::size_t runs = 0;

  [[nodiscard]] double median() const;
  [[nodiscard]] double smallest() const { return samples.empty() ? 0 : samples.front(); }
};

/// Warms up, then runs for about `seconds`, at least five times. Shows progress on the error
/// stream if that is a terminal and it takes more than a second.
treadle::Result<Timing> measure(std::string_view what, double seconds,
                                const std::function<treadle::Status()>& run);

}  // namespace tool
