// Definitions of zip_reader.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <zlib.h>

#include <treadle/archive/crc32.hpp>
#include <treadle/archive/failure.hpp>
#include <treadle/archive/mapped_file.hpp>
#include <treadle/archive/zip_directory-inl.hpp>
#include <treadle/archive/zip_reader.hpp>
#include <treadle/core/sort_places.hpp>

namespace treadle::inline v0 {
namespace detail::zip {

/// A raw deflate decoder that frees itself.
struct Inflater {
  z_stream stream = {};
  bool ready = false;

  Inflater() noexcept : ready(::inflateInit2(&stream, -MAX_WBITS) == Z_OK) {}
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (ready) ::inflateEnd(&stream);
  }
};

/// Inflates `from` into exactly `to`; false if the stream is broken or has another length.
[[nodiscard]] inline bool inflate_exactly(std::span<const std::byte> from,
                                          std::span<std::byte> to) noexcept {
  constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
  Inflater inflater;
  if (!inflater.ready) return false;
  z_stream& stream = inflater.stream;
  Bytef beyond = 0;  // takes a byte that should not come
  std::size_t read = 0;
  std::size_t written = 0;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    const std::size_t in = std::min(from.size() - read, most);
    const std::size_t out = std::min(to.size() - written, most);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data() + read));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = out == 0 ? &beyond : reinterpret_cast<Bytef*>(to.data() + written);
    stream.avail_out = out == 0 ? 1 : static_cast<uInt>(out);
    code = ::inflate(&stream, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END) return false;
    if (out == 0 && stream.avail_out == 0) return false;
    read += in - stream.avail_in;
    written += out == 0 ? 0 : out - stream.avail_out;
  }
  return read == from.size() && written == to.size();
}

[[nodiscard]] inline Result<Bytes> inflate_record(const Bytes& deflated, const ZipEntry& entry) {
  const auto size = static_cast<std::size_t>(entry.size);
  TREADLE_TRY(auto buffer, allocate_bytes(size));
  if (!inflate_exactly(deflated.span(), {buffer.get(), size}))
    return corrupt_file("its deflate stream is broken or does not give ", entry.size, " bytes");
  const std::span<const std::byte> view(buffer.get(), size);
  return Bytes(std::move(buffer), view);
}

}  // namespace detail::zip

TREADLE_INLINE Result<ZipReader> ZipReader::open(Bytes file, const LoadLimits& limits) {
  if (file.size() > limits.max_file_bytes)
    return detail::limit_exceeded("the ZIP archive has ", file.size(), " bytes, max_file_bytes is ",
                                  limits.max_file_bytes);
  ZipReader reader;
  TREADLE_TRY(reader.entries_, detail::zip::read_directory(file.span(), limits));
  TREADLE_CHECK(detail::zip::check_overlap(reader.entries_));
  reader.file_ = std::move(file);
  reader.by_name_.resize(reader.entries_.size());
  std::iota(reader.by_name_.begin(), reader.by_name_.end(), std::uint32_t{0});
  const auto name_of = [&](std::uint32_t i) -> std::string_view { return reader.entries_[i].name; };
  sort_places(reader.by_name_,
              [&](std::uint32_t a, std::uint32_t b) { return name_of(a) < name_of(b); });
  const auto twice = std::ranges::adjacent_find(reader.by_name_, {}, name_of);
  if (twice != reader.by_name_.end())
    return detail::corrupt_file("the ZIP archive has two records named ",
                                detail::in_quotes(name_of(*twice)));
  return reader;
}

TREADLE_INLINE Result<ZipReader> ZipReader::open(const std::string& path,
                                                 const LoadLimits& limits) {
  TREADLE_TRY(auto file, map_file(path, limits));
  return open(std::move(file), limits).with_context(path);
}

TREADLE_INLINE const ZipEntry* ZipReader::find(std::string_view name) const noexcept {
  const auto name_of = [this](std::uint32_t i) -> std::string_view { return entries_[i].name; };
  const auto at = std::ranges::lower_bound(by_name_, name, {}, name_of);
  return at == by_name_.end() || name_of(*at) != name ? nullptr : &entries_[*at];
}

TREADLE_INLINE std::string_view ZipReader::root() const noexcept {
  if (entries_.empty()) return {};
  const std::string_view name = entries_.front().name;
  const auto slash = name.find('/');
  return slash == std::string_view::npos ? std::string_view{} : name.substr(0, slash + 1);
}

TREADLE_INLINE Result<Bytes> ZipReader::read(const ZipEntry& entry, CrcCheck check) const {
  TREADLE_ASSERT(
      entry.data_offset <= file_.size() && entry.stored_size <= file_.size() - entry.data_offset,
      "an entry of this archive");
  Bytes bytes = file_.slice(static_cast<std::size_t>(entry.data_offset),
                            static_cast<std::size_t>(entry.stored_size));
  const auto where = [&] { return concat("record ", detail::in_quotes(entry.name)); };
  if (entry.method == ZipMethod::deflated) {
    auto inflated = detail::zip::inflate_record(bytes, entry);
    if (!inflated) return std::move(inflated).error().with_context(where());
    bytes = std::move(*inflated);
  }
  if (check == CrcCheck::skip) return bytes;
  if (const auto found = crc32(bytes.span()); found != entry.crc)
    return detail::corrupt_file(where(), ": wrong checksum: the directory says ", entry.crc,
                                ", the bytes give ", found);
  return bytes;
}

TREADLE_INLINE Result<Bytes> ZipReader::read(std::string_view name, CrcCheck check) const {
  const ZipEntry* entry = find(name);
  if (entry == nullptr)
    return detail::corrupt_file("the archive has no record ", detail::in_quotes(name));
  return read(*entry, check);
}

}  // namespace treadle::inline v0
