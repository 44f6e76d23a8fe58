// What is known of a tensor besides its elements: dtype, sizes, strides, offset, device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <treadle/core/concat.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/small_vector.hpp>

namespace treadle::inline v0 {

/// Sizes, strides or positions, one a dimension.
using Dims = SmallVector<std::int64_t, 6>;

/// Concrete metadata of a tensor. Strides and the offset count elements, not bytes.
struct TensorMeta {
  DType dtype = DType::float32;
  Layout layout = Layout::strided;
  Device device;
  Dims sizes;
  Dims strides;
  std::int64_t storage_offset = 0;

  [[nodiscard]] std::size_t rank() const noexcept { return sizes.size(); }
  friend bool operator==(const TensorMeta&, const TensorMeta&) noexcept = default;
};

/// Product of the sizes, 1 for a scalar.
[[nodiscard]] inline std::int64_t element_count(const Dims& sizes) noexcept {
  std::int64_t n = 1;
  for (auto s : sizes) n *= s;
  return n;
}
[[nodiscard]] inline std::int64_t element_count(const TensorMeta& meta) noexcept {
  return element_count(meta.sizes);
}

/// Row-major strides; dimensions of size 0 count as 1, as in PyTorch.
[[nodiscard]] inline Dims contiguous_strides(const Dims& sizes) {
  Dims strides(sizes.size());
  std::int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    step *= sizes[i] > 1 ? sizes[i] : 1;
  }
  return strides;
}

/// Row-major contiguous metadata.
[[nodiscard]] inline TensorMeta make_meta(DType dtype, Dims sizes, Device device = {}) {
  TensorMeta meta;
  meta.dtype = dtype;
  meta.device = device;
  meta.strides = contiguous_strides(sizes);
  meta.sizes = std::move(sizes);
  return meta;
}

/// True if the elements lie in row-major order without gaps; strides of size-1 dimensions do not
/// count, and a tensor without elements is contiguous.
[[nodiscard]] inline bool is_contiguous(const TensorMeta& meta) noexcept {
  std::int64_t step = 1;
  if (element_count(meta) == 0) return true;
  for (std::size_t i = meta.rank(); i-- > 0;) {
    if (meta.sizes[i] != 1 && meta.strides[i] != step) return false;
    step *= meta.sizes[i];
  }
  return true;
}

/// Elements from the storage's start that the tensor may touch, the offset included; 0 if it has no
/// elements. Nothing if a size or stride is negative or a product overflows.
[[nodiscard]] inline std::optional<std::int64_t> storage_extent(const TensorMeta& meta) noexcept {
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

/// Bytes from the storage's start that the tensor may touch; nothing on overflow.
[[nodiscard]] inline std::optional<std::size_t> storage_bytes(const TensorMeta& meta) noexcept {
  const auto extent = storage_extent(meta);
  std::int64_t bytes = 0;
  if (!extent ||
      __builtin_mul_overflow(*extent, static_cast<std::int64_t>(size_of(meta.dtype)), &bytes))
    return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

/// `float32[2, 3]`.
[[nodiscard]] inline std::string to_string(const TensorMeta& meta) {
  return concat(name(meta.dtype), meta.sizes);
}

}  // namespace treadle::inline v0
