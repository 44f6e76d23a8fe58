// Reads devices from text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

#include <treadle/core/device.hpp>

namespace treadle::inline v0 {

/// `cpu`, `cuda:1`; nothing if the index is no small number. Types that are not known are `other`.
[[nodiscard]] inline std::optional<Device> parse_device(std::string_view text) noexcept {
  const auto colon = text.find(':');
  Device device{parse_device_type(text.substr(0, colon)), -1};
  if (colon == std::string_view::npos) return device;
  const std::string_view digits = text.substr(colon + 1);
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, device.index);
  if (parsed.ec != std::errc() || parsed.ptr != end || device.index < 0) return std::nullopt;
  return device;
}

}  // namespace treadle::inline v0
