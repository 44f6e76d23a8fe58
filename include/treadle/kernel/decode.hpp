// From a constant of a program to the C++ value that a kernel's parameter holds.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
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

/// One argument that is no tensor, as a kernel gets it. A place for each type instead of a variant,
/// whose members would be many more functions to compile.
struct DecodedArgument {
  std::tuple<std::int64_t, double, bool, Scalar, std::complex<double>, std::string, DType, Device,
             Layout, MemoryFormat, std::vector<std::int64_t>, std::vector<double>,
             std::vector<std::uint8_t>, std::vector<Scalar>, std::vector<std::string>>
      places;
  bool given = false;  ///< false for None
};

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

/// Decodes an argument that is no tensor as its schema says. False as `decode`.
bool decode_argument(const SchemaArgument& argument, const Constant& constant,
                     DecodedArgument& out);

/// Repeats a single number for `int[n]`.
template <class Stored>
void fill_list(Stored&, std::int32_t) {}
template <class Item>
void fill_list(std::vector<Item>& items, std::int32_t size) {
  const auto wanted = static_cast<std::size_t>(size);
  if (items.size() == 1 && wanted > 1) items.resize(wanted, items[0]);
}
/// What a kernel's parameter sees of a decoded argument of this schema type.
template <class Types, bool Optional>
decltype(auto) as_parameter(const DecodedArgument& argument) {
  using Stored = typename Types::Stored;
  using Parameter = typename Types::Parameter;
  const Stored& stored = std::get<Stored>(argument.places);
  if constexpr (Optional)
    return argument.given ? std::optional<Parameter>(stored) : std::nullopt;
  else if constexpr (std::is_same_v<Stored, Parameter>)
    return static_cast<const Stored&>(stored);
  else
    return Parameter(stored);
}

}  // namespace treadle::inline v0::detail

#if !TREADLE_COMPILED
#include <treadle/kernel/decode-inl.hpp>
#endif
