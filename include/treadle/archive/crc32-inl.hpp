// Definitions of crc32.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <zlib.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define TREADLE_HAS_CLMUL 1
#include <immintrin.h>
#else
#define TREADLE_HAS_CLMUL 0
#endif

#include <treadle/archive/crc32.hpp>

namespace treadle::inline v0 {
namespace detail {

/// zlib's checksum, for any processor.
[[nodiscard]] inline std::uint32_t crc32_portable(std::span<const std::byte> bytes,
                                                  std::uint32_t before) noexcept {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

#if TREADLE_HAS_CLMUL

/// Moves 128 bits of the message forward by the distance that `powers` stands for, onto `next`.
[[nodiscard]] __attribute__((target("pclmul,sse4.1"))) inline __m128i crc32_fold(
    __m128i state, __m128i powers, __m128i next) noexcept {
  const __m128i low = _mm_clmulepi64_si128(state, powers, 0x00);
  const __m128i high = _mm_clmulepi64_si128(state, powers, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/// Folds the message to 16 bytes of the same remainder, then divides those. `bytes` has at least
/// 64. After V. Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
/// Instruction", Intel, 2009; the powers of x are those of the bit-reflected polynomial.
[[nodiscard]] __attribute__((target("pclmul,sse4.1"))) inline std::uint32_t crc32_clmul(
    std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  const __m128i by_64 = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
  const __m128i by_16 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  const auto* at = reinterpret_cast<const __m128i*>(bytes.data());
  const auto* const end = at + bytes.size() / 16;
  __m128i lane[4];
  for (auto& state : lane) state = _mm_loadu_si128(at++);
  lane[0] = _mm_xor_si128(lane[0], _mm_cvtsi32_si128(static_cast<int>(~before)));
  for (; end - at >= 4; at += 4)
    for (int i = 0; i < 4; ++i) lane[i] = crc32_fold(lane[i], by_64, _mm_loadu_si128(at + i));
  __m128i state = lane[0];
  for (int i = 1; i < 4; ++i) state = crc32_fold(state, by_16, lane[i]);
  for (; at != end; ++at) state = crc32_fold(state, by_16, _mm_loadu_si128(at));
  std::byte folded[16];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(folded), state);
  const std::uint32_t whole = crc32_portable(folded, ~std::uint32_t{0});
  return crc32_portable(bytes.subspan(bytes.size() / 16 * 16), whole);
}

#endif

}  // namespace detail

TREADLE_INLINE std::uint32_t crc32(std::span<const std::byte> bytes,
                                   std::uint32_t before) noexcept {
  if (bytes.empty()) return before;
#if TREADLE_HAS_CLMUL
  if (bytes.size() >= 64 && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"))
    return detail::crc32_clmul(bytes, before);
#endif
  return detail::crc32_portable(bytes, before);
}

}  // namespace treadle::inline v0

#undef TREADLE_HAS_CLMUL
