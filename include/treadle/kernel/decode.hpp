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

#include <treadle/config.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>
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

std::optional<Scalar> as_scalar(const Constant& constant);

/// Each converts where PyTorch does; false if the constant is of another type.
bool decode(const Constant& constant, bool& out);
bool decode(const Constant& constant, std::int64_t& out);
bool decode(const Constant& constant, double& out);
bool decode(const Constant& constant, std::complex<double>& out);
bool decode(const Constant& constant, Scalar& out);
bool decode(const Constant& constant, std::string& out);
bool decode(const Constant& constant, DType& out);
bool decode(const Constant& constant, Device& out);
bool decode(const Constant& constant, Layout& out);
bool decode(const Constant& constant, MemoryFormat& out);
/// Lists: of the type itself, of integers where floats or scalars are wanted, or one number where
/// the schema gives the length.
bool decode(const Constant& constant, std::vector<std::int64_t>& out);
bool decode(const Constant& constant, std::vector<std::uint8_t>& out);
bool decode(const Constant& constant, std::vector<double>& out);
bool decode(const Constant& constant, std::vector<Scalar>& out);
bool decode(const Constant& constant, std::vector<std::string>& out);

template <class Stored>
bool decode(const Constant& constant, std::optional<Stored>& out) {
  if (std::holds_alternative<None>(constant)) {
    out.reset();
    return true;
  }
  return decode(constant, out.emplace());
}

/// Decodes an argument that is no tensor into `place`, which points to the type that
/// `MaybeOptional<PlainTypes<...>>` stores for it. False as `decode`.
bool decode_argument(const SchemaArgument& argument, const Constant& constant, void* place);

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

#if !TREADLE_COMPILED
#include <treadle/kernel/decode-inl.hpp>
#endif
