// Definitions of decode.hpp.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <treadle/kernel/decode.hpp>

namespace treadle::inline v0::detail {

TREADLE_INLINE std::optional<Scalar> as_scalar(const Constant& constant) {
  if (const auto* v = std::get_if<bool>(&constant)) return Scalar(*v);
  if (const auto* v = std::get_if<std::int64_t>(&constant)) return Scalar(*v);
  if (const auto* v = std::get_if<double>(&constant)) return Scalar(*v);
  if (const auto* v = std::get_if<std::complex<double>>(&constant)) return Scalar(*v);
  return std::nullopt;
}

TREADLE_INLINE bool decode(const Constant& constant, std::int64_t& out) {
  const auto scalar = as_scalar(constant);
  if (!scalar || !scalar->is_exact()) return false;
  out = scalar->to_int();
  return true;
}

TREADLE_INLINE bool decode(const Constant& constant, bool& out) {
  std::int64_t number = 0;
  if (!decode(constant, number)) return false;
  out = number != 0;
  return true;
}

TREADLE_INLINE bool decode(const Constant& constant, double& out) {
  const auto scalar = as_scalar(constant);
  if (!scalar || scalar->category() == DTypeCategory::complex) return false;
  out = scalar->to_double();
  return true;
}

TREADLE_INLINE bool decode(const Constant& constant, std::complex<double>& out) {
  const auto scalar = as_scalar(constant);
  if (scalar) out = scalar->to_complex();
  return scalar.has_value();
}

TREADLE_INLINE bool decode(const Constant& constant, Scalar& out) {
  const auto scalar = as_scalar(constant);
  if (scalar) out = *scalar;
  return scalar.has_value();
}

template <class Stored>
bool decode_same(const Constant& constant, Stored& out) {
  const auto* value = std::get_if<Stored>(&constant);
  if (value) out = *value;
  return value != nullptr;
}
TREADLE_INLINE bool decode(const Constant& constant, std::string& out) {
  return decode_same(constant, out);
}
TREADLE_INLINE bool decode(const Constant& constant, DType& out) {
  return decode_same(constant, out);
}
TREADLE_INLINE bool decode(const Constant& constant, Device& out) {
  return decode_same(constant, out);
}
TREADLE_INLINE bool decode(const Constant& constant, Layout& out) {
  return decode_same(constant, out);
}
TREADLE_INLINE bool decode(const Constant& constant, MemoryFormat& out) {
  return decode_same(constant, out);
}

template <class From, class To>
bool decode_list(const Constant& constant, std::vector<To>& out) {
  const auto* items = std::get_if<std::vector<From>>(&constant);
  if (!items) return false;
  out.clear();
  for (const auto& item : *items) out.push_back(static_cast<To>(item));
  return true;
}
/// Lists of exact numbers, and a single one.
template <class Item>
bool decode_exact(const Constant& constant, std::vector<Item>& out) {
  if (decode_list<std::int64_t>(constant, out) || decode_list<bool>(constant, out)) return true;
  const auto one = as_scalar(constant);
  if (one) out.assign(1, static_cast<Item>(one->to_int()));
  return one.has_value();
}
/// Lists of any numbers, and a single one.
template <class Item>
bool decode_numbers(const Constant& constant, std::vector<Item>& out) {
  if (decode_list<std::int64_t>(constant, out) || decode_list<bool>(constant, out) ||
      decode_list<double>(constant, out))
    return true;
  const auto one = as_scalar(constant);
  if (!one) return false;
  if constexpr (std::is_same_v<Item, Scalar>)
    out.assign(1, *one);
  else
    out.assign(1, one->to_double());
  return true;
}
TREADLE_INLINE bool decode(const Constant& constant, std::vector<std::int64_t>& out) {
  return decode_exact(constant, out);
}
TREADLE_INLINE bool decode(const Constant& constant, std::vector<std::uint8_t>& out) {
  return decode_exact(constant, out);
}
TREADLE_INLINE bool decode(const Constant& constant, std::vector<double>& out) {
  return decode_numbers(constant, out);
}
TREADLE_INLINE bool decode(const Constant& constant, std::vector<Scalar>& out) {
  return decode_numbers(constant, out);
}
TREADLE_INLINE bool decode(const Constant& constant, std::vector<std::string>& out) {
  // An empty list has no items that would tell its type.
  const auto* none = std::get_if<std::vector<std::int64_t>>(&constant);
  return decode_list<std::string>(constant, out) || (none && none->empty());
}

template <SchemaKind Kind, bool List = false>
bool decode_as(const SchemaArgument& argument, const Constant& constant, DecodedArgument& out) {
  auto& place = std::get<typename PlainTypes<Kind, List>::Stored>(out.places);
  out.given = decode(constant, place);
  if (out.given) fill_list(place, argument.list_size);
  return out.given;
}
template <SchemaKind Kind>
bool decode_item_or_list(const SchemaArgument& argument, const Constant& constant,
                         DecodedArgument& out) {
  return argument.list ? decode_as<Kind, true>(argument, constant, out)
                       : decode_as<Kind>(argument, constant, out);
}

TREADLE_INLINE bool decode_argument(const SchemaArgument& argument, const Constant& constant,
                                    DecodedArgument& out) {
  using enum SchemaKind;
  if (argument.optional && std::holds_alternative<None>(constant)) return true;
  switch (argument.kind) {
    case integer: return decode_item_or_list<integer>(argument, constant, out);
    case real: return decode_item_or_list<real>(argument, constant, out);
    case boolean: return decode_item_or_list<boolean>(argument, constant, out);
    case scalar: return decode_item_or_list<scalar>(argument, constant, out);
    case string: return decode_item_or_list<string>(argument, constant, out);
    case complex: return decode_as<complex>(argument, constant, out);
    case dtype: return decode_as<dtype>(argument, constant, out);
    case device: return decode_as<device>(argument, constant, out);
    case layout: return decode_as<layout>(argument, constant, out);
    case memory_format: return decode_as<memory_format>(argument, constant, out);
    case tensor:
    case generator:
    case other: return false;
  }
  return false;
}

}  // namespace treadle::inline v0::detail
