// Signatures, sizes and field offsets of the ZIP format.
#pragma once

#include <cstddef>
#include <cstdint>

namespace treadle::inline v0 {
namespace detail::zip {

inline constexpr std::uint32_t local_signature = 0x04034b50;
inline constexpr std::uint32_t central_signature = 0x02014b50;
inline constexpr std::uint32_t end_signature = 0x06054b50;
inline constexpr std::uint32_t end64_signature = 0x06064b50;
inline constexpr std::uint32_t locator64_signature = 0x07064b50;

inline constexpr std::size_t local_size = 30;
inline constexpr std::size_t central_size = 46;
inline constexpr std::size_t end_size = 22;
inline constexpr std::size_t end64_size = 56;
inline constexpr std::size_t locator64_size = 20;

inline constexpr std::uint16_t zip64_extra = 0x0001;
inline constexpr std::uint16_t padding_extra = 0x4246;  ///< `FB`, the id that PyTorch pads with

inline constexpr std::uint16_t saturated16 = 0xffff;
inline constexpr std::uint32_t saturated32 = 0xffffffff;

inline constexpr unsigned flag_encrypted = 1u << 0;
inline constexpr unsigned flag_descriptor = 1u << 3;
inline constexpr unsigned flag_patched = 1u << 5;
inline constexpr unsigned flag_strong = 1u << 6;
inline constexpr unsigned flag_utf8 = 1u << 11;
inline constexpr unsigned flag_masked = 1u << 13;

inline constexpr std::uint16_t method_stored = 0;
inline constexpr std::uint16_t method_deflated = 8;

/// Deflate never shrinks a byte count by more than this factor.
inline constexpr std::uint64_t deflate_best_ratio = 1032;

}  // namespace detail::zip
}  // namespace treadle::inline v0
