// Type promotion: the dtype that an operation on mixed operands computes in.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>

#include <treadle/core/dtype.hpp>

namespace treadle::inline v0 {

/// PyTorch's default floating dtype, which integers become where a float is needed.
inline constexpr DType default_float = DType::float32;

namespace detail {

constexpr int float_rank(DType t) noexcept {
  return t == DType::float64 ? 3 : t == DType::float32 ? 2 : 1;
}

constexpr DType promote_floats(DType a, DType b) noexcept {
  const int ra = float_rank(a), rb = float_rank(b);
  // Two different half-width floats meet in float32.
  if (ra == 1 && rb == 1) return DType::float32;
  return ra >= rb ? a : b;
}

constexpr DType to_complex_dtype(DType t) noexcept {
  if (t == DType::float64) return DType::complex128;
  if (t == DType::float16) return DType::complex32;
  return DType::complex64;
}
constexpr DType to_real_dtype(DType t) noexcept {
  if (t == DType::complex128) return DType::float64;
  if (t == DType::complex64) return DType::float32;
  if (t == DType::complex32) return DType::float16;
  return t;
}

constexpr DType promote_integers(DType a, DType b) noexcept {
  // Signed ones are ordered by size; uint8 with a signed type takes int16 at least. The wider
  // unsigned types mix only with themselves and with uint8-free signed partners of larger size.
  const std::size_t sa = size_of(a), sb = size_of(b);
  if (is_unsigned(a) == is_unsigned(b)) return sa >= sb ? a : b;
  const DType u = is_unsigned(a) ? a : b, s = is_unsigned(a) ? b : a;
  if (size_of(s) > size_of(u)) return s;
  if (u == DType::uint8) return DType::int16;
  if (u == DType::uint16) return DType::int32;
  return DType::int64;
}

}  // namespace detail

/// The real counterpart of a complex dtype, others unchanged.
[[nodiscard]] constexpr DType real_dtype(DType dtype) noexcept {
  return detail::to_real_dtype(dtype);
}
/// The complex counterpart of a floating dtype, complex ones unchanged.
[[nodiscard]] constexpr DType complex_dtype(DType dtype) noexcept {
  return is_complex(dtype) ? dtype : detail::to_complex_dtype(dtype);
}

/// The dtype two tensors of equal standing compute in (`torch.promote_types`). `undefined` is
/// neutral.
[[nodiscard]] constexpr DType promote_types(DType a, DType b) noexcept {
  if (a == b || b == DType::undefined) return a;
  if (a == DType::undefined) return b;
  const auto ca = category(a), cb = category(b);
  if (ca == cb) {
    if (ca == DTypeCategory::integral) return detail::promote_integers(a, b);
    if (ca == DTypeCategory::floating) return detail::promote_floats(a, b);
    return size_of(a) >= size_of(b) ? a : b;
  }
  const DType high = ca > cb ? a : b, low = ca > cb ? b : a;
  if (is_complex(high) && is_floating(low)) {
    const DType wide = detail::promote_floats(real_dtype(high), low);
    return real_dtype(high) == low ? high : complex_dtype(wide);
  }
  return high;
}

/// Collects operands and gives the dtype of their combination (`torch.result_type`): tensors with
/// dimensions come before 0-d tensors, these before numbers, as long as the category is as high.
class Promotion {
 public:
  constexpr void add_tensor(DType dtype, bool zero_dim) noexcept {
    auto& slot = zero_dim ? zero_dim_ : dimensioned_;
    slot = promote_types(slot, dtype);
  }
  /// A Python number: bool, int64, float64 or complex128 stand for its category.
  constexpr void add_number(DTypeCategory category) noexcept {
    constexpr std::array<DType, 4> of = {DType::bool_, DType::int64, default_float,
                                         DType::complex64};
    number_ = promote_types(number_, of[static_cast<std::size_t>(category)]);
  }
  [[nodiscard]] constexpr DType result() const noexcept {
    return combine(dimensioned_, combine(zero_dim_, number_));
  }

 private:
  static constexpr DType combine(DType high, DType low) noexcept {
    if (high == DType::undefined) return low;
    if (low == DType::undefined || category(high) >= category(low)) return high;
    // A lower-ranking complex operand takes the precision of a float operand above it.
    if (is_complex(low) && is_floating(high)) return complex_dtype(high);
    return low;
  }

  DType dimensioned_ = DType::undefined;
  DType zero_dim_ = DType::undefined;
  DType number_ = DType::undefined;
};

/// Integers and bools become the default float; floats and complex stay.
[[nodiscard]] constexpr DType to_float_dtype(DType dtype) noexcept {
  return category(dtype) < DTypeCategory::floating ? default_float : dtype;
}

}  // namespace treadle::inline v0
