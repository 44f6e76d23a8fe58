// Definitions of npy.hpp.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/archive/endian.hpp>
#include <treadle/archive/failure.hpp>
#include <treadle/archive/npy.hpp>
#include <treadle/archive/npy_header-inl.hpp>

namespace treadle::inline v0 {
namespace detail::npy {

inline constexpr std::string_view magic = "\x93NUMPY";

/// Bytes of an array, or nothing if a product overflows.
[[nodiscard]] inline std::optional<std::uint64_t> byte_count(const Dims& sizes, DType dtype,
                                                             std::int64_t most) noexcept {
  std::int64_t bytes = static_cast<std::int64_t>(size_of(dtype));
  std::int64_t count = 1;
  for (const auto size : sizes) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  if (count > most || __builtin_mul_overflow(bytes, count, &bytes)) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

/// Copies column-major `from` into row-major `to`.
inline void transpose(const Dims& sizes, std::size_t element, const std::byte* from, std::byte* to,
                      std::uint64_t bytes) {
  const std::size_t rank = sizes.size();
  std::vector<std::size_t> strides(rank);
  std::vector<std::int64_t> index(rank, 0);
  std::size_t step = element;
  for (std::size_t d = 0; d < rank; ++d) {
    strides[d] = step;
    step *= static_cast<std::size_t>(sizes[d]);
  }
  std::size_t source = 0;
  for (std::uint64_t done = 0; done < bytes; done += element) {
    std::memcpy(to + done, from + source, element);
    for (std::size_t d = rank; d-- > 0;) {
      source += strides[d];
      if (++index[d] < sizes[d]) break;
      source -= strides[d] * static_cast<std::size_t>(sizes[d]);
      index[d] = 0;
    }
  }
}

struct Layout {
  std::string_view header;
  std::size_t data_offset;
};

/// Finds the dictionary's text and the data behind it.
[[nodiscard]] inline Result<Layout> find_header(const Bytes& file) {
  const auto text = file.text();
  if (!text.starts_with(magic) || text.size() < 10)
    return corrupt_file("not a .npy file: it does not begin with \\x93NUMPY");
  const auto major = static_cast<unsigned char>(text[6]);
  if (major < 1 || major > 3)
    return unsupported_file(".npy format version ", static_cast<int>(major), " is not read");
  const std::size_t begin = major == 1 ? 10 : 12;
  if (text.size() < begin) return corrupt_file("the .npy header is truncated");
  const std::size_t length = major == 1 ? load_le<std::uint16_t>(file.data() + 8)
                                        : load_le<std::uint32_t>(file.data() + 8);
  if (length > text.size() - begin)
    return corrupt_file("the .npy header states ", length, " bytes, the file has ",
                        text.size() - begin);
  return Layout{text.substr(begin, length), begin + length};
}

[[nodiscard]] inline std::string_view descriptor_of(DType dtype) noexcept {
  for (const auto& known : descriptors)
    if (known.dtype == dtype) return known.text;
  return {};
}

/// The dictionary, padded so that the data begins at a multiple of 64.
[[nodiscard]] inline std::string header_text(const NpyArray& array, std::string_view descriptor,
                                             std::size_t prefix) {
  std::string text = concat("{'descr': '", size_of(array.dtype) == 1 ? '|' : '<', descriptor,
                            "', 'fortran_order': False, 'shape': (");
  for (std::size_t i = 0; i < array.sizes.size(); ++i) {
    if (i > 0) text.append(", ");
    append(text, array.sizes[i]);
  }
  text.append(array.sizes.size() == 1 ? ",), }" : "), }");
  text.append(63 - (prefix + text.size()) % 64, ' ');
  text.push_back('\n');
  return text;
}

}  // namespace detail::npy

static_assert(std::endian::native == std::endian::little, "tensor data is little-endian in memory");

TREADLE_INLINE Result<NpyArray> read_npy(const Bytes& file, const LoadLimits& limits) {
  TREADLE_TRY(const auto layout, detail::npy::find_header(file));
  TREADLE_TRY(auto header, detail::npy::HeaderParser(layout.header, limits).parse());
  NpyArray array;
  array.dtype = *header.dtype;
  array.sizes = std::move(*header.sizes);
  const auto bytes = detail::npy::byte_count(array.sizes, array.dtype, limits.max_tensor_elements);
  if (!bytes)
    return detail::limit_exceeded("an array of sizes ", array.sizes,
                                  " is too large: ", "max_tensor_elements is ",
                                  limits.max_tensor_elements);
  if (*bytes != file.size() - layout.data_offset)
    return detail::corrupt_file(name(array.dtype), array.sizes, " takes ", *bytes,
                                " bytes, the .npy file has ", file.size() - layout.data_offset);
  const auto size = static_cast<std::size_t>(*bytes);
  const Bytes data = file.slice(layout.data_offset, size);
  if (!*header.fortran_order || array.sizes.size() < 2) {
    TREADLE_TRY(array.data, aligned(data));
    return array;
  }
  TREADLE_TRY(auto buffer, detail::allocate_bytes(size));
  detail::npy::transpose(array.sizes, size_of(array.dtype), data.data(), buffer.get(), *bytes);
  const std::span<const std::byte> view(buffer.get(), size);
  array.data = Bytes(std::move(buffer), view);
  return array;
}

TREADLE_INLINE Result<std::vector<std::byte>> write_npy(const NpyArray& array) {
  const auto descriptor = detail::npy::descriptor_of(array.dtype);
  if (descriptor.empty())
    return Error(ErrorCode::invalid_argument,
                 concat("NumPy has no dtype ", name(array.dtype), " to write"));
  const auto bytes = detail::npy::byte_count(array.sizes, array.dtype, INT64_MAX);
  if (!bytes || *bytes != array.data.size())
    return Error(ErrorCode::invalid_argument,
                 concat("an array ", name(array.dtype), array.sizes, " does not have ",
                        array.data.size(), " bytes"));
  bool wide = false;
  std::string text = detail::npy::header_text(array, descriptor, 10);
  if (text.size() > 0xffff) {
    wide = true;
    text = detail::npy::header_text(array, descriptor, 12);
  }
  std::vector<std::byte> out;
  out.reserve(12 + text.size() + array.data.size());
  for (const char c : detail::npy::magic) out.push_back(static_cast<std::byte>(c));
  out.push_back(std::byte{static_cast<unsigned char>(wide ? 2 : 1)});
  out.push_back(std::byte{0});
  if (wide)
    detail::append_le(out, static_cast<std::uint32_t>(text.size()));
  else
    detail::append_le(out, static_cast<std::uint16_t>(text.size()));
  const auto head = std::as_bytes(std::span(text));
  out.insert(out.end(), head.begin(), head.end());
  out.insert(out.end(), array.data.span().begin(), array.data.span().end());
  return out;
}

}  // namespace treadle::inline v0
