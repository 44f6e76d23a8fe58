// Definitions of InferContext's readers.
#pragma once

#include <utility>

#include <treadle/core/reassign.hpp>
#include <treadle/core/scalar.hpp>
#include <treadle/ops/infer.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE InferValue::InferValue() noexcept = default;
TREADLE_INLINE InferValue::InferValue(Constant v) noexcept : data(std::move(v)) {}
TREADLE_INLINE InferValue::InferValue(TensorArgument v) noexcept : data(v) {}
TREADLE_INLINE InferValue::InferValue(SymInt v) noexcept : data(std::move(v)) {}
TREADLE_INLINE InferValue::InferValue(SymNumber v) noexcept : data(std::move(v)) {}
TREADLE_INLINE InferValue::InferValue(List v) noexcept : data(std::move(v)) {}
TREADLE_INLINE InferValue::InferValue(const InferValue& other) = default;
TREADLE_INLINE InferValue::InferValue(InferValue&& other) noexcept = default;
TREADLE_INLINE InferValue& InferValue::operator=(const InferValue& other) {
  return reassign(*this, InferValue(other));
}
TREADLE_INLINE InferValue& InferValue::operator=(InferValue&& other) noexcept {
  return reassign(*this, std::move(other));
}
TREADLE_INLINE InferValue::~InferValue() = default;

TREADLE_INLINE std::vector<const TensorType*> InferContext::tensors(std::size_t i) const {
  std::vector<const TensorType*> out;
  if (const auto* list = std::get_if<InferValue::List>(&arguments_[i].data))
    for (const auto& item : *list) {
      const auto* t = std::get_if<TensorArgument>(&item.data);
      out.push_back(t ? t->type : nullptr);
    }
  return out;
}

TREADLE_INLINE void InferContext::add(TensorType type) {
  results_.push_back({std::move(type), -1});
}

TREADLE_INLINE void InferContext::add_view(TensorType type, std::size_t i, std::size_t item) {
  results_.push_back({std::move(type), tensor_position(i, item)});
}

TREADLE_INLINE SymInt InferContext::unknown_size() {
  return SymInt(make_symbol(concat("?", unknown_sizes_++)));
}
namespace detail {

inline std::optional<SymInt> as_sym_int(const InferValue& value) {
  if (const auto* n = std::get_if<SymInt>(&value.data)) return *n;
  if (const auto* c = std::get_if<Constant>(&value.data)) {
    if (const auto* n = std::get_if<std::int64_t>(c)) return SymInt(*n);
    if (const auto* b = std::get_if<bool>(c)) return SymInt(*b ? 1 : 0);
    if (const auto* d = std::get_if<double>(c)) return SymInt(Scalar(*d).to_int());
  }
  return std::nullopt;
}

inline std::size_t tensor_count(const SchemaArgument& schema, const InferValue& value) {
  if (schema.kind != SchemaKind::tensor) return 0;
  if (const auto* list = std::get_if<InferValue::List>(&value.data); list && schema.list)
    return list->size();
  return schema.list ? 0 : 1;
}

}  // namespace detail

TREADLE_INLINE int InferContext::tensor_position(std::size_t i, std::size_t item) const {
  std::size_t position = item;
  for (std::size_t k = 0; k < i; ++k)
    position += detail::tensor_count(schema_.arguments[k], arguments_[k]);
  return static_cast<int>(position);
}

TREADLE_INLINE SymInt InferContext::integer(std::size_t i) const {
  return detail::as_sym_int(arguments_[i]).value_or(SymInt(0));
}

TREADLE_INLINE SymDims InferContext::integers(std::size_t i) const {
  SymDims out;
  if (const auto* items = get<std::vector<std::int64_t>>(i)) {
    out.assign(items->begin(), items->end());
  } else if (const auto* list = std::get_if<InferValue::List>(&arguments_[i].data)) {
    for (const auto& item : *list) out.push_back(detail::as_sym_int(item).value_or(SymInt(0)));
  } else if (auto one = detail::as_sym_int(arguments_[i])) {
    out.push_back(*one);
  }
  const auto wanted = static_cast<std::size_t>(schema_.arguments[i].list_size);
  if (out.size() == 1 && wanted > 1) out.resize(wanted, out[0]);
  return out;
}

TREADLE_INLINE bool InferContext::boolean(std::size_t i) const noexcept {
  if (const auto* b = get<bool>(i)) return *b;
  const auto* n = get<std::int64_t>(i);
  return n && *n != 0;
}

TREADLE_INLINE double InferContext::real(std::size_t i) const noexcept {
  if (const auto* d = get<double>(i)) return *d;
  if (const auto* n = get<std::int64_t>(i)) return static_cast<double>(*n);
  if (const auto* s = std::get_if<SymInt>(&arguments_[i].data))
    return static_cast<double>(s->value_or(0));
  return 0;
}

TREADLE_INLINE std::vector<double> InferContext::reals(std::size_t i) const {
  if (const auto* items = get<std::vector<double>>(i)) return *items;
  std::vector<double> out;
  if (const auto* items = get<std::vector<std::int64_t>>(i))
    for (auto n : *items) out.push_back(static_cast<double>(n));
  return out;
}

TREADLE_INLINE DTypeCategory InferContext::scalar_category(std::size_t i) const noexcept {
  if (const auto* c = std::get_if<Constant>(&arguments_[i].data)) {
    if (std::holds_alternative<bool>(*c)) return DTypeCategory::boolean;
    if (std::holds_alternative<double>(*c)) return DTypeCategory::floating;
    if (std::holds_alternative<std::complex<double>>(*c)) return DTypeCategory::complex;
  }
  if (std::holds_alternative<SymNumber>(arguments_[i].data)) return DTypeCategory::floating;
  return DTypeCategory::integral;
}

TREADLE_INLINE Result<std::size_t> InferContext::wrap_dimension(const SymInt& dim,
                                                                std::size_t rank) const {
  const auto bound = static_cast<std::int64_t>(rank == 0 ? 1 : rank);
  if (!dim.known()) return fail("a dimension must be a known number, found ", to_string(dim));
  const std::int64_t d = *dim.value();
  if (d < -bound || d >= bound)
    return fail("dimension ", d, " is out of range [", -bound, ", ", bound - 1, "]");
  return static_cast<std::size_t>(d < 0 ? d + bound : d);
}

}  // namespace treadle::inline v0
