// The concrete form of a type with named sizes.
#pragma once

#include <cstdint>
#include <optional>

#include <treadle/core/tensor_meta.hpp>
#include <treadle/graph/types.hpp>
#include <treadle/symbolic/evaluate.hpp>

namespace treadle::inline v0 {

/// The concrete form of a stated type, if the bindings give every number.
[[nodiscard]] inline std::optional<TensorMeta> evaluate_type(const TensorType& type,
                                                             const Bindings& symbols) {
  TensorMeta meta;
  meta.dtype = type.dtype;
  meta.layout = type.layout;
  meta.device = type.device;
  const auto number = [&](const SymInt& size) -> std::optional<std::int64_t> {
    if (size.known()) return size.value();
    const auto value = evaluate(size, symbols);
    return value ? std::optional(*value) : std::nullopt;
  };
  for (const auto& size : type.sizes) {
    const auto n = number(size);
    if (!n || *n < 0) return std::nullopt;
    meta.sizes.push_back(*n);
  }
  for (const auto& stride : type.strides) {
    const auto n = number(stride);
    if (!n) return std::nullopt;
    meta.strides.push_back(*n);
  }
  const auto offset = number(type.storage_offset);
  if (!offset) return std::nullopt;
  meta.storage_offset = *offset;
  return meta;
}

}  // namespace treadle::inline v0
