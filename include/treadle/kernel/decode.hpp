// From a constant of a program to the C++ value that a kernel's parameter holds.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/scalar.hpp>
#include <treadle/graph/argument.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0::detail {

/// What a schema type is stored as, and what a kernel's parameter sees of it.
template <class StoredType, class ParameterType = StoredType>
struct ParameterTypes {
  using Stored = StoredType;
  using Parameter = ParameterType;
};

template <SchemaKind Kind, bool List>
struct PlainTypes {
  static_assert(Kind == SchemaKind::integer,
                "treadle: a kernel can't take an argument of this schema type");
};
template <>
struct PlainTypes<SchemaKind::integer, false> : ParameterTypes<std::int64_t> {};
template <>
struct PlainTypes<SchemaKind::real, false> : ParameterTypes<double> {};
template <>
struct PlainTypes<SchemaKind::boolean, false> : ParameterTypes<bool> {};
template <>
struct PlainTypes<SchemaKind::scalar, false> : ParameterTypes<Scalar> {};
template <>
struct PlainTypes<SchemaKind::complex, false> : ParameterTypes<std::complex<double>> {};
template <>
struct PlainTypes<SchemaKind::string, false> : ParameterTypes<std::string, std::string_view> {};
template <>
struct PlainTypes<SchemaKind::dtype, false> : ParameterTypes<DType> {};
template <>
struct PlainTypes<SchemaKind::device, false> : ParameterTypes<Device> {};
template <>
struct PlainTypes<SchemaKind::layout, false> : ParameterTypes<Layout> {};
template <>
struct PlainTypes<SchemaKind::memory_format, false> : ParameterTypes<MemoryFormat> {};
template <>
struct PlainTypes<SchemaKind::integer, true>
    : ParameterTypes<std::vector<std::int64_t>, std::span<const std::int64_t>> {};
template <>
struct PlainTypes<SchemaKind::real, true>
    : ParameterTypes<std::vector<double>, std::span<const double>> {};
template <>
struct PlainTypes<SchemaKind::boolean, true>
    : ParameterTypes<std::vector<std::uint8_t>, std::span<const std::uint8_t>> {};
template <>
struct PlainTypes<SchemaKind::scalar, true>
    : ParameterTypes<std::vector<Scalar>, std::span<const Scalar>> {};
template <>
struct PlainTypes<SchemaKind::string, true>
    : ParameterTypes<std::vector<std::string>, std::span<const std::string>> {};

template <class Types, bool Optional>
struct MaybeOptional : Types {};
template <class Types>
struct MaybeOptional<Types, true> : ParameterTypes<std::optional<typename Types::Stored>,
                                                   std::optional<typename Types::Parameter>> {};

inline std::optional<Scalar> as_scalar(const Constant& constant) {
  if (const auto* v = std::get_if<bool>(&constant)) return Scalar(*v);
  if (const auto* v = std::get_if<std::int64_t>(&constant)) return Scalar(*v);
  if (const auto* v = std::get_if<double>(&constant)) return Scalar(*v);
  if (const auto* v = std::get_if<std::complex<double>>(&constant)) return Scalar(*v);
  return std::nullopt;
}

/// Converts where PyTorch does; false if the constant is of another type.
template <class Stored>
bool decode(const Constant& constant, Stored& out) {
  if constexpr (std::is_same_v<Stored, Scalar>) {
    const auto s = as_scalar(constant);
    if (s) out = *s;
    return s.has_value();
  } else if constexpr (std::is_same_v<Stored, bool> || std::is_same_v<Stored, std::int64_t>) {
    const auto s = as_scalar(constant);
    if (!s || !s->is_exact()) return false;
    if constexpr (std::is_same_v<Stored, bool>)
      out = s->to_bool();
    else
      out = s->to_int();
    return true;
  } else if constexpr (std::is_same_v<Stored, double>) {
    const auto s = as_scalar(constant);
    if (!s || s->category() == DTypeCategory::complex) return false;
    out = s->to_double();
    return true;
  } else if constexpr (std::is_same_v<Stored, std::complex<double>>) {
    const auto s = as_scalar(constant);
    if (s) out = s->to_complex();
    return s.has_value();
  } else {
    const auto* v = std::get_if<Stored>(&constant);
    if (v) out = *v;
    return v != nullptr;
  }
}

template <class From, class To>
bool decode_list(const Constant& constant, std::vector<To>& out) {
  const auto* items = std::get_if<std::vector<From>>(&constant);
  if (!items) return false;
  out.clear();
  for (const auto& item : *items) out.push_back(static_cast<To>(item));
  return true;
}

/// Lists: of the type itself, of integers where floats or scalars are wanted, or one number where
/// the schema gives the length.
template <class Item>
bool decode(const Constant& constant, std::vector<Item>& out) {
  if constexpr (std::is_same_v<Item, std::string>) {
    const auto* none = std::get_if<std::vector<std::int64_t>>(&constant);
    return decode_list<std::string>(constant, out) || (none && none->empty());
  } else {
    if (decode_list<std::int64_t>(constant, out) || decode_list<bool>(constant, out)) return true;
    if constexpr (!std::is_same_v<Item, std::int64_t> && !std::is_same_v<Item, std::uint8_t>)
      if (decode_list<double>(constant, out)) return true;
    const auto one = as_scalar(constant);
    if (!one) return false;
    if constexpr (std::is_same_v<Item, Scalar>)
      out.assign(1, *one);
    else if constexpr (std::is_same_v<Item, double>)
      out.assign(1, one->to_double());
    else
      out.assign(1, static_cast<Item>(one->to_int()));
    return true;
  }
}

template <class Stored>
bool decode(const Constant& constant, std::optional<Stored>& out) {
  if (std::holds_alternative<None>(constant)) {
    out.reset();
    return true;
  }
  return decode(constant, out.emplace());
}

/// Repeats a single number for `int[n]`.
template <class Stored>
void fill_list(Stored&, std::int32_t) {}
template <class Item>
void fill_list(std::vector<Item>& items, std::int32_t size) {
  const auto wanted = static_cast<std::size_t>(size);
  if (items.size() == 1 && wanted > 1) items.resize(wanted, items[0]);
}
template <class Stored>
void fill_list(std::optional<Stored>& items, std::int32_t size) {
  if (items) fill_list(*items, size);
}

template <class Stored>
const Stored& as_parameter(const Stored& stored) {
  return stored;
}
inline std::string_view as_parameter(const std::string& stored) { return stored; }
template <class Item>
std::span<const Item> as_parameter(const std::vector<Item>& stored) {
  return stored;
}
inline std::optional<std::string_view> as_parameter(const std::optional<std::string>& stored) {
  return stored ? std::optional<std::string_view>(*stored) : std::nullopt;
}
template <class Item>
std::optional<std::span<const Item>> as_parameter(const std::optional<std::vector<Item>>& stored) {
  return stored ? std::optional<std::span<const Item>>(*stored) : std::nullopt;
}

}  // namespace treadle::inline v0::detail
