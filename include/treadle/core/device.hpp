// Where a tensor lives, and how its elements are laid out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>

namespace treadle::inline v0 {

/// Kinds of devices that exported programs name.
enum class DeviceType : std::uint8_t { cpu, cuda, mps, xpu, meta, other };

[[nodiscard]] constexpr std::string_view name(DeviceType type) noexcept {
  constexpr std::string_view names[] = {"cpu", "cuda", "mps", "xpu", "meta", "other"};
  return names[static_cast<int>(type)];
}
[[nodiscard]] constexpr DeviceType parse_device_type(std::string_view text) noexcept {
  for (auto t :
       {DeviceType::cpu, DeviceType::cuda, DeviceType::mps, DeviceType::xpu, DeviceType::meta})
    if (name(t) == text) return t;
  return DeviceType::other;
}

/// A device as a program names it: `cpu`, `cuda:1`. The CPU has no index (-1).
struct Device {
  DeviceType type = DeviceType::cpu;
  std::int16_t index = -1;

  friend constexpr bool operator==(const Device&, const Device&) noexcept = default;
};

[[nodiscard]] inline std::string to_string(const Device& device) {
  return device.index < 0 ? std::string(name(device.type))
                          : concat(name(device.type), ':', device.index);
}

enum class Layout : std::uint8_t {
  strided,
  sparse_coo,
  sparse_csr,
  sparse_csc,
  sparse_bsr,
  sparse_bsc,
  mkldnn,
  unknown
};

enum class MemoryFormat : std::uint8_t {
  contiguous,
  channels_last,
  channels_last_3d,
  preserve,
  unknown
};

[[nodiscard]] constexpr std::string_view name(Layout layout) noexcept {
  constexpr std::string_view names[] = {"strided",    "sparse_coo", "sparse_csr", "sparse_csc",
                                        "sparse_bsr", "sparse_bsc", "_mkldnn",    "unknown"};
  return names[static_cast<int>(layout)];
}
[[nodiscard]] constexpr std::string_view name(MemoryFormat format) noexcept {
  constexpr std::string_view names[] = {"contiguous_format", "channels_last", "channels_last_3d",
                                        "preserve_format", "unknown"};
  return names[static_cast<int>(format)];
}

}  // namespace treadle::inline v0
