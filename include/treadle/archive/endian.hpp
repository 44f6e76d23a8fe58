// Little-endian integers in bytes.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treadle::inline v0 {
namespace detail {

/// Reads `sizeof(Unsigned)` bytes, which the caller has checked to be there.
template <std::unsigned_integral Unsigned>
[[nodiscard]] constexpr Unsigned load_le(const std::byte* from) noexcept {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    value = static_cast<Unsigned>(value | static_cast<Unsigned>(from[i]) << (8 * i));
  return value;
}

template <std::unsigned_integral Unsigned>
void append_le(std::vector<std::byte>& out, Unsigned value) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

}  // namespace detail
}  // namespace treadle::inline v0
