// Small questions about nodes: numbers in their forms, sizes, randomness.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include <treadle/analysis/call_site.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/graph/argument.hpp>
#include <treadle/symbolic/number.hpp>

namespace treadle::inline v0::detail {

inline Constant to_constant(const Number& number) {
  if (number.is_boolean()) return number.truthy();
  if (number.is_integer()) return number.integer;
  return number.real;
}

inline DType number_dtype(const Constant& constant) {
  if (std::holds_alternative<bool>(constant)) return DType::bool_;
  if (std::holds_alternative<std::int64_t>(constant)) return DType::int64;
  if (std::holds_alternative<double>(constant)) return DType::float64;
  return DType::complex128;
}

inline std::optional<Number> to_number(const Argument& argument) {
  if (const auto* v = argument.get<std::int64_t>()) return Number(*v);
  if (const auto* v = argument.get<double>()) return Number(*v);
  if (const auto* v = argument.get<bool>()) return Number(*v);
  return std::nullopt;
}

/// Answers a size query on concrete metadata.
inline Result<std::int64_t> query_size(SizeQuery query, const TensorMeta& meta, std::int64_t dim) {
  if (query == SizeQuery::count) return element_count(meta);
  if (query == SizeQuery::storage_offset) return meta.storage_offset;
  const auto rank = static_cast<std::int64_t>(meta.rank());
  if (dim < -rank || dim >= rank)
    return Error(ErrorCode::type_mismatch,
                 concat("dimension ", dim, " is out of range for a tensor of rank ", rank));
  const auto d = static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
  return query == SizeQuery::size ? meta.sizes[d] : meta.strides[d];
}

/// Draws random numbers; dropout does not in evaluation.
inline bool draws(const OperatorInfo& op, const CallSite& site) {
  const int train = op.schema.find("train");
  const auto* training =
      train < 0 ? nullptr : site.arguments[static_cast<std::size_t>(train)].get<bool>();
  return op.definition->traits.random && (!training || *training);
}

}  // namespace treadle::inline v0::detail
