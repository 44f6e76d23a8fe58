// Where the elements of a tensor are not zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <treadle/core/dtype.hpp>
#include <treadle/cpu/tensor.hpp>

namespace treadle::inline v0::cpu::detail {

[[nodiscard]] inline bool is_mask(DType dtype) noexcept {
  return dtype == DType::bool_ || dtype == DType::uint8;
}

/// Is any bit of the element set that makes it differ from zero? Negative zeros are zero.
[[nodiscard]] inline bool is_nonzero(const std::byte* element, DType dtype) noexcept {
  const std::size_t size = size_of(dtype);
  const bool floating = is_floating(dtype) || is_complex(dtype);
  const std::size_t part = is_complex(dtype) ? size / 2 : size;
  for (std::size_t i = 0; i < size; ++i) {
    const bool sign_byte = floating && i % part == part - 1;
    if ((element[i] & (sign_byte ? std::byte{0x7f} : std::byte{0xff})) != std::byte{0}) return true;
  }
  return false;
}

/// Calls `function(element, position)` on every element in row-major order; `position` is a `Dims`.
template <class Function>
void for_each_element(const Tensor& tensor, Function&& function) {
  const TensorMeta& meta = tensor.meta();
  const std::int64_t count = element_count(meta);
  const auto item = static_cast<std::int64_t>(size_of(meta.dtype));
  Dims at(meta.rank());
  const std::byte* element = tensor.bytes();
  for (std::int64_t n = 0; n < count; ++n) {
    function(element, at);
    for (std::size_t i = meta.rank(); i-- > 0;) {
      element += meta.strides[i] * item;
      if (++at[i] < meta.sizes[i]) break;
      element -= meta.strides[i] * item * meta.sizes[i];
      at[i] = 0;
    }
  }
}

/// The positions of nonzero elements: one list a dimension.
[[nodiscard]] inline std::vector<std::vector<std::int64_t>> mask_positions(const Tensor& mask) {
  std::vector<std::vector<std::int64_t>> lists(mask.rank());
  for_each_element(mask, [&](const std::byte* element, const Dims& at) {
    if (!is_nonzero(element, mask.dtype())) return;
    for (std::size_t i = 0; i < at.size(); ++i) lists[i].push_back(at[i]);
  });
  return lists;
}

}  // namespace treadle::inline v0::cpu::detail
