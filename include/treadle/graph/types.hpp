// What a graph value may be, and the symbolic metadata of a tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/symbolic/sym_int.hpp>

namespace treadle::inline v0 {

/// What a graph value holds. Lists are forms of arguments and results, not values: every tensor of
/// a list has a value of its own, so nothing is packed or unpacked at run time.
enum class ValueKind : std::uint8_t {
  none,
  tensor,
  sym_int,
  sym_float,
  sym_bool,
  string,
  custom_object,
  token,
};

[[nodiscard]] constexpr std::string_view name(ValueKind kind) noexcept {
  constexpr std::string_view names[] = {"none",     "tensor", "sym_int",       "sym_float",
                                        "sym_bool", "string", "custom_object", "token"};
  return names[static_cast<int>(kind)];
}

using SymDims = std::vector<SymInt>;

/// Tensor metadata as a program states it: sizes, strides and offset may be expressions.
struct TensorType {
  DType dtype = DType::float32;
  Layout layout = Layout::strided;
  Device device;
  bool requires_grad = false;
  SymDims sizes;
  SymDims strides;  ///< in elements; one a dimension
  SymInt storage_offset;

  [[nodiscard]] std::size_t rank() const noexcept { return sizes.size(); }
  friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// Row-major strides of symbolic sizes.
[[nodiscard]] inline SymDims contiguous_strides(const SymDims& sizes) {
  SymDims strides(sizes.size());
  SymInt step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    if (!sizes[i].is(0)) step = step * sizes[i];
  }
  return strides;
}

/// Row-major contiguous type.
[[nodiscard]] inline TensorType make_type(DType dtype, SymDims sizes, Device device = {}) {
  TensorType type;
  type.dtype = dtype;
  type.device = device;
  type.strides = contiguous_strides(sizes);
  type.sizes = std::move(sizes);
  return type;
}

/// The type of a tensor whose metadata is known.
[[nodiscard]] inline TensorType to_type(const TensorMeta& meta) {
  TensorType type;
  type.dtype = meta.dtype;
  type.layout = meta.layout;
  type.device = meta.device;
  type.sizes.assign(meta.sizes.begin(), meta.sizes.end());
  type.strides.assign(meta.strides.begin(), meta.strides.end());
  type.storage_offset = meta.storage_offset;
  return type;
}

/// Concrete metadata, if every number is known.
[[nodiscard]] inline std::optional<TensorMeta> to_meta(const TensorType& type) {
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

/// Number of elements, as an expression where sizes are.
[[nodiscard]] inline SymInt element_count(const SymDims& sizes) {
  SymInt n = 1;
  for (const auto& s : sizes) n = n * s;
  return n;
}

}  // namespace treadle::inline v0
