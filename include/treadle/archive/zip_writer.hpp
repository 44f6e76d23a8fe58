// Writes ZIP archives whose stored records can be mapped and used in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/archive/bytes.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0 {

/// How a writer lays out its archive.
struct ZipWriterOptions {
  bool always_zip64 = false;  ///< write ZIP64 structures even where none is needed
};

/// How one record is written.
struct ZipAddOptions {
  bool deflate = false;
};

/// Writes an archive record by record. Stored data begins at a multiple of `byte_alignment`; dates
/// are fixed, so that equal records give equal files; ZIP64 is used where sizes or counts need it.
/// A file appears under its name only by a successful `finish`; a writer that is destroyed before
/// leaves nothing behind. After an error only destruction makes sense.
class ZipWriter {
 public:
  /// Errors: `io` if no file can be made beside `path`.
  [[nodiscard]] static Result<ZipWriter> to_file(std::string path, ZipWriterOptions options = {});
  [[nodiscard]] static ZipWriter to_memory(ZipWriterOptions options = {});

  ZipWriter(ZipWriter&&) noexcept = default;
  ZipWriter& operator=(ZipWriter&&) noexcept = default;
  ~ZipWriter() = default;

  /// Errors: `invalid_argument` for an empty, too long or repeated name; `io`.
  [[nodiscard]] Status add(std::string_view name, std::span<const std::byte> data,
                           ZipAddOptions options = {});
  [[nodiscard]] Status add(std::string_view name, std::string_view text,
                           ZipAddOptions options = {}) {
    return add(name, std::as_bytes(std::span(text)), options);
  }

  /// Writes the directory and puts the file in its place. Call once, last.
  [[nodiscard]] Status finish();
  /// The archive of a finished writer to memory.
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(memory_); }

 private:
  struct Record {
    std::string name;
    std::uint16_t method;
    std::uint32_t crc;
    std::uint64_t size;
    std::uint64_t stored_size;
    std::uint64_t offset;
  };
  /// A file under a temporary name, deleted unless it is moved to its place.
  struct PendingFile {
    std::FILE* file = nullptr;
    std::string temporary;
    std::string path;

    PendingFile() = default;
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile();
  };

  explicit ZipWriter(ZipWriterOptions options) noexcept : options_(options) {}
  [[nodiscard]] Status write(std::span<const std::byte> bytes);
  [[nodiscard]] bool is_wide(const Record& record) const noexcept;
  [[nodiscard]] std::vector<std::byte> local_header(const Record& record) const;
  void append_central_header(std::vector<std::byte>& out, const Record& record) const;
  void append_end(std::vector<std::byte>& out, std::uint64_t directory_size) const;

  ZipWriterOptions options_;
  std::unique_ptr<PendingFile> pending_;  ///< null when writing to memory
  std::vector<std::byte> memory_;
  std::uint64_t offset_ = 0;
  std::vector<Record> records_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/archive/zip_writer-inl.hpp>
#endif
