// The classes and functions that a pickle may name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <treadle/archive/pickle.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>

namespace treadle::inline v0 {
namespace detail::pickle {

/// Functions and classes whose call the reader understands.
enum class Constructor : std::uint8_t {
  ordered_dict,
  default_dict,
  deque,
  size,
  device,
  get_layout,
  rebuild_tensor,
  rebuild_tensor_v2,
  rebuild_tensor_v3,
  rebuild_parameter,
  rebuild_from_type,  ///< a tensor with attributes of its own
  tensor_type,        ///< the class of such a tensor
  storage_type,       ///< a storage class; `PickleNode::integer` is its dtype
  unknown_class,      ///< `PickleNode::text` is its name
};

struct KnownName {
  std::string_view module;
  std::string_view name;
  Constructor constructor;
};

inline constexpr KnownName known_names[] = {
    {"collections", "OrderedDict", Constructor::ordered_dict},
    {"collections", "defaultdict", Constructor::default_dict},
    {"collections", "deque", Constructor::deque},
    {"torch", "Size", Constructor::size},
    {"torch", "device", Constructor::device},
    {"torch.serialization", "_get_layout", Constructor::get_layout},
    {"torch._utils", "_rebuild_tensor", Constructor::rebuild_tensor},
    {"torch._utils", "_rebuild_tensor_v2", Constructor::rebuild_tensor_v2},
    {"torch._utils", "_rebuild_tensor_v3", Constructor::rebuild_tensor_v3},
    {"torch._tensor", "_rebuild_from_type_v2", Constructor::rebuild_from_type},
    {"torch", "Tensor", Constructor::tensor_type},
    {"torch._utils", "_rebuild_parameter", Constructor::rebuild_parameter},
    {"torch._utils", "_rebuild_parameter_with_state", Constructor::rebuild_parameter},
};

struct StorageType {
  std::string_view name;
  DType dtype;
};

/// Typed storage classes of module `torch`; untyped storages count bytes.
inline constexpr StorageType storage_types[] = {
    {"FloatStorage", DType::float32},
    {"DoubleStorage", DType::float64},
    {"HalfStorage", DType::float16},
    {"BFloat16Storage", DType::bfloat16},
    {"LongStorage", DType::int64},
    {"IntStorage", DType::int32},
    {"ShortStorage", DType::int16},
    {"CharStorage", DType::int8},
    {"ByteStorage", DType::uint8},
    {"BoolStorage", DType::bool_},
    {"ComplexFloatStorage", DType::complex64},
    {"ComplexDoubleStorage", DType::complex128},
    {"ComplexHalfStorage", DType::complex32},
    {"UntypedStorage", DType::undefined},
};

/// What is special about a refused name, if anything.
[[nodiscard]] inline std::string_view reason_to_refuse(std::string_view name) noexcept {
  if (name == "_rebuild_qtensor" || name.starts_with("QInt") || name.starts_with("QUInt"))
    return " (a quantized tensor)";
  if (name.starts_with("_rebuild_sparse")) return " (a sparse tensor)";
  if (name == "_rebuild_device_tensor_from_numpy") return " (a tensor kept as a NumPy array)";
  return "";
}

[[nodiscard]] inline PickleNode make_constructor(Constructor constructor,
                                                 DType dtype = DType::undefined) {
  PickleNode node;
  node.kind = PickleKind::constructor;
  node.code = static_cast<std::uint8_t>(constructor);
  node.integer = static_cast<std::int64_t>(dtype);
  return node;
}

[[nodiscard]] inline std::optional<Layout> parse_layout(std::string_view text) noexcept {
  if (text.starts_with("torch.")) text.remove_prefix(6);
  for (int i = 0; i < static_cast<int>(Layout::unknown); ++i)
    if (name(static_cast<Layout>(i)) == text) return static_cast<Layout>(i);
  return std::nullopt;
}

[[nodiscard]] inline std::optional<MemoryFormat> parse_memory_format(
    std::string_view text) noexcept {
  if (text.starts_with("torch.")) text.remove_prefix(6);
  for (int i = 0; i < static_cast<int>(MemoryFormat::unknown); ++i)
    if (name(static_cast<MemoryFormat>(i)) == text) return static_cast<MemoryFormat>(i);
  return std::nullopt;
}

/// The value that a name stands for, if the name is known.
[[nodiscard]] inline std::optional<PickleNode> find_name(std::string_view module,
                                                         std::string_view text) {
  for (const auto& known : known_names)
    if (known.module == module && known.name == text) return make_constructor(known.constructor);
  if (module == "torch.storage" && text == "UntypedStorage")
    return make_constructor(Constructor::storage_type);
  if (module != "torch") return std::nullopt;
  for (const auto& type : storage_types)
    if (type.name == text) return make_constructor(Constructor::storage_type, type.dtype);
  PickleNode node;
  if (const auto dtype = parse_dtype(text); dtype && *dtype != DType::undefined) {
    node.kind = PickleKind::dtype;
    node.code = static_cast<std::uint8_t>(*dtype);
    return node;
  }
  if (const auto format = parse_memory_format(text)) {
    node.kind = PickleKind::memory_format;
    node.code = static_cast<std::uint8_t>(*format);
    return node;
  }
  if (const auto layout = parse_layout(text)) {
    node.kind = PickleKind::layout;
    node.code = static_cast<std::uint8_t>(*layout);
    return node;
  }
  return std::nullopt;
}

}  // namespace detail::pickle
}  // namespace treadle::inline v0
