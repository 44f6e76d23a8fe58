// Reads ZIP archives in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/archive/bytes.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0 {

/// How a record's bytes lie in the file.
enum class ZipMethod : std::uint8_t { stored, deflated };

/// One record of an archive.
struct ZipEntry {
  std::string name;
  ZipMethod method = ZipMethod::stored;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;         ///< bytes of the record
  std::uint64_t stored_size = 0;  ///< bytes that it takes in the file
  std::uint64_t header_offset = 0;
  std::uint64_t data_offset = 0;
};

/// Whether a read compares the record's checksum.
enum class CrcCheck : std::uint8_t { verify, skip };

/// An archive whose directory has been read and checked: every record lies inside the file, none
/// overlaps another, no two share a name, and local headers agree with the central directory.
/// Reads ZIP64, stored and deflated records, data descriptors. Refuses encryption, archives of
/// several volumes, other methods. After PKWARE's APPNOTE 6.3.10. `const` calls may run on many
/// threads.
class ZipReader {
 public:
  /// Errors: `corrupt_file`, `unsupported_file`, `limit_exceeded`, and `io` for the path form.
  [[nodiscard]] static Result<ZipReader> open(Bytes file, const LoadLimits& limits = {});
  [[nodiscard]] static Result<ZipReader> open(const std::string& path,
                                              const LoadLimits& limits = {});

  /// In the directory's order.
  [[nodiscard]] std::span<const ZipEntry> entries() const noexcept { return entries_; }
  /// The record with this full name, or null. Valid as long as the reader.
  [[nodiscard]] const ZipEntry* find(std::string_view name) const noexcept;
  /// The first record's name up to and with its first `/`; empty if it has none.
  [[nodiscard]] std::string_view root() const noexcept;

  /// The bytes of a record of this archive: a view into the file if stored (at any address), a
  /// buffer at a multiple of `byte_alignment` if deflated. They may outlive the reader.
  [[nodiscard]] Result<Bytes> read(const ZipEntry& entry, CrcCheck check = CrcCheck::verify) const;
  /// The same by name; a missing record is `corrupt_file`.
  [[nodiscard]] Result<Bytes> read(std::string_view name, CrcCheck check = CrcCheck::verify) const;

 private:
  ZipReader() = default;

  Bytes file_;
  std::vector<ZipEntry> entries_;
  std::vector<std::uint32_t> by_name_;  ///< positions in `entries_`, sorted by name
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/archive/zip_reader-inl.hpp>
#endif
