// Bytes and times as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/core.h>

namespace treadle::inline v0 {

/// `512 B`, `1.5 KiB`, `12.0 MiB`.
[[nodiscard]] inline std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1023.95 && unit < 5; ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, units[unit]);
}

/// `0.42 µs`, `12.3 µs`, `4.56 ms`, `1.23 s`: three digits.
[[nodiscard]] inline std::string time_text(double microseconds) {
  const auto digits = [](double value, const char* unit) {
    return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, unit);
  };
  if (microseconds < 999.5) return digits(microseconds, "µs");
  if (microseconds < 999'500) return digits(microseconds / 1e3, "ms");
  return digits(microseconds / 1e6, "s");
}

}  // namespace treadle::inline v0
