// Definitions of npz.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/archive/failure.hpp>
#include <treadle/archive/mapped_file.hpp>
#include <treadle/archive/npz.hpp>
#include <treadle/archive/zip_reader.hpp>
#include <treadle/archive/zip_writer.hpp>

namespace treadle::inline v0 {
namespace detail::npz {

inline constexpr std::string_view extension = ".npy";
inline constexpr std::string_view bfloat16_suffix = "__bfloat16";

}  // namespace detail::npz

TREADLE_INLINE void from_bfloat16_bits(NamedArray& array) {
  auto& [name, value] = array;
  if (value.dtype != DType::uint16 || !name.ends_with(detail::npz::bfloat16_suffix)) return;
  name.resize(name.size() - detail::npz::bfloat16_suffix.size());
  value.dtype = DType::bfloat16;
}

TREADLE_INLINE void to_bfloat16_bits(NamedArray& array) {
  auto& [name, value] = array;
  if (value.dtype != DType::bfloat16) return;
  name.append(detail::npz::bfloat16_suffix);
  value.dtype = DType::uint16;
}

TREADLE_INLINE Result<std::vector<NamedArray>> read_npz(Bytes file, const LoadLimits& limits,
                                                        BFloat16Names names) {
  TREADLE_TRY(const auto zip, ZipReader::open(std::move(file), limits));
  std::vector<NamedArray> arrays;
  for (const ZipEntry& entry : zip.entries()) {
    const std::string_view name = entry.name;
    if (!name.ends_with(detail::npz::extension))
      return detail::unsupported_file("record ", detail::in_quotes(name),
                                      " of the .npz file is no ",
                                      "array: its name does not end in .npy");
    TREADLE_TRY(auto bytes, zip.read(entry));
    auto array = read_npy(bytes, limits);
    if (!array)
      return std::move(array).error().with_context(concat("array ", detail::in_quotes(name)));
    arrays.emplace_back(name.substr(0, name.size() - detail::npz::extension.size()),
                        std::move(*array));
    if (names == BFloat16Names::convert) from_bfloat16_bits(arrays.back());
  }
  return arrays;
}

TREADLE_INLINE Result<std::vector<NamedArray>> read_npz(const std::string& path,
                                                        const LoadLimits& limits,
                                                        BFloat16Names names) {
  TREADLE_TRY(auto file, map_file(path, limits));
  return read_npz(std::move(file), limits, names).with_context(path);
}

TREADLE_INLINE Status write_npz(const std::string& path, std::span<const NamedArray> arrays,
                                NpzWriteOptions options) {
  TREADLE_TRY(auto zip, ZipWriter::to_file(path));
  for (NamedArray array : arrays) {
    if (options.names == BFloat16Names::convert) to_bfloat16_bits(array);
    auto bytes = write_npy(array.second);
    if (!bytes)
      return std::move(bytes).error().with_context(
          concat("array ", detail::in_quotes(array.first)));
    TREADLE_CHECK(
        zip.add(concat(array.first, detail::npz::extension), *bytes, {.deflate = options.deflate}));
  }
  return zip.finish();
}

}  // namespace treadle::inline v0
