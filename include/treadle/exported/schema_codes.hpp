// The numbers by which the export schema names dtypes, layouts and memory formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>

namespace treadle::inline v0::detail {

/// A row of a code table: ours, the schema's number, and the schema's name.
template <class Kind>
struct SchemaCode {
  Kind kind;
  std::int64_t code;
  std::string_view name;
};

inline constexpr SchemaCode<DType> scalar_type_codes[] = {
    {DType::undefined, 0, "UNKNOWN"},
    {DType::uint8, 1, "BYTE"},
    {DType::int8, 2, "CHAR"},
    {DType::int16, 3, "SHORT"},
    {DType::int32, 4, "INT"},
    {DType::int64, 5, "LONG"},
    {DType::float16, 6, "HALF"},
    {DType::float32, 7, "FLOAT"},
    {DType::float64, 8, "DOUBLE"},
    {DType::complex32, 9, "COMPLEXHALF"},
    {DType::complex64, 10, "COMPLEXFLOAT"},
    {DType::complex128, 11, "COMPLEXDOUBLE"},
    {DType::bool_, 12, "BOOL"},
    {DType::bfloat16, 13, "BFLOAT16"},
    {DType::uint16, 28, "UINT16"},
    {DType::float8_e4m3fn, 29, "FLOAT8E4M3FN"},
    {DType::float8_e5m2, 30, "FLOAT8E5M2"},
    {DType::float8_e4m3fnuz, 31, "FLOAT8E4M3FNUZ"},
    {DType::float8_e5m2fnuz, 32, "FLOAT8E5M2FNUZ"},
    {DType::float8_e8m0fnu, 33, "FLOAT8E8M0FNU"},
    {DType::uint32, 34, "UINT32"},
    {DType::uint64, 35, "UINT64"},
};

inline constexpr SchemaCode<Layout> layout_codes[] = {
    {Layout::unknown, 0, "Unknown"},      {Layout::sparse_coo, 1, "SparseCoo"},
    {Layout::sparse_csr, 2, "SparseCsr"}, {Layout::sparse_csc, 3, "SparseCsc"},
    {Layout::sparse_bsr, 4, "SparseBsr"}, {Layout::sparse_bsc, 5, "SparseBsc"},
    {Layout::mkldnn, 6, "_mkldnn"},       {Layout::strided, 7, "Strided"},
};

inline constexpr SchemaCode<MemoryFormat> memory_format_codes[] = {
    {MemoryFormat::unknown, 0, "Unknown"},
    {MemoryFormat::contiguous, 1, "ContiguousFormat"},
    {MemoryFormat::channels_last, 2, "ChannelsLast"},
    {MemoryFormat::channels_last_3d, 3, "ChannelsLast3d"},
    {MemoryFormat::preserve, 4, "PreserveFormat"},
};

/// Ours for a schema's number, if it is known.
template <class Kind, std::size_t Count>
[[nodiscard]] constexpr std::optional<Kind> from_code(const SchemaCode<Kind> (&table)[Count],
                                                      std::int64_t code) noexcept {
  for (const auto& row : table)
    if (row.code == code) return row.kind;
  return std::nullopt;
}

/// Ours for a schema's name, which very old files write.
template <class Kind, std::size_t Count>
[[nodiscard]] constexpr std::optional<Kind> from_name(const SchemaCode<Kind> (&table)[Count],
                                                      std::string_view name) noexcept {
  for (const auto& row : table)
    if (row.name == name) return row.kind;
  return std::nullopt;
}

/// The schema's number for ours.
template <class Kind, std::size_t Count>
[[nodiscard]] constexpr std::int64_t to_code(const SchemaCode<Kind> (&table)[Count],
                                             Kind kind) noexcept {
  for (const auto& row : table)
    if (row.kind == kind) return row.code;
  return 0;
}

}  // namespace treadle::inline v0::detail
