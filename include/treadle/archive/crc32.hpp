// The checksum of ZIP records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <treadle/config.hpp>

namespace treadle::inline v0 {

/// CRC-32 (IEEE 802.3, as in ZIP and gzip) of `bytes`. Give the result of an earlier call as
/// `before` to go on with it. Uses carry-less multiplication where the processor has it.
[[nodiscard]] std::uint32_t crc32(std::span<const std::byte> bytes,
                                  std::uint32_t before = 0) noexcept;

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/archive/crc32-inl.hpp>
#endif
