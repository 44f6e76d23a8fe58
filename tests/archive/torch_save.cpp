// What torch.save writes.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/archive/mapped_file.hpp>
#include <treadle/archive/torch_save.hpp>
#include <treadle/archive/zip_reader.hpp>

#include "archive/bytes_of.hpp"
#include "archive/pickle_of.hpp"

using namespace treadle;
using namespace test;

namespace {

PickleValue read_golden(std::string_view file) {
  auto bytes = map_file(golden(file));
  REQUIRE(bytes);
  auto value = read_torch_save(std::move(*bytes));
  REQUIRE(value);
  return std::move(*value);
}

const PickledTensor& tensor_of(const PickleValue& dict, std::string_view key) {
  CAPTURE(key);
  const auto value = dict.find(key);
  REQUIRE(value);
  REQUIRE(value->as_tensor() != nullptr);
  return *value->as_tensor();
}

constexpr auto corrupt = ErrorCode::corrupt_file;
constexpr auto unsupported = ErrorCode::unsupported_file;

}  // namespace

TEST_CASE("views of one storage share its bytes and keep offsets and strides") {
  const auto dict = read_golden("tensors.pt");
  const auto& base = tensor_of(dict, "base");
  REQUIRE(base.storage.size() == 48);
  float element = 0;
  std::memcpy(&element, base.storage.data() + 4 * 7, 4);
  CHECK(element == 7.0f);
  const struct {
    std::string_view key;
    Dims sizes;
    Dims strides;
    std::int64_t offset;
  } cases[] = {{"base", {3, 4}, {4, 1}, 0},
               {"transposed", {4, 3}, {1, 4}, 0},
               {"window", {2, 2}, {4, 1}, 6},
               {"parameter", {3, 4}, {4, 1}, 0},
               {"expanded", {5, 4}, {0, 1}, 0}};
  for (const auto& c : cases) {
    const auto& t = tensor_of(dict, c.key);
    CHECK(t.meta.sizes == c.sizes);
    CHECK(t.meta.strides == c.strides);
    CHECK(t.meta.storage_offset == c.offset);
    CHECK(t.storage.data() == base.storage.data());
    CHECK(t.is_parameter == (c.key == "parameter"));
    CHECK(t.requires_grad == (c.key == "parameter"));
  }
  CHECK(tensor_of(dict, "empty").storage.empty());
  CHECK(tensor_of(dict, "empty").meta.sizes == Dims{0, 3});
  CHECK(tensor_of(dict, "scalar").meta.sizes.empty());
}

TEST_CASE("every dtype that PyTorch saves is read under its name") {
  const auto dict = read_golden("tensors.pt");
  const auto dtypes = dict.find("dtypes");
  REQUIRE(dtypes);
  CHECK(dtypes->size() == 16);
  for (std::size_t i = 0; i < dtypes->size(); ++i) {
    const auto key = dtypes->key(i).as_string();
    REQUIRE(key);
    CAPTURE(*key);
    const auto* t = dtypes->item(i).as_tensor();
    REQUIRE(t != nullptr);
    CHECK(name(t->meta.dtype) == *key);
    CHECK(t->storage.size() == 2 * size_of(t->meta.dtype));
    CHECK(reinterpret_cast<std::uintptr_t>(t->storage.data()) % byte_alignment == 0);
  }
}

TEST_CASE("plain values beside tensors are read") {
  const auto plain = *read_golden("tensors.pt").find("plain");
  REQUIRE(plain.kind() == PickleKind::tuple);
  REQUIRE(plain.size() == 11);
  CHECK(plain.item(0).as_int() == 1);
  CHECK(plain.item(1).as_int() == -2);
  CHECK(plain.item(2).as_int() == std::int64_t{1} << 40);
  CHECK(plain.item(3).as_double() == 1.5);
  CHECK(plain.item(4).as_bool() == true);
  CHECK(plain.item(5).is_none());
  CHECK(plain.item(6).as_string() == "h\xc3\xa9");
  CHECK(plain.item(7).as_dtype() == DType::float16);
  CHECK(plain.item(8).as_device() == Device{DeviceType::cuda, 1});
  CHECK(plain.item(9).as_layout() == Layout::strided);
  CHECK(plain.item(10).kind() == PickleKind::size);
  CHECK(plain.item(10).item(1).as_int() == 3);
}

TEST_CASE("protocol 4 is read too") {
  const auto dict = read_golden("protocol4.pt");
  CHECK(tensor_of(dict, "x").meta.sizes == Dims{2});
  CHECK(dict.find("y")->item(0).as_tensor() != nullptr);
}

TEST_CASE("a save inside a mapped archive is used where it lies") {
  auto inner = map_file(golden("tensors.pt"));
  REQUIRE(inner);
  const auto outer = aligned(Bytes::own(zip_of({{"r/weights.pt", std::string(inner->text())}})));
  REQUIRE(outer);
  const auto zip = ZipReader::open(*outer);
  REQUIRE(zip);
  const auto record = zip->read("r/weights.pt");
  REQUIRE(record);
  const auto saved = read_torch_save(*record);
  REQUIRE(saved);
  const auto& storage = tensor_of(*saved, "base").storage;
  CHECK(storage.data() > outer->data());
  CHECK(storage.data() + storage.size() < outer->data() + outer->size());
}

TEST_CASE("kinds of tensors and objects that are not read are named") {
  check_error(read_torch_save(*map_file(golden("sparse.pt"))), unsupported,
              "_rebuild_sparse_tensor' (a sparse tensor)");
  check_error(read_torch_save(*map_file(golden("module.pt"))), unsupported,
              "'torch.nn.modules.linear.Linear'");
  check_error(read_torch_save(*map_file(golden("stream.zip"))), corrupt, "no record 'data.pkl'");
}

TEST_CASE("spoiled saves are refused with their reason") {
  const Record data{"a/data.pkl", pickle(tensor())};
  const Record storage{"a/data/0", std::string(24, '\0')};
  const struct {
    std::string_view what;
    std::vector<Record> records;
    ErrorCode code;
    std::string_view words;
  } cases[] = {
      {"big-endian", {data, storage, {"a/byteorder", "big"}}, unsupported, "big-endian"},
      {"odd order", {data, storage, {"a/byteorder", "mixed"}}, corrupt, "byte order 'mixed'"},
      {"long order", {data, storage, {"a/byteorder", std::string(99, ' ')}}, corrupt, "99 bytes"},
      {"no pickle", {storage}, corrupt, "no record 'a/data.pkl'"},
      {"no storage", {data}, corrupt, "no record 'a/data/0'"},
      {"short storage",
       {data, {"a/data/0", "xyz"}},
       corrupt,
       "storage '0' has 3 bytes, the pickle says 24"},
      {"empty storage", {data, {"a/data/0", ""}}, corrupt, "storage '0' has 0 bytes"},
      {"bad pickle", {{"a/data.pkl", "x"}}, unsupported, "opcode 120"},
  };
  REQUIRE(read_torch_save(Bytes::own(zip_of({data, storage, {"a/byteorder", "little"}}))));
  for (const auto& c : cases) {
    CAPTURE(c.what);
    check_error(read_torch_save(Bytes::own(zip_of(c.records))), c.code, c.words);
  }
}

TEST_CASE("the checksum of weights is verified unless limits say no") {
  auto bytes = zip_of({{"a/data.pkl", pickle(tensor())}, {"a/data/0", "abcdefghijklmnopqrstuvwx"}});
  bytes[find(bytes, "abcdefgh")] = std::byte{'A'};
  check_error(read_torch_save(Bytes::own(bytes)), corrupt, "record 'a/data/0': wrong checksum");
  CHECK(read_torch_save(Bytes::own(bytes), {.verify_weights_crc = false}));
}
