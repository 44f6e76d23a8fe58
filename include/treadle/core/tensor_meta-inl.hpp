// Definitions of tensor_meta.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE Dims contiguous_strides(const Dims& sizes) {
  Dims strides(sizes.size());
  std::int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    step *= sizes[i] > 1 ? sizes[i] : 1;
  }
  return strides;
}

TREADLE_INLINE TensorMeta make_meta(DType dtype, Dims sizes, Device device) {
  TensorMeta meta;
  meta.dtype = dtype;
  meta.device = device;
  meta.strides = contiguous_strides(sizes);
  meta.sizes = std::move(sizes);
  return meta;
}

TREADLE_INLINE std::optional<std::int64_t> storage_extent(const TensorMeta& meta) noexcept {
  if (meta.storage_offset < 0) return std::nullopt;
  std::int64_t last = meta.storage_offset;
  std::int64_t count = 1;
  for (std::size_t i = 0; i < meta.rank(); ++i) {
    if (meta.sizes[i] < 0 || meta.strides[i] < 0) return std::nullopt;
    if (__builtin_mul_overflow(count, meta.sizes[i], &count)) return std::nullopt;
  }
  if (count == 0) return 0;
  for (std::size_t i = 0; i < meta.rank(); ++i) {
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(meta.sizes[i] - 1, meta.strides[i], &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return std::nullopt;
  }
  if (__builtin_add_overflow(last, std::int64_t{1}, &last)) return std::nullopt;
  return last;
}

TREADLE_INLINE std::optional<std::size_t> storage_bytes(const TensorMeta& meta) noexcept {
  const auto extent = storage_extent(meta);
  std::int64_t bytes = 0;
  if (!extent ||
      __builtin_mul_overflow(*extent, static_cast<std::int64_t>(size_of(meta.dtype)), &bytes))
    return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

TREADLE_INLINE std::string to_string(const TensorMeta& meta) {
  return concat(name(meta.dtype), meta.sizes);
}

}  // namespace treadle::inline v0
