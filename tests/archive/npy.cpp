// NumPy's array files.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/npy.hpp>
#include <treadle/archive/npz.hpp>

#include "archive/bytes_of.hpp"

using namespace treadle;
using namespace test;

namespace {

/// A version 1 file with this dictionary and so many bytes of data.
Bytes npy_of(std::string_view header, std::size_t data) {
  std::string file = "\x93NUMPY\x01";
  file.push_back('\0');
  file.push_back(static_cast<char>(header.size() & 0xff));
  file.push_back(static_cast<char>(header.size() >> 8));
  file.append(header).append(data, '\1');
  return own(file);
}

template <class T>
std::vector<T> elements(const NpyArray& array) {
  std::vector<T> out(array.data.size() / sizeof(T));
  std::memcpy(out.data(), array.data.data(), array.data.size());
  return out;
}

struct Refusal {
  std::string_view header;
  std::size_t data;
  ErrorCode code;
  std::string_view words;
};

constexpr auto corrupt = ErrorCode::corrupt_file;
constexpr auto unsupported = ErrorCode::unsupported_file;
constexpr auto limit = ErrorCode::limit_exceeded;

const Refusal refusals[] = {
    {"{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8, unsupported,
     "big-endian arrays ('>f4')"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", 8, unsupported, "dtype '|O'"},
    {"{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }", 24, unsupported, "dtype '<U3'"},
    {"{'descr': '|V2', 'fortran_order': False, 'shape': (2,), }", 4, unsupported, "dtype '|V2'"},
    {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", 8, unsupported,
     "structured"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", 8, corrupt, "negative"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", 8, corrupt,
     "too large"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 8, limit,
     "too large"},
    {"{'descr': '<c16', 'fortran_order': False, 'shape': (1152921504606846976,), }", 8, limit,
     "max_tensor_elements"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 8, corrupt,
     "float32[3] takes 12 bytes, the .npy file has 8"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 8, corrupt, "takes 4 bytes"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2), }", 8, corrupt, "not a dictionary"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2,), }", 8, corrupt, "not a dictionary"},
    {"{'descr': '<f4', 'shape': (2,), }", 8, corrupt, "not a dictionary"},
    {"{'descr': '<f4', 'descr': '<f4', 'shape': (2,), }", 8, corrupt, "repeated key 'descr'"},
    {"{'x': 1}", 8, corrupt, "key 'x'"},
    {"{'descr': '<f4", 8, corrupt, "not a dictionary"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } x", 8, corrupt, "not a dictionary"},
    {"", 0, corrupt, "not a dictionary"},
};

}  // namespace

TEST_CASE("arrays that cannot be taken are refused with their reason") {
  for (const auto& c : refusals) {
    CAPTURE(c.header);
    check_error(read_npy(npy_of(c.header, c.data)), c.code, c.words);
  }
  check_error(read_npy(own("")), corrupt, "not a .npy file");
  check_error(read_npy(own("\x93NUMPY\x04\x01xxxx")), unsupported, "version 4");
  check_error(read_npy(own("\x93NUMPY\x01\x01\xff\xff{")), corrupt, "states 65535 bytes");
}

TEST_CASE("dimensions are limited") {
  std::string sizes;
  for (int i = 0; i < 65; ++i) sizes.append("1, ");
  check_error(read_npy(npy_of(
                  concat("{'descr': '|u1', 'fortran_order': False, 'shape': (", sizes, "), }"), 1)),
              limit, "max_rank, 64");
}

TEST_CASE("every dtype that NumPy has is written and read back") {
  const DType dtypes[] = {DType::bool_,     DType::uint8,     DType::int8,    DType::int16,
                          DType::int32,     DType::int64,     DType::uint16,  DType::uint32,
                          DType::uint64,    DType::float16,   DType::float32, DType::float64,
                          DType::complex64, DType::complex128};
  const Dims shapes[] = {{}, {3}, {2, 3}, {0, 4}, {1, 1, 2}};
  for (const auto dtype : dtypes)
    for (const auto& sizes : shapes) {
      CAPTURE(name(dtype));
      const auto count = static_cast<std::size_t>(element_count(sizes)) * size_of(dtype);
      const NpyArray array{dtype, sizes, own(std::string(count, '\1'))};
      auto file = write_npy(array);
      REQUIRE(file);
      const auto again = read_npy(Bytes::own(std::move(*file)));
      REQUIRE(again);
      CHECK(again->dtype == dtype);
      CHECK(again->sizes == sizes);
      CHECK(again->data.text() == array.data.text());
      CHECK(reinterpret_cast<std::uintptr_t>(again->data.data()) % byte_alignment == 0);
    }
}

TEST_CASE("arrays that NumPy cannot hold are not written") {
  check_error(write_npy({DType::bfloat16, {1}, own("xx")}), ErrorCode::invalid_argument,
              "no dtype bfloat16");
  check_error(write_npy({DType::float32, {2}, own("xxxx")}), ErrorCode::invalid_argument,
              "float32[2] does not have 4 bytes");
  check_error(write_npy({DType::float32, {-1}, own("")}), ErrorCode::invalid_argument, "[-1]");
}

TEST_CASE("every truncation and no flip of an array file does harm") {
  const auto good = write_npy({DType::int16, {2, 3}, own("abcdefghijkl")});
  REQUIRE(good);
  for (std::size_t size = 0; size < good->size(); ++size)
    CHECK_FALSE(read_npy(Bytes::borrow(std::span(*good).first(size))));
  for (std::size_t at = 0; at < good->size(); ++at)
    for (int flip = 1; flip < 256; ++flip) {
      auto bad = *good;
      bad[at] ^= static_cast<std::byte>(flip);
      const auto array = read_npy(Bytes::own(std::move(bad)));
      if (array) CHECK(array->data.size() == 12);
    }
}

TEST_CASE("an archive that NumPy wrote is read, column-major arrays in row-major order") {
  const auto arrays = read_npz(golden("arrays.npz"));
  REQUIRE(arrays);
  REQUIRE(arrays->size() == 7);
  const auto at = [&](std::size_t i) { return (*arrays)[i]; };
  CHECK(at(0).first == "rows");
  CHECK(elements<float>(at(0).second) == std::vector<float>{0, 1, 2, 3, 4, 5});
  CHECK(at(1).second.sizes == Dims{2, 3, 4});
  std::vector<std::int64_t> counted(24);
  for (std::size_t i = 0; i < 24; ++i) counted[i] = static_cast<std::int64_t>(i);
  CHECK(elements<std::int64_t>(at(1).second) == counted);
  CHECK(at(2).second.sizes.empty());
  CHECK(elements<double>(at(2).second) == std::vector<double>{2.5});
  CHECK(at(3).second.dtype == DType::bool_);
  CHECK(elements<float>(at(4).second) == std::vector<float>{1, 2});
  CHECK(at(5).second.dtype == DType::float16);
  CHECK(at(6).first == "brain");
  CHECK(at(6).second.dtype == DType::bfloat16);
  const auto plain = read_npz(golden("arrays.npz"), {}, BFloat16Names::plain);
  REQUIRE(plain);
  CHECK(plain->back().first == "brain__bfloat16");
  CHECK(plain->back().second.dtype == DType::uint16);
}

TEST_CASE("a big-endian array is named in the refusal of its archive") {
  check_error(read_npz(golden("big_endian.npz")), unsupported,
              "array 'x.npy': big-endian arrays ('>f4')");
}

TEST_CASE("archives of arrays are written and read back, bfloat16 too") {
  const auto path =
      (std::filesystem::temp_directory_path() / "treadle_archive_test_arrays.npz").string();
  const std::vector<NamedArray> arrays = {{"x", {DType::float32, {1}, own("abcd")}},
                                          {"y", {DType::bfloat16, {2}, own("efgh")}}};
  for (const bool deflate : {false, true}) {
    REQUIRE(write_npz(path, arrays, {.deflate = deflate}));
    const auto again = read_npz(path);
    REQUIRE(again);
    REQUIRE(again->size() == 2);
    CHECK((*again)[1].first == "y");
    CHECK((*again)[1].second.dtype == DType::bfloat16);
    CHECK((*again)[1].second.data.text() == "efgh");
  }
  std::filesystem::remove(path);
}

TEST_CASE("a record that is no array is refused") {
  check_error(read_npz(Bytes::own(zip_of({{"notes.txt", "x"}}))), unsupported, "'notes.txt'");
}
