// Definitions of evaluate_type.hpp.
#pragma once

#include <cstdint>
#include <optional>

#include <treadle/analysis/evaluate_type.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::optional<TensorMeta> evaluate_type(const TensorType& type,
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
