// The small floating-point types: half, bfloat16, and the 8-bit ones.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

namespace treadle::inline v0 {
namespace detail {

/// Rounds a float to a format with `Exp` exponent and `Man` mantissa bits, nearest even, keeping
/// subnormals; overflow becomes infinity (or the value that `overflow` names).
template <int Exp, int Man>
constexpr std::uint32_t narrow_float(float value, std::uint32_t overflow) noexcept {
  constexpr int bias = (1 << (Exp - 1)) - 1;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 31) << (Exp + Man);
  const int exponent = static_cast<int>((bits >> 23) & 0xff) - 127;
  std::uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
  if (exponent < -bias - Man) return sign;
  const int shift = 23 - Man + (exponent < 1 - bias ? 1 - bias - exponent : 0);
  if (shift > 24) return sign;
  const std::uint32_t half = 1u << (shift - 1);
  const std::uint32_t rest = mantissa & ((1u << shift) - 1);
  mantissa >>= shift;
  if (rest > half || (rest == half && (mantissa & 1))) ++mantissa;
  const int biased = exponent < 1 - bias ? 0 : exponent + bias;
  // A mantissa that rounds up carries into the exponent, which is what the encoding wants.
  const std::uint32_t magnitude =
      biased == 0 ? mantissa : mantissa + ((static_cast<std::uint32_t>(biased) - 1u) << Man);
  return sign | (magnitude >= overflow ? overflow : magnitude);
}

template <int Exp, int Man>
constexpr float widen_float(std::uint32_t bits) noexcept {
  constexpr int bias = (1 << (Exp - 1)) - 1;
  const std::uint32_t sign = (bits >> (Exp + Man)) << 31;
  const std::uint32_t exponent = (bits >> Man) & ((1u << Exp) - 1);
  const std::uint32_t mantissa = bits & ((1u << Man) - 1);
  if (exponent == 0) {
    // A subnormal number is a multiple of a power of two: the product is exact, and zero for zero.
    constexpr auto unit = std::bit_cast<float>(static_cast<std::uint32_t>(128 - bias - Man) << 23);
    const float magnitude = static_cast<float>(static_cast<std::int32_t>(mantissa)) * unit;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | ((exponent + static_cast<std::uint32_t>(127 - bias)) << 23) |
                              (mantissa << (23 - Man)));
}

constexpr bool is_nan_bits(float value) noexcept {
  return (std::bit_cast<std::uint32_t>(value) & 0x7fffffff) > 0x7f800000;
}

}  // namespace detail

/// IEEE 754 binary16.
struct Half {
  std::uint16_t bits = 0;

  constexpr Half() noexcept = default;
  constexpr Half(float v) noexcept  // NOLINT: converts like a builtin
      : bits(detail::is_nan_bits(v)
                 ? static_cast<std::uint16_t>(0x7e00)
                 : static_cast<std::uint16_t>(detail::narrow_float<5, 10>(v, 0x7c00))) {}
  constexpr operator float() const noexcept {  // NOLINT: converts like a builtin
    if ((bits & 0x7c00) == 0x7c00) {
      const auto rest = static_cast<std::uint32_t>(bits & 0x3ff) << 13;
      return std::bit_cast<float>((static_cast<std::uint32_t>(bits & 0x8000) << 16) | 0x7f800000 |
                                  rest);
    }
    return detail::widen_float<5, 10>(bits);
  }
};

/// The upper half of a binary32.
struct BFloat16 {
  std::uint16_t bits = 0;

  constexpr BFloat16() noexcept = default;
  constexpr BFloat16(float v) noexcept {  // NOLINT: converts like a builtin
    const auto u = std::bit_cast<std::uint32_t>(v);
    bits = detail::is_nan_bits(v)
               ? static_cast<std::uint16_t>(0x7fc0)
               : static_cast<std::uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
  }
  constexpr operator float() const noexcept {  // NOLINT: converts like a builtin
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};

/// 8-bit float, 4 exponent bits, no infinities (OCP 8-bit floating point specification). Numbers
/// beyond 448 become 448, as in PyTorch.
struct Float8E4M3FN {
  std::uint8_t bits = 0;

  constexpr Float8E4M3FN() noexcept = default;
  constexpr Float8E4M3FN(float v) noexcept  // NOLINT: converts like a builtin
      : bits(detail::is_nan_bits(v)
                 ? static_cast<std::uint8_t>(0x7f)
                 : static_cast<std::uint8_t>(detail::narrow_float<4, 3>(v, 0x7e))) {}
  constexpr operator float() const noexcept {  // NOLINT: converts like a builtin
    if ((bits & 0x7f) == 0x7f) return std::numeric_limits<float>::quiet_NaN();
    return detail::widen_float<4, 3>(bits);
  }
};

/// 8-bit float, 5 exponent bits, IEEE-like (OCP 8-bit floating point specification).
struct Float8E5M2 {
  std::uint8_t bits = 0;

  constexpr Float8E5M2() noexcept = default;
  constexpr Float8E5M2(float v) noexcept  // NOLINT: converts like a builtin
      : bits(detail::is_nan_bits(v)
                 ? static_cast<std::uint8_t>(0x7f)
                 : static_cast<std::uint8_t>(detail::narrow_float<5, 2>(v, 0x7c))) {}
  constexpr operator float() const noexcept {  // NOLINT: converts like a builtin
    return static_cast<float>(
        std::bit_cast<Half>(static_cast<std::uint16_t>(static_cast<std::uint16_t>(bits) << 8)));
  }
};

/// Half-precision complex number, stored as real and imaginary part.
struct ComplexHalf {
  Half real;
  Half imag;

  constexpr ComplexHalf() noexcept = default;
  constexpr ComplexHalf(std::complex<float> v) noexcept  // NOLINT: converts like a builtin
      : real(v.real()), imag(v.imag()) {}
  constexpr operator std::complex<float>() const noexcept {  // NOLINT: converts like a builtin
    return {real, imag};
  }
};

}  // namespace treadle::inline v0
