// A number of one of PyTorch's four scalar kinds.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>

#include <treadle/core/dtype.hpp>

namespace treadle::inline v0 {

/// A bool, integer, float or complex number: the type `Scalar` of operator schemas.
class Scalar {
 public:
  constexpr Scalar() noexcept : Scalar(std::int64_t{0}) {}
  /// Exactly a bool, so that no pointer becomes one.
  template <std::same_as<bool> Bool>
  constexpr Scalar(Bool v) noexcept  // NOLINT: implicit on purpose
      : category_(DTypeCategory::boolean), integer_(v ? 1 : 0) {}
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  constexpr Scalar(Integer v) noexcept  // NOLINT: implicit on purpose
      : category_(DTypeCategory::integral), integer_(static_cast<std::int64_t>(v)) {}
  constexpr Scalar(double v) noexcept  // NOLINT: implicit on purpose
      : category_(DTypeCategory::floating), real_(v) {}
  constexpr Scalar(std::complex<double> v) noexcept  // NOLINT: implicit on purpose
      : category_(DTypeCategory::complex), real_(v.real()), imag_(v.imag()) {}

  [[nodiscard]] constexpr DTypeCategory category() const noexcept { return category_; }
  [[nodiscard]] constexpr bool is_exact() const noexcept {
    return category_ == DTypeCategory::boolean || category_ == DTypeCategory::integral;
  }
  /// The value as a float; the real part of a complex number.
  [[nodiscard]] constexpr double to_double() const noexcept {
    return is_exact() ? static_cast<double>(integer_) : real_;
  }
  /// The value as an integer, truncated toward zero; saturated where it would not fit.
  [[nodiscard]] constexpr std::int64_t to_int() const noexcept {
    if (is_exact()) return integer_;
    if (!(real_ > -9.2e18)) return real_ != real_ ? 0 : INT64_MIN;
    if (real_ >= 9.2e18) return INT64_MAX;
    return static_cast<std::int64_t>(real_);
  }
  [[nodiscard]] constexpr bool to_bool() const noexcept {
    return is_exact() ? integer_ != 0 : real_ != 0 || imag_ != 0;
  }
  [[nodiscard]] constexpr std::complex<double> to_complex() const noexcept {
    return {to_double(), imag_};
  }

  friend constexpr bool operator==(const Scalar&, const Scalar&) noexcept = default;

 private:
  DTypeCategory category_;
  std::int64_t integer_ = 0;
  double real_ = 0;
  double imag_ = 0;
};

}  // namespace treadle::inline v0
