// Archives that are read and written.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include <treadle/archive/crc32.hpp>
#include <treadle/archive/mapped_file.hpp>
#include <treadle/archive/zip_reader.hpp>
#include <treadle/archive/zip_writer.hpp>

#include "archive/bytes_of.hpp"

using namespace treadle;
using namespace test;

namespace {

std::filesystem::path scratch(std::string_view file) {
  return std::filesystem::temp_directory_path() / concat("treadle_archive_test_", file);
}

}  // namespace

TEST_CASE("records come back as they were written, stored or deflated, narrow or wide") {
  const std::vector<Record> records = {{"m/a", "stored"},
                                       {"m/empty", ""},
                                       {"m/b", std::string(100000, 'x'), true},
                                       {"m/c", "short", true},
                                       {"m/\xc3\xa9", std::string(5000, 'y')}};
  for (const bool zip64 : {false, true}) {
    CAPTURE(zip64);
    const auto zip = ZipReader::open(Bytes::own(zip_of(records, zip64)));
    REQUIRE(zip);
    CHECK(zip->root() == "m/");
    REQUIRE(zip->entries().size() == records.size());
    for (const auto& record : records) {
      const auto bytes = zip->read(record.name);
      REQUIRE(bytes);
      CHECK(bytes->text() == record.text);
    }
  }
}

TEST_CASE("stored data lies at multiples of 64 bytes and is not copied") {
  for (const bool zip64 : {false, true}) {
    const auto file = Bytes::own(zip_of({{"a", "1"}, {"bc", "22"}, {"def", "333"}}, zip64));
    const auto zip = ZipReader::open(file);
    REQUIRE(zip);
    for (const auto& entry : zip->entries()) {
      CHECK(entry.data_offset % byte_alignment == 0);
      const auto bytes = zip->read(entry);
      REQUIRE(bytes);
      CHECK(bytes->data() == file.data() + entry.data_offset);
    }
  }
}

TEST_CASE("a record outlives its reader") {
  Bytes record;
  {
    const auto zip = ZipReader::open(Bytes::own(zip_of({{"a", "still here"}})));
    REQUIRE(zip);
    record = *zip->read("a");
  }
  CHECK(record.text() == "still here");
}

TEST_CASE("the same records give the same file") {
  const std::vector<Record> records = {{"a", "1"}, {"b", std::string(999, 'z'), true}};
  CHECK(zip_of(records) == zip_of(records));
}

TEST_CASE("a zip written to a stream is read: descriptors, deflate, ZIP64 sizes") {
  const auto zip = ZipReader::open(golden("stream.zip"));
  REQUIRE(zip);
  CHECK(zip->read("stored.txt")->text() == "stored in a stream");
  CHECK(zip->read("deflated.txt")->size() == 900);
  CHECK(zip->read("wide.txt")->text() == "wide");
  CHECK(zip->find("none") == nullptr);
}

TEST_CASE("an archive without records is read") {
  const auto zip = ZipReader::open(Bytes::own(zip_of({})));
  REQUIRE(zip);
  CHECK(zip->entries().empty());
  CHECK(zip->root().empty());
}

TEST_CASE("more records than 65535 need ZIP64 and get it") {
  auto writer = ZipWriter::to_memory();
  for (int i = 0; i < 65540; ++i) REQUIRE(writer.add(concat(i), std::string_view()));
  REQUIRE(writer.finish());
  const auto zip = ZipReader::open(Bytes::own(std::move(writer).take()));
  REQUIRE(zip);
  CHECK(zip->entries().size() == 65540);
  CHECK(zip->find("65539") != nullptr);
}

TEST_CASE("a file appears only when it is finished") {
  const auto path = scratch("finish.zip");
  std::filesystem::remove(path);
  {
    auto abandoned = ZipWriter::to_file(path.string());
    REQUIRE(abandoned);
    REQUIRE(abandoned->add("a", "b"));
  }
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK_FALSE(std::filesystem::exists(path.string() + ".part0"));
  auto writer = ZipWriter::to_file(path.string());
  REQUIRE(writer);
  REQUIRE(writer->add("a", "b"));
  CHECK_FALSE(std::filesystem::exists(path));
  REQUIRE(writer->finish());
  CHECK(ZipReader::open(path.string())->read("a")->text() == "b");
  CHECK_FALSE(std::filesystem::exists(path.string() + ".part0"));
  std::filesystem::remove(path);
}

TEST_CASE("the writer refuses names that no reader would take") {
  auto writer = ZipWriter::to_memory();
  REQUIRE(writer.add("a", "1"));
  check_error(writer.add("a", "2"), ErrorCode::invalid_argument, "already has a record 'a'");
  check_error(writer.add("", "2"), ErrorCode::invalid_argument, "name");
  check_error(writer.add(std::string(70000, 'n'), "2"), ErrorCode::invalid_argument, "name");
}

TEST_CASE("files that cannot be mapped or made are io errors that name them") {
  check_error(MappedFile::open("no/such/file"), ErrorCode::io, "'no/such/file'");
  check_error(MappedFile::open(std::filesystem::temp_directory_path().string()), ErrorCode::io,
              "not a regular file");
  check_error(ZipWriter::to_file("no/such/folder/x.zip"), ErrorCode::io, "no/such/folder/x.zip");
  check_error(map_file(golden("stream.zip"), {.max_file_bytes = 10}), ErrorCode::limit_exceeded,
              "max_file_bytes is 10");
}

TEST_CASE("the checksum is that of ZIP for every length, address and continuation") {
  Buffer data(700);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 197 + i / 7);
  const auto slow = [](std::span<const std::byte> bytes) {
    std::uint32_t state = 0xffffffff;
    for (const auto byte : bytes) {
      state ^= static_cast<std::uint32_t>(byte);
      for (int bit = 0; bit < 8; ++bit) state = state >> 1 ^ (state & 1 ? 0xedb88320u : 0u);
    }
    return ~state;
  };
  CHECK(treadle::crc32(bytes_of("123456789")) == 0xcbf43926);
  for (std::size_t size = 0; size < 300; ++size) {
    const auto part = std::span<const std::byte>(data).subspan(size % 17, size);
    CAPTURE(size);
    CHECK(treadle::crc32(part) == slow(part));
    CHECK(treadle::crc32(part.subspan(size / 2), treadle::crc32(part.first(size / 2))) ==
          slow(part));
  }
}
