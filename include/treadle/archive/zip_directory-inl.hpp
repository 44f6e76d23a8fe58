// Parses and checks the directory of a ZIP archive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/archive/endian.hpp>
#include <treadle/archive/failure.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/archive/zip_format.hpp>
#include <treadle/archive/zip_reader.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/sort_places.hpp>

namespace treadle::inline v0 {
namespace detail::zip {

using FileSpan = std::span<const std::byte>;

/// Where the central directory lies: `[offset, offset + size)`.
struct Directory {
  std::uint64_t records = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// Sizes and offset of a record as one header states them.
struct Extent {
  std::uint64_t size = 0;
  std::uint64_t stored_size = 0;
  std::uint64_t offset = 0;
};

template <class Unsigned>
[[nodiscard]] Unsigned field(FileSpan file, std::uint64_t at) noexcept {
  return load_le<Unsigned>(file.data() + at);
}

/// Offset of the end record: the last one whose comment reaches the end of the file exactly.
[[nodiscard]] inline Result<std::size_t> find_end(FileSpan file) {
  if (file.size() >= end_size) {
    const std::size_t last = file.size() - end_size;
    const std::size_t first = last > saturated16 ? last - saturated16 : 0;
    for (std::size_t at = last + 1; at-- > first;)
      if (field<std::uint32_t>(file, at) == end_signature &&
          field<std::uint16_t>(file, at + 20) == last - at)
        return at;
  }
  return corrupt_file("not a ZIP archive, or a truncated one: no end record in ", file.size(),
                      " bytes");
}

/// Reads the ZIP64 end record that the locator at `locator` points to; `end` becomes its offset.
[[nodiscard]] inline Result<Directory> read_end64(FileSpan file, std::size_t locator,
                                                  std::uint64_t& end) {
  const auto at = field<std::uint64_t>(file, locator + 8);
  if (at > locator || locator - at < end64_size ||
      field<std::uint32_t>(file, at) != end64_signature)
    return corrupt_file("the ZIP64 locator points to offset ", at, ", where no end record is");
  if (field<std::uint64_t>(file, at + 4) != locator - at - 12)
    return corrupt_file("the ZIP64 end record at offset ", at, " has a wrong length");
  if (field<std::uint32_t>(file, locator + 4) != 0 || field<std::uint32_t>(file, at + 16) != 0 ||
      field<std::uint32_t>(file, at + 20) != 0 || field<std::uint32_t>(file, locator + 16) > 1 ||
      field<std::uint64_t>(file, at + 24) != field<std::uint64_t>(file, at + 32))
    return unsupported_file("ZIP archives of several volumes are not read");
  end = at;
  return Directory{field<std::uint64_t>(file, at + 32), field<std::uint64_t>(file, at + 48),
                   field<std::uint64_t>(file, at + 40)};
}

/// True if the short field is a placeholder for, or the same as, the wide one.
[[nodiscard]] constexpr bool agrees(std::uint64_t narrow, std::uint64_t wide,
                                    std::uint64_t saturated) noexcept {
  return narrow == saturated || narrow == wide;
}

/// Finds the central directory from either kind of end record.
[[nodiscard]] inline Result<Directory> find_directory(FileSpan file, const LoadLimits& limits) {
  TREADLE_TRY(const std::size_t end_record, find_end(file));
  const auto records = field<std::uint16_t>(file, end_record + 10);
  const auto size = field<std::uint32_t>(file, end_record + 12);
  const auto offset = field<std::uint32_t>(file, end_record + 16);
  Directory directory{records, offset, size};
  std::uint64_t end = end_record;
  if (end_record >= locator64_size &&
      field<std::uint32_t>(file, end_record - locator64_size) == locator64_signature) {
    TREADLE_TRY(directory, read_end64(file, end_record - locator64_size, end));
    if (!agrees(records, directory.records, saturated16) ||
        !agrees(size, directory.size, saturated32) ||
        !agrees(offset, directory.offset, saturated32))
      return corrupt_file("the ZIP and ZIP64 end records contradict each other");
  } else if (field<std::uint16_t>(file, end_record + 4) != 0 ||
             field<std::uint16_t>(file, end_record + 6) != 0 ||
             field<std::uint16_t>(file, end_record + 8) != records) {
    return unsupported_file("ZIP archives of several volumes are not read");
  }
  if (directory.offset > end || directory.size != end - directory.offset)
    return corrupt_file("the ZIP directory at offset ", directory.offset, " has ", directory.size,
                        " bytes, but its end record is at offset ", end);
  if (directory.records > directory.size / central_size)
    return corrupt_file("the ZIP directory has ", directory.size, " bytes, too few for ",
                        directory.records, " records");
  if (directory.records > limits.max_records)
    return limit_exceeded("the ZIP archive has ", directory.records, " records, max_records is ",
                          limits.max_records);
  return directory;
}

/// Replaces saturated 32-bit values by those of the ZIP64 extra field.
[[nodiscard]] inline Status widen(FileSpan extra, Extent& extent, bool with_offset) {
  while (extra.size() >= 4) {
    const auto id = load_le<std::uint16_t>(extra.data());
    const std::size_t length = load_le<std::uint16_t>(extra.data() + 2);
    if (length > extra.size() - 4) return corrupt_file("an extra field runs past its end");
    auto block = extra.subspan(4, length);
    extra = extra.subspan(4 + length);
    if (id != zip64_extra) continue;
    for (auto* value : {&extent.size, &extent.stored_size, &extent.offset}) {
      if (*value != saturated32 || (value == &extent.offset && !with_offset)) continue;
      if (block.size() < 8) return corrupt_file("the ZIP64 extra field is too short");
      *value = load_le<std::uint64_t>(block.data());
      block = block.subspan(8);
    }
    return {};
  }
  return {};
}

/// Compares the local header with the entry from the directory and sets `data_offset`.
[[nodiscard]] inline Status check_local(FileSpan file, const Directory& directory, unsigned flags,
                                        std::uint16_t method, ZipEntry& entry) {
  const std::uint64_t at = entry.header_offset;
  if (at > directory.offset || directory.offset - at < local_size ||
      field<std::uint32_t>(file, at) != local_signature)
    return corrupt_file("no local header at offset ", at);
  const std::uint64_t name_size = field<std::uint16_t>(file, at + 26);
  const std::uint64_t extra_size = field<std::uint16_t>(file, at + 28);
  entry.data_offset = at + local_size + name_size + extra_size;
  if (entry.data_offset > directory.offset ||
      entry.stored_size > directory.offset - entry.data_offset)
    return corrupt_file("its ", entry.stored_size, " bytes at offset ", entry.data_offset,
                        " run into the directory at offset ", directory.offset);
  const auto name = file.subspan(at + local_size, name_size);
  if (!std::ranges::equal(name, std::as_bytes(std::span(entry.name))))
    return corrupt_file("the local header at offset ", at, " has another name");
  const unsigned local_flags = field<std::uint16_t>(file, at + 6);
  if (field<std::uint16_t>(file, at + 8) != method ||
      ((local_flags ^ flags) & (flag_encrypted | flag_descriptor)) != 0)
    return corrupt_file("the local header at offset ", at, " has another method or other flags");
  Extent local{field<std::uint32_t>(file, at + 22), field<std::uint32_t>(file, at + 18), 0};
  TREADLE_CHECK(widen(file.subspan(at + local_size + name_size, extra_size), local, false));
  const auto crc = field<std::uint32_t>(file, at + 14);
  const bool none = crc == 0 && local.size == 0 && local.stored_size == 0;
  const bool later = (flags & flag_descriptor) != 0 && crc == 0 &&
                     (local.size == 0 || local.size == saturated32) &&
                     (local.stored_size == 0 || local.stored_size == saturated32);
  if (none || later) return {};
  if (crc != entry.crc || local.size != entry.size || local.stored_size != entry.stored_size)
    return corrupt_file("the local header at offset ", at, " states a size of ", local.size, " in ",
                        local.stored_size, " bytes, the directory ", entry.size, " in ",
                        entry.stored_size, ", or their checksums differ");
  return {};
}

/// Refuses sizes that no deflate stream has and those that limits forbid.
[[nodiscard]] inline Status check_sizes(const ZipEntry& entry, const LoadLimits& limits,
                                        std::uint64_t& inflated) {
  if (entry.method == ZipMethod::stored) {
    if (entry.size == entry.stored_size) return {};
    return corrupt_file("stored, yet ", entry.size, " bytes take ", entry.stored_size);
  }
  if (entry.size / deflate_best_ratio > entry.stored_size)
    return corrupt_file(entry.stored_size, " deflated bytes cannot hold ", entry.size);
  if (entry.size > limits.free_inflated_bytes &&
      entry.size / (entry.stored_size + 1) >= limits.max_deflate_ratio)
    return limit_exceeded("inflates from ", entry.stored_size, " to ", entry.size,
                          " bytes, max_deflate_ratio is ", limits.max_deflate_ratio);
  if (entry.size > limits.max_inflated_bytes - inflated)
    return limit_exceeded("the archive inflates to more than max_inflated_bytes, ",
                          limits.max_inflated_bytes);
  inflated += entry.size;
  return {};
}

[[nodiscard]] inline Status check_kind(unsigned flags, std::uint16_t method) {
  if ((flags & (flag_encrypted | flag_strong | flag_masked)) != 0)
    return unsupported_file("encrypted records are not read");
  if ((flags & flag_patched) != 0) return unsupported_file("patch records are not read");
  if (method == method_stored || method == method_deflated) return {};
  return unsupported_file("compression method ", method, " is not read, only 0 (stored) and ",
                          "8 (deflated)");
}

/// Reads the directory's record at `at`, whose fixed part is inside; `at` moves behind it.
[[nodiscard]] inline Result<ZipEntry> read_record(FileSpan file, const Directory& directory,
                                                  std::uint64_t& at, const LoadLimits& limits,
                                                  std::uint64_t& inflated) {
  const std::uint64_t name_size = field<std::uint16_t>(file, at + 28);
  const std::uint64_t extra_size = field<std::uint16_t>(file, at + 30);
  const std::uint64_t length =
      central_size + name_size + extra_size + field<std::uint16_t>(file, at + 32);
  if (length > directory.offset + directory.size - at)
    return corrupt_file("the directory record at offset ", at, " runs past the directory");
  ZipEntry entry;
  entry.name.assign(reinterpret_cast<const char*>(file.data() + at + central_size), name_size);
  const std::string where = concat("record ", in_quotes(entry.name));
  if (entry.name.empty() || entry.name.find('\0') != std::string::npos)
    return corrupt_file("the directory record at offset ", at, " has no name or a zero in it");
  const unsigned flags = field<std::uint16_t>(file, at + 8);
  const auto method = field<std::uint16_t>(file, at + 10);
  TREADLE_CHECK(check_kind(flags, method).with_context(where));
  if (const auto disk = field<std::uint16_t>(file, at + 34); disk != 0 && disk != saturated16)
    return unsupported_file(where, ": lies on another volume");
  Extent extent{field<std::uint32_t>(file, at + 24), field<std::uint32_t>(file, at + 20),
                field<std::uint32_t>(file, at + 42)};
  TREADLE_CHECK(widen(file.subspan(at + central_size + name_size, extra_size), extent, true)
                    .with_context(where));
  entry.method = method == method_stored ? ZipMethod::stored : ZipMethod::deflated;
  entry.crc = field<std::uint32_t>(file, at + 16);
  entry.size = extent.size;
  entry.stored_size = extent.stored_size;
  entry.header_offset = extent.offset;
  TREADLE_CHECK(check_local(file, directory, flags, method, entry).with_context(where));
  TREADLE_CHECK(check_sizes(entry, limits, inflated).with_context(where));
  at += length;
  return entry;
}

/// Reads all records of the directory.
[[nodiscard]] inline Result<std::vector<ZipEntry>> read_directory(FileSpan file,
                                                                  const LoadLimits& limits) {
  TREADLE_TRY(const Directory directory, find_directory(file, limits));
  const std::uint64_t end = directory.offset + directory.size;
  std::vector<ZipEntry> entries;
  entries.reserve(static_cast<std::size_t>(directory.records));
  std::uint64_t at = directory.offset;
  std::uint64_t inflated = 0;
  for (std::uint64_t i = 0; i < directory.records; ++i) {
    if (end - at < central_size || field<std::uint32_t>(file, at) != central_signature)
      return corrupt_file("the ZIP directory has no record ", i, " at offset ", at);
    TREADLE_TRY(ZipEntry entry, read_record(file, directory, at, limits, inflated));
    entries.push_back(std::move(entry));
  }
  if (at != end)
    return corrupt_file("the ZIP directory has ", end - at, " bytes behind its last record");
  return entries;
}

/// Refuses records whose bytes, header included, overlap: what overlapping bombs are made of.
[[nodiscard]] inline Status check_overlap(std::span<const ZipEntry> entries) {
  const std::vector<std::size_t> order =
      sorted_places(entries.size(), [&](std::size_t a, std::size_t b) {
        return entries[a].header_offset < entries[b].header_offset;
      });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const ZipEntry &before = entries[order[i - 1]], &entry = entries[order[i]];
    if (before.data_offset + before.stored_size > entry.header_offset)
      return corrupt_file("records ", in_quotes(before.name), " and ", in_quotes(entry.name),
                          " overlap");
  }
  return {};
}

}  // namespace detail::zip
}  // namespace treadle::inline v0
