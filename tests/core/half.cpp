// Tests of the small floating-point types, exhaustive where they are small enough.
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include <treadle/core/half.hpp>

using namespace treadle;

namespace {

/// The value of a float format with infinities, from its fields.
double decoded(std::uint32_t bits, int exponents, int mantissas) {
  const std::uint32_t mantissa = bits & ((1u << mantissas) - 1);
  const auto exponent = static_cast<int>((bits >> mantissas) & ((1u << exponents) - 1));
  const int bias = (1 << (exponents - 1)) - 1;
  const double sign = (bits >> (exponents + mantissas)) & 1 ? -1 : 1;
  if (exponent == (1 << exponents) - 1)
    return mantissa ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissas);
  return sign * std::ldexp(mantissa + (1u << mantissas), exponent - bias - mantissas);
}

bool same(float a, double b) {
  return std::isnan(a) ? std::isnan(b)
                       : static_cast<double>(a) == b && std::signbit(a) == std::signbit(b);
}

/// Every number of the format decodes and encodes; halfway points go to the even neighbour, others
/// to the nearer one.
template <class Float, class Bits>
void check_all(int exponents, int mantissas) {
  const auto count = std::uint32_t{1} << (1 + exponents + mantissas);
  std::uint32_t wrong_values = 0, wrong_bits = 0, wrong_roundings = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto bits = static_cast<Bits>(i);
    const float value = std::bit_cast<Float>(bits);
    wrong_values += !same(value, decoded(i, exponents, mantissas));
    if (std::isnan(value)) {
      wrong_bits += !std::isnan(static_cast<float>(Float(value)));
      continue;
    }
    wrong_bits += Float(value).bits != bits;
    const float next = std::bit_cast<Float>(static_cast<Bits>(i + 1));
    if (!std::isfinite(value) || !std::isfinite(next)) continue;
    const float middle = value + (next - value) / 2;
    const auto even = static_cast<Bits>(i & 1 ? i + 1 : i);
    wrong_roundings += Float(middle).bits != even;
    wrong_roundings += Float(std::nextafter(middle, value)).bits != bits;
    wrong_roundings += Float(std::nextafter(middle, next)).bits != static_cast<Bits>(i + 1);
  }
  CHECK(wrong_values == 0);
  CHECK(wrong_bits == 0);
  CHECK(wrong_roundings == 0);
}

}  // namespace

TEST_CASE("all 65536 halves are read, written and rounded to nearest even") {
  check_all<Half, std::uint16_t>(5, 10);
}
TEST_CASE("all 65536 bfloat16 are read, written and rounded to nearest even") {
  check_all<BFloat16, std::uint16_t>(8, 7);
}
TEST_CASE("all 256 float8_e5m2 are read, written and rounded to nearest even") {
  check_all<Float8E5M2, std::uint8_t>(5, 2);
}

TEST_CASE("all 256 float8_e4m3fn are read and written") {
  for (std::uint32_t i = 0; i < 256; ++i) {
    CAPTURE(i);
    const auto bits = static_cast<std::uint8_t>(i);
    const float value = std::bit_cast<Float8E4M3FN>(bits);
    if ((i & 0x7f) == 0x7f) {
      CHECK(std::isnan(value));
      continue;
    }
    // Like a format with one more exponent bit pattern in use: no infinities.
    const std::uint32_t exponent = (i >> 3) & 15, mantissa = i & 7;
    const double magnitude = exponent == 0
                                 ? std::ldexp(mantissa, -9)
                                 : std::ldexp(mantissa + 8, static_cast<int>(exponent) - 10);
    CHECK(same(value, i & 0x80 ? -magnitude : magnitude));
    CHECK(Float8E4M3FN(value).bits == bits);
  }
}

TEST_CASE("numbers at the edges become what PyTorch makes of them") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  struct Row {
    float value;
    std::uint16_t half, bfloat;
    std::uint8_t e4m3, e5m2;
  };
  const Row rows[] = {
      {0.0f, 0x0000, 0x0000, 0x00, 0x00},
      {-0.0f, 0x8000, 0x8000, 0x80, 0x80},
      {1.0f, 0x3c00, 0x3f80, 0x38, 0x3c},
      {448.0f, 0x5f00, 0x43e0, 0x7e, 0x5f},
      {464.0f, 0x5f40, 0x43e8, 0x7e, 0x5f},
      {465.0f, 0x5f44, 0x43e8, 0x7e, 0x5f},
      {480.0f, 0x5f80, 0x43f0, 0x7e, 0x60},
      {1e+09f, 0x7c00, 0x4e6e, 0x7e, 0x7c},
      {inf, 0x7c00, 0x7f80, 0x7e, 0x7c},
      {-inf, 0xfc00, 0xff80, 0xfe, 0xfc},
      {0.0009765625f, 0x1400, 0x3a80, 0x00, 0x14},
      {0.000976566342f, 0x1400, 0x3a80, 0x01, 0x14},
      {0.0029296875f, 0x1a00, 0x3b40, 0x02, 0x1a},
      {57344.0f, 0x7b00, 0x4760, 0x7e, 0x7b},
      {61439.0f, 0x7b80, 0x4770, 0x7e, 0x7b},
      {61440.0f, 0x7b80, 0x4770, 0x7e, 0x7c},
      {65504.0f, 0x7bff, 0x4780, 0x7e, 0x7c},
      {65519.0f, 0x7bff, 0x4780, 0x7e, 0x7c},
      {65520.0f, 0x7c00, 0x4780, 0x7e, 0x7c},
      {3.38953139e+38f, 0x7c00, 0x7f7f, 0x7e, 0x7c},
      {3.39999995e+38f, 0x7c00, 0x7f80, 0x7e, 0x7c},
      {0.300000012f, 0x34cd, 0x3e9a, 0x2a, 0x35},
      {-2.70000005f, 0xc166, 0xc02d, 0xc3, 0xc1},
      {9.99999994e-09f, 0x0000, 0x322c, 0x00, 0x00},
      {-9.9999461e-41f, 0x8000, 0x8001, 0x80, 0x80},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CHECK(Half(row.value).bits == row.half);
    CHECK(BFloat16(row.value).bits == row.bfloat);
    CHECK(Float8E4M3FN(row.value).bits == row.e4m3);
    CHECK(Float8E5M2(row.value).bits == row.e5m2);
  }
}

TEST_CASE("complex halves round part by part") {
  const ComplexHalf value(std::complex<float>(1.0f / 3, -65536.0f));
  const std::complex<float> back = value;
  CHECK(back.real() == static_cast<float>(Half(1.0f / 3)));
  CHECK(back.imag() == -std::numeric_limits<float>::infinity());
}
