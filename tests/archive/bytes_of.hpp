// Makes, alters and reads bytes for the tests of the archive layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/bytes.hpp>
#include <treadle/archive/zip_writer.hpp>
#include <treadle/core/result.hpp>

namespace test {

using Buffer = std::vector<std::byte>;

inline Buffer bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline treadle::Bytes own(std::string_view text) { return treadle::Bytes::own(bytes_of(text)); }

inline std::string golden(std::string_view file) {
  return std::string(TREADLE_GOLDEN_DIR).append("/archive/").append(file);
}

/// Overwrites a little-endian number.
template <class Unsigned>
void poke(Buffer& bytes, std::size_t at, Unsigned value) {
  REQUIRE(at + sizeof(Unsigned) <= bytes.size());
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

/// Offset of the n-th occurrence of `text`.
inline std::size_t find(const Buffer& bytes, std::string_view text, int n = 0) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto at = all.find(text);
  while (n-- > 0 && at != std::string_view::npos) at = all.find(text, at + 1);
  REQUIRE(at != std::string_view::npos);
  return at;
}

inline std::size_t local(const Buffer& zip, int n = 0) { return find(zip, "PK\x03\x04", n); }
inline std::size_t central(const Buffer& zip, int n = 0) { return find(zip, "PK\x01\x02", n); }
inline std::size_t end_record(const Buffer& zip) { return find(zip, "PK\x05\x06"); }

struct Record {
  std::string name;
  std::string text;
  bool deflate = false;
};

inline Buffer zip_of(const std::vector<Record>& records, bool zip64 = false) {
  auto writer = treadle::ZipWriter::to_memory({.always_zip64 = zip64});
  for (const auto& record : records) {
    const auto added = writer.add(record.name, record.text, {.deflate = record.deflate});
    REQUIRE(added);
  }
  const auto finished = writer.finish();
  REQUIRE(finished);
  return std::move(writer).take();
}

/// Requires that `result` failed with this code and these words in its message.
template <class T>
void check_error(const treadle::Result<T>& result, treadle::ErrorCode code,
                 std::string_view words) {
  REQUIRE_FALSE(result);
  CAPTURE(result.error().message());
  CHECK(name(result.error().code()) == name(code));
  CHECK(result.error().message().find(words) != std::string::npos);
}

}  // namespace test
