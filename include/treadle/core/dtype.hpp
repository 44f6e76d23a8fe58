// Element types of tensors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace treadle::inline v0 {

/// Element type of a tensor. The numbers are ours alone: files have codes of their own.
enum class DType : std::uint8_t {
  undefined,
  bool_,
  uint8,
  int8,
  int16,
  int32,
  int64,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  complex32,
  complex64,
  complex128,
  float8_e4m3fn,
  float8_e5m2,
  float8_e4m3fnuz,
  float8_e5m2fnuz,
  float8_e8m0fnu,
};

/// Kinds of dtypes in promotion order.
enum class DTypeCategory : std::uint8_t { boolean, integral, floating, complex };

struct DTypeInfo {
  std::string_view name;  ///< as PyTorch prints it, without `torch.`
  std::uint8_t size;      ///< bytes per element
  DTypeCategory category;
};

namespace detail {
inline constexpr std::array<DTypeInfo, 22> dtype_table = {{
    {"undefined", 0, DTypeCategory::boolean},
    {"bool", 1, DTypeCategory::boolean},
    {"uint8", 1, DTypeCategory::integral},
    {"int8", 1, DTypeCategory::integral},
    {"int16", 2, DTypeCategory::integral},
    {"int32", 4, DTypeCategory::integral},
    {"int64", 8, DTypeCategory::integral},
    {"uint16", 2, DTypeCategory::integral},
    {"uint32", 4, DTypeCategory::integral},
    {"uint64", 8, DTypeCategory::integral},
    {"float16", 2, DTypeCategory::floating},
    {"bfloat16", 2, DTypeCategory::floating},
    {"float32", 4, DTypeCategory::floating},
    {"float64", 8, DTypeCategory::floating},
    {"complex32", 4, DTypeCategory::complex},
    {"complex64", 8, DTypeCategory::complex},
    {"complex128", 16, DTypeCategory::complex},
    {"float8_e4m3fn", 1, DTypeCategory::floating},
    {"float8_e5m2", 1, DTypeCategory::floating},
    {"float8_e4m3fnuz", 1, DTypeCategory::floating},
    {"float8_e5m2fnuz", 1, DTypeCategory::floating},
    {"float8_e8m0fnu", 1, DTypeCategory::floating},
}};
}  // namespace detail

[[nodiscard]] constexpr const DTypeInfo& info(DType dtype) noexcept {
  return detail::dtype_table[static_cast<std::size_t>(dtype)];
}
[[nodiscard]] constexpr std::string_view name(DType dtype) noexcept { return info(dtype).name; }
/// Bytes per element.
[[nodiscard]] constexpr std::size_t size_of(DType dtype) noexcept { return info(dtype).size; }
[[nodiscard]] constexpr DTypeCategory category(DType dtype) noexcept {
  return info(dtype).category;
}
[[nodiscard]] constexpr bool is_floating(DType dtype) noexcept {
  return category(dtype) == DTypeCategory::floating;
}
[[nodiscard]] constexpr bool is_complex(DType dtype) noexcept {
  return category(dtype) == DTypeCategory::complex;
}
/// True for integers, not for bool.
[[nodiscard]] constexpr bool is_integral(DType dtype) noexcept {
  return category(dtype) == DTypeCategory::integral;
}
[[nodiscard]] constexpr bool is_unsigned(DType dtype) noexcept {
  return dtype == DType::uint8 || dtype == DType::uint16 || dtype == DType::uint32 ||
         dtype == DType::uint64;
}

/// The dtype with this name (with or without `torch.`), if there is one.
[[nodiscard]] constexpr std::optional<DType> parse_dtype(std::string_view text) noexcept {
  if (text.starts_with("torch.")) text.remove_prefix(6);
  for (std::size_t i = 0; i < detail::dtype_table.size(); ++i)
    if (detail::dtype_table[i].name == text) return static_cast<DType>(i);
  return std::nullopt;
}

}  // namespace treadle::inline v0
