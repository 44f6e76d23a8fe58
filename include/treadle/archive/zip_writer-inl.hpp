// Definitions of zip_writer.hpp.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <zlib.h>

#include <treadle/archive/crc32.hpp>
#include <treadle/archive/endian.hpp>
#include <treadle/archive/failure.hpp>
#include <treadle/archive/zip_format.hpp>
#include <treadle/archive/zip_writer.hpp>

namespace treadle::inline v0 {
namespace detail::zip {

inline constexpr std::uint16_t dos_date = 0x0021;  ///< 1 January 1980, the format's first day
inline constexpr std::uint16_t version_plain = 20;
inline constexpr std::uint16_t version_zip64 = 45;

/// A raw deflate encoder that frees itself.
struct Deflater {
  z_stream stream = {};
  bool ready = false;

  Deflater() noexcept
      : ready(::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                             Z_DEFAULT_STRATEGY) == Z_OK) {}
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() {
    if (ready) ::deflateEnd(&stream);
  }
};

[[nodiscard]] inline Result<std::vector<std::byte>> deflate_all(std::span<const std::byte> from) {
  constexpr std::size_t chunk = std::size_t{1} << 20;
  Deflater deflater;
  if (!deflater.ready) return Error(ErrorCode::out_of_memory, "no memory for a deflate encoder");
  z_stream& stream = deflater.stream;
  std::vector<std::byte> out;
  std::size_t written = 0;
  std::size_t read = 0;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    const std::size_t in = std::min(from.size() - read, chunk);
    if (out.size() - written < chunk / 4) out.resize(written + std::min(chunk, from.size() + 64));
    const std::size_t room = std::min(out.size() - written, chunk);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data() + read));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
    stream.avail_out = static_cast<uInt>(room);
    code = ::deflate(&stream, read + in == from.size() ? Z_FINISH : Z_NO_FLUSH);
    if (code == Z_STREAM_ERROR) return io_error("the deflate encoder failed");
    read += in - stream.avail_in;
    written += room - stream.avail_out;
  }
  out.resize(written);
  return out;
}

[[nodiscard]] inline std::uint32_t narrow32(std::uint64_t value, bool wide) noexcept {
  return wide ? saturated32 : static_cast<std::uint32_t>(value);
}

[[nodiscard]] inline std::uint16_t flags_of(std::string_view name) noexcept {
  const bool ascii =
      std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return static_cast<std::uint16_t>(ascii ? 0u : flag_utf8);
}

/// The fields that local and central headers share, from the version to the name's length.
inline void append_common(std::vector<std::byte>& out, std::string_view name, std::uint16_t method,
                          std::uint32_t crc, std::uint64_t size, std::uint64_t stored_size,
                          bool wide) {
  append_le(out, wide ? version_zip64 : version_plain);
  append_le(out, flags_of(name));
  append_le(out, method);
  append_le(out, std::uint16_t{0});
  append_le(out, dos_date);
  append_le(out, crc);
  append_le(out, narrow32(stored_size, wide));
  append_le(out, narrow32(size, wide));
  append_le(out, static_cast<std::uint16_t>(name.size()));
}

inline void append_text(std::vector<std::byte>& out, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace detail::zip

TREADLE_INLINE ZipWriter::PendingFile::~PendingFile() {
  if (file == nullptr) return;
  std::fclose(file);
  std::remove(temporary.c_str());
}

TREADLE_INLINE Result<ZipWriter> ZipWriter::to_file(std::string path, ZipWriterOptions options) {
  ZipWriter writer(options);
  writer.pending_ = std::make_unique<PendingFile>();
  PendingFile& pending = *writer.pending_;
  for (int attempt = 0; attempt < 100 && pending.file == nullptr; ++attempt) {
    pending.temporary = concat(path, ".part", attempt);
    pending.file = std::fopen(pending.temporary.c_str(), "wbx");
    if (pending.file == nullptr && errno != EEXIST) break;
  }
  if (pending.file == nullptr)
    return detail::io_error("cannot write ", detail::in_quotes(path), ": ", std::strerror(errno));
  pending.path = std::move(path);
  return writer;
}

TREADLE_INLINE ZipWriter ZipWriter::to_memory(ZipWriterOptions options) {
  return ZipWriter(options);
}

TREADLE_INLINE Status ZipWriter::write(std::span<const std::byte> bytes) {
  if (bytes.empty()) return {};
  offset_ += bytes.size();
  if (!pending_) {
    memory_.insert(memory_.end(), bytes.begin(), bytes.end());
    return {};
  }
  if (std::fwrite(bytes.data(), 1, bytes.size(), pending_->file) == bytes.size()) return {};
  return detail::io_error("cannot write ", detail::in_quotes(pending_->path), ": ",
                          std::strerror(errno));
}

TREADLE_INLINE bool ZipWriter::is_wide(const Record& record) const noexcept {
  return options_.always_zip64 || record.size >= detail::zip::saturated32 ||
         record.stored_size >= detail::zip::saturated32 ||
         record.offset >= detail::zip::saturated32;
}

TREADLE_INLINE std::vector<std::byte> ZipWriter::local_header(const Record& record) const {
  using namespace detail;
  const bool wide = is_wide(record);
  std::vector<std::byte> extra;
  if (wide) {
    append_le(extra, zip::zip64_extra);
    append_le(extra, std::uint16_t{16});
    append_le(extra, record.size);
    append_le(extra, record.stored_size);
  }
  if (record.method == zip::method_stored) {
    const std::uint64_t data =
        record.offset + zip::local_size + record.name.size() + extra.size() + 4;
    const auto padding =
        static_cast<std::uint16_t>((byte_alignment - data % byte_alignment) % byte_alignment);
    append_le(extra, zip::padding_extra);
    append_le(extra, padding);
    extra.insert(extra.end(), padding, std::byte{'Z'});
  }
  std::vector<std::byte> out;
  append_le(out, zip::local_signature);
  zip::append_common(out, record.name, record.method, record.crc, record.size, record.stored_size,
                     wide);
  append_le(out, static_cast<std::uint16_t>(extra.size()));
  zip::append_text(out, record.name);
  out.insert(out.end(), extra.begin(), extra.end());
  return out;
}

TREADLE_INLINE Status ZipWriter::add(std::string_view name, std::span<const std::byte> data,
                                     ZipAddOptions options) {
  if (name.empty() || name.size() > detail::zip::saturated16 ||
      name.find('\0') != std::string_view::npos)
    return Error(ErrorCode::invalid_argument, "a record's name has 1 to 65535 bytes, none zero");
  if (!names_.emplace(name).second)
    return Error(ErrorCode::invalid_argument,
                 concat("the archive already has a record ", detail::in_quotes(name)));
  std::vector<std::byte> deflated;
  Record record{std::string(name), detail::zip::method_stored,
                crc32(data),       data.size(),
                data.size(),       offset_};
  if (options.deflate && !data.empty()) {
    TREADLE_TRY(deflated, detail::zip::deflate_all(data));
    record.method = detail::zip::method_deflated;
    record.stored_size = deflated.size();
    data = deflated;
  }
  TREADLE_CHECK(write(local_header(record)));
  TREADLE_CHECK(write(data));
  records_.push_back(std::move(record));
  return {};
}

TREADLE_INLINE void ZipWriter::append_central_header(std::vector<std::byte>& out,
                                                     const Record& record) const {
  using namespace detail;
  const bool wide = is_wide(record);
  append_le(out, zip::central_signature);
  append_le(out, wide ? zip::version_zip64 : zip::version_plain);
  zip::append_common(out, record.name, record.method, record.crc, record.size, record.stored_size,
                     wide);
  append_le(out, static_cast<std::uint16_t>(wide ? 28 : 0));
  append_le(out, std::uint16_t{0});  // comment
  append_le(out, std::uint16_t{0});  // volume
  append_le(out, std::uint16_t{0});  // internal attributes
  append_le(out, std::uint32_t{0});  // external attributes
  append_le(out, zip::narrow32(record.offset, wide));
  zip::append_text(out, record.name);
  if (!wide) return;
  append_le(out, zip::zip64_extra);
  append_le(out, std::uint16_t{24});
  append_le(out, record.size);
  append_le(out, record.stored_size);
  append_le(out, record.offset);
}

TREADLE_INLINE void ZipWriter::append_end(std::vector<std::byte>& out,
                                          std::uint64_t directory_size) const {
  using namespace detail;
  const std::uint64_t count = records_.size();
  const bool wide = options_.always_zip64 || count >= zip::saturated16 ||
                    directory_size >= zip::saturated32 || offset_ >= zip::saturated32;
  if (wide) {
    append_le(out, zip::end64_signature);
    append_le(out, static_cast<std::uint64_t>(zip::end64_size - 12));
    append_le(out, zip::version_zip64);
    append_le(out, zip::version_zip64);
    append_le(out, std::uint64_t{0});  // both volume numbers
    append_le(out, count);
    append_le(out, count);
    append_le(out, directory_size);
    append_le(out, offset_);
    append_le(out, zip::locator64_signature);
    append_le(out, std::uint32_t{0});
    append_le(out, offset_ + directory_size);
    append_le(out, std::uint32_t{1});
  }
  const auto short_count = wide ? zip::saturated16 : static_cast<std::uint16_t>(count);
  append_le(out, zip::end_signature);
  append_le(out, std::uint32_t{0});  // both volume numbers
  append_le(out, short_count);
  append_le(out, short_count);
  append_le(out, zip::narrow32(directory_size, wide));
  append_le(out, zip::narrow32(offset_, wide));
  append_le(out, std::uint16_t{0});
}

TREADLE_INLINE Status ZipWriter::finish() {
  std::vector<std::byte> directory;
  for (const auto& record : records_) append_central_header(directory, record);
  append_end(directory, directory.size());
  TREADLE_CHECK(write(directory));
  if (!pending_) return {};
  std::FILE* file = std::exchange(pending_->file, nullptr);
  const bool closed = std::fclose(file) == 0;
  if (closed && std::rename(pending_->temporary.c_str(), pending_->path.c_str()) == 0) return {};
  const int reason = errno;
  std::remove(pending_->temporary.c_str());
  return detail::io_error("cannot write ", detail::in_quotes(pending_->path), ": ",
                          std::strerror(reason));
}

}  // namespace treadle::inline v0
