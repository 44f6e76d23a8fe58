// What a graph value may be, and the symbolic metadata of a tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <treadle/config.hpp>
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
[[nodiscard]] SymDims contiguous_strides(const SymDims& sizes);

/// Row-major contiguous type.
[[nodiscard]] TensorType make_type(DType dtype, SymDims sizes, Device device = {});

/// The type of a tensor whose metadata is known.
[[nodiscard]] TensorType to_type(const TensorMeta& meta);

/// Concrete metadata, if every number is known.
[[nodiscard]] std::optional<TensorMeta> to_meta(const TensorType& type);

/// Number of elements, as an expression where sizes are.
[[nodiscard]] SymInt element_count(const SymDims& sizes);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/graph/types-inl.hpp>
#endif
