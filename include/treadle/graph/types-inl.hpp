// Definitions of types.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include <treadle/graph/types.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE SymDims contiguous_strides(const SymDims& sizes) {
  SymDims strides(sizes.size());
  SymInt step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    if (!sizes[i].is(0)) step = step * sizes[i];
  }
  return strides;
}

TREADLE_INLINE TensorType make_type(DType dtype, SymDims sizes, Device device) {
  TensorType type;
  type.dtype = dtype;
  type.device = device;
  type.strides = contiguous_strides(sizes);
  type.sizes = std::move(sizes);
  return type;
}

TREADLE_INLINE TensorType to_type(const TensorMeta& meta) {
  TensorType type;
  type.dtype = meta.dtype;
  type.layout = meta.layout;
  type.device = meta.device;
  type.sizes.assign(meta.sizes.begin(), meta.sizes.end());
  type.strides.assign(meta.strides.begin(), meta.strides.end());
  type.storage_offset = meta.storage_offset;
  return type;
}

TREADLE_INLINE std::optional<TensorMeta> to_meta(const TensorType& type) {
  TensorMeta meta;
  meta.dtype = type.dtype;
  meta.layout = type.layout;
  meta.device = type.device;
  if (!type.storage_offset.known()) return std::nullopt;
  meta.storage_offset = *type.storage_offset.value();
  for (const auto* dims : {&type.sizes, &type.strides})
    for (const auto& d : *dims) {
      if (!d.known()) return std::nullopt;
      (dims == &type.sizes ? meta.sizes : meta.strides).push_back(*d.value());
    }
  return meta;
}

TREADLE_INLINE SymInt element_count(const SymDims& sizes) {
  SymInt n = 1;
  for (const auto& s : sizes) n = n * s;
  return n;
}

}  // namespace treadle::inline v0
