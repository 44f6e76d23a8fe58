// Definitions of numbers.hpp.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <treadle/analysis/numbers.hpp>
#include <treadle/core/concat.hpp>

namespace treadle::inline v0::detail {

TREADLE_INLINE Constant to_constant(const Number& number) {
  if (number.is_boolean()) return number.truthy();
  if (number.is_integer()) return number.integer;
  return number.real;
}

TREADLE_INLINE DType number_dtype(const Constant& constant) {
  if (std::holds_alternative<bool>(constant)) return DType::bool_;
  if (std::holds_alternative<std::int64_t>(constant)) return DType::int64;
  if (std::holds_alternative<double>(constant)) return DType::float64;
  return DType::complex128;
}

TREADLE_INLINE std::optional<Number> to_number(const Argument& argument) {
  if (const auto* v = argument.get<std::int64_t>()) return Number(*v);
  if (const auto* v = argument.get<double>()) return Number(*v);
  if (const auto* v = argument.get<bool>()) return Number(*v);
  return std::nullopt;
}

TREADLE_INLINE Result<std::int64_t> query_size(SizeQuery query, const TensorMeta& meta,
                                               std::int64_t dim) {
  if (query == SizeQuery::count) return element_count(meta);
  if (query == SizeQuery::storage_offset) return meta.storage_offset;
  const auto rank = static_cast<std::int64_t>(meta.rank());
  if (dim < -rank || dim >= rank)
    return Error(ErrorCode::type_mismatch,
                 concat("dimension ", dim, " is out of range for a tensor of rank ", rank));
  const auto d = static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
  return query == SizeQuery::size ? meta.sizes[d] : meta.strides[d];
}

TREADLE_INLINE bool draws(const OperatorInfo& op, const CallSite& site) {
  const int train = op.schema.find("train");
  const auto* training =
      train < 0 ? nullptr : site.arguments[static_cast<std::size_t>(train)].get<bool>();
  return op.definition->traits.random && (!training || *training);
}

template <class T>
[[nodiscard]] bool are_all(const std::vector<Constant>& items) {
  for (const auto& item : items)
    if (!std::holds_alternative<T>(item)) return false;
  return true;
}

template <class T>
[[nodiscard]] Constant listed(const std::vector<Constant>& items) {
  std::vector<T> out;
  for (const auto& item : items) out.push_back(std::get<T>(item));
  return out;
}

TREADLE_INLINE Constant join_constants(const std::vector<Constant>& items) {
  if (are_all<std::int64_t>(items)) return listed<std::int64_t>(items);
  if (are_all<bool>(items)) return listed<bool>(items);
  if (are_all<std::string>(items)) return listed<std::string>(items);
  std::vector<double> numbers;
  for (const auto& item : items) {
    if (const auto* v = std::get_if<bool>(&item)) numbers.push_back(*v ? 1 : 0);
    if (const auto* v = std::get_if<std::int64_t>(&item))
      numbers.push_back(static_cast<double>(*v));
    if (const auto* v = std::get_if<double>(&item)) numbers.push_back(*v);
    if (const auto* v = std::get_if<std::complex<double>>(&item)) numbers.push_back(v->real());
  }
  return numbers;
}

}  // namespace treadle::inline v0::detail
