// Archives that must be refused.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/archive/zip_reader.hpp>

#include "archive/bytes_of.hpp"

using namespace treadle;
using namespace test;

namespace {

/// Opens an archive and reads all its records.
Status read_all(Buffer file, const LoadLimits& limits = {}) {
  TREADLE_TRY(const auto zip, ZipReader::open(Bytes::own(std::move(file)), limits));
  for (const auto& entry : zip.entries()) TREADLE_CHECK(zip.read(entry));
  return {};
}

struct Case {
  std::string_view what;
  void (*spoil)(Buffer&);
  ErrorCode code;
  std::string_view words;
};

/// A field of both headers of the first record.
template <class Unsigned>
void poke_both(Buffer& zip, std::size_t local_at, std::size_t central_at, Unsigned value) {
  poke(zip, local(zip) + local_at, value);
  poke(zip, central(zip) + central_at, value);
}

constexpr auto corrupt = ErrorCode::corrupt_file;
constexpr auto unsupported = ErrorCode::unsupported_file;

const Case narrow_cases[] = {
    {"data differs", [](Buffer& z) { z[find(z, "first")] = std::byte{'F'}; }, corrupt,
     "record 'a': wrong checksum"},
    {"checksum differs", [](Buffer& z) { poke(z, central(z) + 16, 1u); }, corrupt,
     "checksums differ"},
    {"encrypted", [](Buffer& z) { poke_both<std::uint16_t>(z, 6, 8, 1); }, unsupported,
     "record 'a': encrypted records are not read"},
    {"bzip2", [](Buffer& z) { poke_both<std::uint16_t>(z, 8, 10, 12); }, unsupported,
     "compression method 12 is not read"},
    {"methods differ", [](Buffer& z) { poke<std::uint16_t>(z, central(z) + 10, 8); }, corrupt,
     "another method"},
    {"size too large", [](Buffer& z) { poke(z, central(z) + 20, 100000u); }, corrupt,
     "run into the directory"},
    {"size all ones", [](Buffer& z) { poke(z, central(z) + 20, ~0u); }, corrupt,
     "run into the directory"},
    {"stored with two sizes", [](Buffer& z) { poke_both(z, 22, 24, 4u); }, corrupt,
     "stored, yet 4 bytes take 5"},
    {"local size differs", [](Buffer& z) { poke(z, local(z) + 22, 4u); }, corrupt,
     "states a size of 4"},
    {"local name differs", [](Buffer& z) { z[local(z) + 30] = std::byte{'x'}; }, corrupt,
     "another name"},
    {"zero in a name", [](Buffer& z) { z[central(z) + 46] = std::byte{0}; }, corrupt, "no name"},
    {"name runs out", [](Buffer& z) { poke<std::uint16_t>(z, central(z, 1) + 28, 999); }, corrupt,
     "runs past the directory"},
    {"header elsewhere", [](Buffer& z) { poke(z, central(z) + 42, 1u); }, corrupt,
     "no local header at offset 1"},
    {"header beyond", [](Buffer& z) { poke(z, central(z) + 42, 0xfffffff0u); }, corrupt,
     "no local header"},
    {"records overlap",
     [](Buffer& z) {
       poke<std::uint16_t>(z, local(z) + 28, 0);
       poke_both(z, 18, 20, 70u);
       poke_both(z, 22, 24, 70u);
     },
     corrupt, "records 'a' and 'b' overlap"},
    {"one record twice",
     [](Buffer& z) {
       z[central(z, 1) + 46] = std::byte{'a'};
       poke(z, central(z, 1) + 42, 0u);
       for (std::size_t i = 16; i < 28; ++i) z[central(z, 1) + i] = z[central(z) + i];
     },
     corrupt, "overlap"},
    {"a name twice",
     [](Buffer& z) {
       z[central(z, 1) + 46] = std::byte{'a'};
       z[local(z, 1) + 30] = std::byte{'a'};
     },
     corrupt, "two records named 'a'"},
    {"count too large",
     [](Buffer& z) {
       poke<std::uint16_t>(z, end_record(z) + 8, 60000);
       poke<std::uint16_t>(z, end_record(z) + 10, 60000);
     },
     corrupt, "too few for 60000 records"},
    {"count too small",
     [](Buffer& z) {
       poke<std::uint16_t>(z, end_record(z) + 8, 1);
       poke<std::uint16_t>(z, end_record(z) + 10, 1);
     },
     corrupt, "bytes behind its last record"},
    {"directory elsewhere", [](Buffer& z) { poke(z, end_record(z) + 16, 3u); }, corrupt,
     "but its end record is at offset"},
    {"directory beyond", [](Buffer& z) { poke(z, end_record(z) + 16, ~0u); }, corrupt,
     "but its end record"},
    {"several volumes", [](Buffer& z) { poke<std::uint16_t>(z, end_record(z) + 4, 1); },
     unsupported, "several volumes"},
    {"record elsewhere", [](Buffer& z) { poke<std::uint16_t>(z, central(z) + 34, 2); }, unsupported,
     "another volume"},
    {"bytes in front", [](Buffer& z) { z.insert(z.begin(), std::byte{0}); }, corrupt,
     "but its end record"},
    {"bytes behind", [](Buffer& z) { z.push_back(std::byte{0}); }, corrupt, "no end record"},
    {"nothing", [](Buffer& z) { z.clear(); }, corrupt, "no end record in 0 bytes"},
    {"no zip", [](Buffer& z) { z = bytes_of(std::string(1000, 'P')); }, corrupt, "not a ZIP"},
};

/// Offset of the values in a central header's ZIP64 field, for a name of one letter.
std::size_t wide_field(const Buffer& zip) { return central(zip) + 46 + 1 + 4; }
std::size_t end64(const Buffer& zip) { return find(zip, "PK\x06\x06"); }

const Case wide_cases[] = {
    {"size negative", [](Buffer& z) { poke(z, wide_field(z) + 8, ~std::uint64_t{0}); }, corrupt,
     "run into the directory"},
    {"size overflows", [](Buffer& z) { poke(z, wide_field(z) + 8, ~std::uint64_t{63}); }, corrupt,
     "run into the directory"},
    {"offset overflows", [](Buffer& z) { poke(z, wide_field(z) + 16, ~std::uint64_t{8}); }, corrupt,
     "no local header"},
    {"field too short", [](Buffer& z) { poke<std::uint16_t>(z, wide_field(z) - 2, 16); }, corrupt,
     "too short"},
    {"field runs out", [](Buffer& z) { poke<std::uint16_t>(z, wide_field(z) - 2, 999); }, corrupt,
     "runs past its end"},
    {"field missing", [](Buffer& z) { poke<std::uint16_t>(z, wide_field(z) - 4, 7); }, corrupt,
     "no local header"},
    {"locator to nowhere", [](Buffer& z) { poke(z, find(z, "PK\x06\x07") + 8, ~std::uint64_t{0}); },
     corrupt, "where no end record is"},
    {"end record too long", [](Buffer& z) { poke(z, end64(z) + 4, ~std::uint64_t{0}); }, corrupt,
     "wrong length"},
    {"count overflows",
     [](Buffer& z) {
       poke(z, end64(z) + 24, ~std::uint64_t{0});
       poke(z, end64(z) + 32, ~std::uint64_t{0});
     },
     corrupt, "too few for"},
    {"counts differ", [](Buffer& z) { poke(z, end64(z) + 24, std::uint64_t{1}); }, unsupported,
     "several volumes"},
    {"directory overflows", [](Buffer& z) { poke(z, end64(z) + 48, ~std::uint64_t{7}); }, corrupt,
     "but its end record"},
    {"ends contradict", [](Buffer& z) { poke(z, end_record(z) + 12, 5u); }, corrupt,
     "contradict each other"},
};

const Case deflated_cases[] = {
    {"stream broken", [](Buffer& z) { z[local(z) + 31] = std::byte{0xff}; }, corrupt,
     "its deflate stream is broken"},
    {"shorter than it says", [](Buffer& z) { poke_both(z, 22, 24, 2001u); }, corrupt,
     "does not give 2001 bytes"},
    {"longer than it says", [](Buffer& z) { poke_both(z, 22, 24, 1999u); }, corrupt,
     "does not give 1999 bytes"},
    {"says nothing", [](Buffer& z) { poke_both(z, 22, 24, 0u); }, corrupt, "does not give 0 bytes"},
    {"more than deflate can", [](Buffer& z) { poke_both(z, 22, 24, 0xf0000000u); }, corrupt,
     "deflated bytes cannot hold 4026531840"},
};

void check_case(const Case& c, Buffer zip) {
  CAPTURE(c.what);
  REQUIRE(read_all(zip));
  c.spoil(zip);
  check_error(read_all(std::move(zip)), c.code, c.words);
}

}  // namespace

TEST_CASE("a spoiled archive is refused with its reason") {
  for (const auto& c : narrow_cases) check_case(c, zip_of({{"a", "first"}, {"b", "second"}}));
}

TEST_CASE("a spoiled ZIP64 archive is refused with its reason") {
  for (const auto& c : wide_cases) check_case(c, zip_of({{"a", "first"}, {"b", "second"}}, true));
}

TEST_CASE("a spoiled deflated record is refused with its reason") {
  for (const auto& c : deflated_cases) check_case(c, zip_of({{"a", std::string(2000, 'q'), true}}));
}

TEST_CASE("a missing record is named") {
  const auto zip = ZipReader::open(Bytes::own(zip_of({{"a", "first"}})));
  REQUIRE(zip);
  check_error(zip->read("b"), corrupt, "the archive has no record 'b'");
}

TEST_CASE("bombs and crowds hit limits that are named") {
  struct {
    LoadLimits limits;
    std::string_view words;
  } const cases[] = {
      {{.max_deflate_ratio = 100, .free_inflated_bytes = 0}, "max_deflate_ratio is 100"},
      {{.max_inflated_bytes = 1500000}, "max_inflated_bytes, 1500000"},
      {{.max_records = 1}, "max_records is 1"},
      {{.max_file_bytes = 50}, "max_file_bytes is 50"},
  };
  const auto zip =
      zip_of({{"a", std::string(1000000, '\0'), true}, {"b", std::string(1000000, '\0'), true}});
  REQUIRE(read_all(zip));
  for (const auto& c : cases)
    check_error(read_all(zip, c.limits), ErrorCode::limit_exceeded, c.words);
}

TEST_CASE("a checksum is skipped only on request") {
  auto bytes = zip_of({{"a", "first"}});
  bytes[find(bytes, "first")] = std::byte{'F'};
  const auto zip = ZipReader::open(Bytes::own(std::move(bytes)));
  REQUIRE(zip);
  check_error(zip->read("a"), corrupt, "wrong checksum");
  CHECK(zip->read("a", CrcCheck::skip)->text() == "First");
}

TEST_CASE("every truncation of an archive is refused") {
  for (const bool zip64 : {false, true}) {
    const auto zip = zip_of({{"a", "first"}, {"b", std::string(300, 'b'), true}}, zip64);
    for (std::size_t size = 0; size < zip.size(); ++size) {
      CAPTURE(size);
      CHECK_FALSE(read_all(Buffer(zip.begin(), zip.begin() + static_cast<std::ptrdiff_t>(size))));
    }
  }
}

TEST_CASE("no flipped byte of an archive changes a record unnoticed") {
  const std::string text(300, 'b');
  for (const bool zip64 : {false, true}) {
    const auto good = zip_of({{"a", "first"}, {"b", text, true}}, zip64);
    for (std::size_t at = 0; at < good.size(); ++at)
      for (const int flip : {0x01, 0x08, 0x80, 0xff}) {
        CAPTURE(at);
        auto bad = good;
        bad[at] ^= static_cast<std::byte>(flip);
        const auto zip = ZipReader::open(Bytes::own(std::move(bad)));
        if (!zip) continue;
        CHECK(zip->entries().size() == 2);
        const auto a = zip->read("a");
        const auto b = zip->read("b");
        if (a) CHECK(a->text() == "first");
        if (b) CHECK(b->text() == text);
      }
  }
}
