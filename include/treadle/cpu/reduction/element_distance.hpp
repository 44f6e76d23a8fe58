// The distance of two elements as their dtype has it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <treadle/core/dtype.hpp>
#include <treadle/cpu/elementwise/element_op.hpp>

namespace treadle::inline v0::cpu::detail {

/// |a - b + shift| of elements that were loaded as doubles, or as complex numbers. Differences of
/// integers wrap around first, as they do in arrays of integers.
class ElementDistance {
 public:
  ElementDistance() noexcept = default;
  /// `dtype` is what both operands promote to.
  explicit ElementDistance(DType dtype) noexcept
      : complex_(is_complex(dtype)),
        bits_(is_complex(dtype) || is_floating(dtype) ? 0 : 8 * static_cast<int>(size_of(dtype))),
        signed_(dtype != DType::uint8 && dtype != DType::uint16 && dtype != DType::uint32) {}

  /// What operands have to be loaded as.
  [[nodiscard]] ComputeType compute_type() const noexcept {
    return complex_ ? ComputeType::complex128 : ComputeType::float64;
  }
  /// Of element `i` of two arrays of that type.
  [[nodiscard]] double operator()(const double* a, const double* b, std::int64_t i,
                                  double shift = 0) const noexcept {
    if (complex_) return std::hypot(a[2 * i] - b[2 * i] + shift, a[2 * i + 1] - b[2 * i + 1]);
    const double difference = a[i] - b[i];
    return std::abs((bits_ == 0 ? difference : wrapped(difference)) + shift);
  }
  /// Numbers of type double in one element.
  [[nodiscard]] std::int64_t width() const noexcept { return complex_ ? 2 : 1; }

 private:
  [[nodiscard]] double wrapped(double difference) const noexcept {
    if (bits_ >= 64) return difference;
    const double range = std::ldexp(1.0, bits_);
    const double low = signed_ ? -range / 2 : 0;
    return difference - range * std::floor((difference - low) / range);
  }

  bool complex_ = false;
  int bits_ = 0;  ///< of an integer; 0 for other numbers
  bool signed_ = true;
};

}  // namespace treadle::inline v0::cpu::detail
