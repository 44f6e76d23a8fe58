// Copies elements between strided layouts of one dtype.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <treadle/core/dtype.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Copies the block below dimension `d`; strides in bytes.
inline void copy_block(const std::byte* from, const Dims& from_strides, std::byte* to,
                       const Dims& to_strides, const Dims& sizes, std::size_t d, std::size_t item) {
  const std::int64_t n = sizes[d];
  if (d + 1 == sizes.size()) {
    const auto bytes = static_cast<std::int64_t>(item);
    if (from_strides[d] == bytes && to_strides[d] == bytes) {
      std::memcpy(to, from, static_cast<std::size_t>(n) * item);
      return;
    }
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(to + i * to_strides[d], from + i * from_strides[d], item);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i)
    copy_block(from + i * from_strides[d], from_strides, to + i * to_strides[d], to_strides, sizes,
               d + 1, item);
}

}  // namespace detail

/// Copies every element. Both metas have the same sizes and dtype; the pointers are to the first
/// elements, which do not overlap.
inline void copy_elements(const std::byte* from, const TensorMeta& from_meta, std::byte* to,
                          const TensorMeta& to_meta) {
  const std::size_t item = size_of(from_meta.dtype);
  const std::int64_t count = element_count(from_meta);
  if (count == 0) return;
  if (from_meta.rank() == 0 || (is_contiguous(from_meta) && is_contiguous(to_meta))) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * item);
    return;
  }
  Dims from_strides = from_meta.strides, to_strides = to_meta.strides;
  for (auto& s : from_strides) s *= static_cast<std::int64_t>(item);
  for (auto& s : to_strides) s *= static_cast<std::int64_t>(item);
  detail::copy_block(from, from_strides, to, to_strides, from_meta.sizes, 0, item);
}

}  // namespace treadle::inline v0
