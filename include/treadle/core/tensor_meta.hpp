// What is known of a tensor besides its elements: dtype, sizes, strides, offset, device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <treadle/config.hpp>
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
[[nodiscard]] Dims contiguous_strides(const Dims& sizes);

/// Row-major contiguous metadata.
[[nodiscard]] TensorMeta make_meta(DType dtype, Dims sizes, Device device = {});

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
[[nodiscard]] std::optional<std::int64_t> storage_extent(const TensorMeta& meta) noexcept;

/// Bytes from the storage's start that the tensor may touch; nothing on overflow.
[[nodiscard]] std::optional<std::size_t> storage_bytes(const TensorMeta& meta) noexcept;

/// `float32[2, 3]`.
[[nodiscard]] std::string to_string(const TensorMeta& meta);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/core/tensor_meta-inl.hpp>
#endif
