// Pickles that are read and pickles that are refused.
#include <cstdint>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/archive/pickle.hpp>

#include "archive/bytes_of.hpp"
#include "archive/pickle_of.hpp"

using namespace treadle;
using namespace test;

namespace {

struct Refusal {
  std::string_view what;
  std::string bytes;
  ErrorCode code;
  std::string_view words;
};

constexpr auto corrupt = ErrorCode::corrupt_file;
constexpr auto unsupported = ErrorCode::unsupported_file;
constexpr auto limit = ErrorCode::limit_exceeded;

std::string repeat(std::string_view piece, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out.append(piece);
  return out;
}

void check_refusals(std::initializer_list<Refusal> cases) {
  for (const auto& c : cases) {
    CAPTURE(c.what);
    check_error(read_pickle(own(c.bytes)), c.code, c.words);
  }
}

}  // namespace

TEST_CASE("code is refused by name and never run") {
  check_refusals({
      {"call", pickle(global("os", "system") + "(" + text("ls") + "tR"), unsupported,
       "asks for 'os.system'"},
      {"name alone", pickle(global("builtins", "eval")), unsupported, "'builtins.eval'"},
      {"stack global", "\x80\x04\x8c\x05posix\x8c\x06system\x93."s, unsupported, "'posix.system'"},
      {"instance", pickle("(" + text("x") + "ios\nsystem\n"), unsupported, "'os.system'"},
      {"new object", pickle("))\x81"), unsupported, "instances of classes"},
      {"object", pickle("()o"), unsupported, "instances of classes"},
      {"extension", pickle("\x82\x01"), unsupported, "opcode 130"},
      {"text persistent id", pickle("Px\n"), unsupported, "opcode 80"},
      {"set", pickle("\x8f"), unsupported, "opcode 143"},
      {"out-of-band buffer", pickle("\x97"), unsupported, "opcode 151"},
      {"state of a list", pickle("]}b"), corrupt, "found a list where a dict is filled"},
      {"state that is no dict", pickle("})b"), unsupported, "state of an object"},
      {"quantized", pickle(global("torch._utils", "_rebuild_qtensor")), unsupported,
       "'torch._utils._rebuild_qtensor' (a quantized tensor)"},
      {"quantized storage", pickle(global("torch", "QUInt8Storage")), unsupported, "(a quantized"},
      {"sparse", pickle(global("torch._utils", "_rebuild_sparse_tensor")), unsupported,
       "(a sparse tensor)"},
      {"NumPy", pickle(global("torch._utils", "_rebuild_device_tensor_from_numpy")), unsupported,
       "_rebuild_device_tensor_from_numpy"},
      {"control characters", pickle(global("a\x1b[2J", "b")), unsupported, "'a?[2J.b'"},
      {"very long name", pickle(global(std::string(100000, 'a'), "b")), unsupported, "aaa..."},
      {"name without text", "\x80\x04))\x93."s, unsupported, "asks for '.'"},
      {"a string is called", pickle(text("x") + ")R"), corrupt, "a string is called with a tuple"},
      {"called with a string", pickle(global("torch", "Size") + text("x") + "R"), corrupt,
       "is called with a string"},
      {"storage as value",
       pickle(tuple({text("storage"), global("torch", "FloatStorage"), text("0"), text("cpu"),
                     integer(1)}) +
              "Q"),
       unsupported, "bare storage"},
      {"constructor as value", pickle("(" + global("torch", "Size") + "t"), unsupported,
       "bare constructor"},
  });
}

TEST_CASE("broken pickles are refused with the byte and the reason") {
  check_refusals({
      {"nothing", "", corrupt, "pickle, byte 0: truncated"},
      {"no stop", "\x80\x02N"s, corrupt, "truncated"},
      {"protocol 0", "\x80\x01N."s, unsupported, "protocol 1 is not read"},
      {"protocol 6", "\x80\x06N."s, unsupported, "protocol 6 is not read"},
      {"stop at once", pickle(""), corrupt, "0 values"},
      {"two values", pickle("NN"), corrupt, "2 values"},
      {"open mark", pickle("(N"), corrupt, "1 marks"},
      {"empty stack", pickle("R"), corrupt, "too few values"},
      {"pop of nothing", pickle("0"), corrupt, "too few values"},
      {"pop below a mark", pickle("N(\x85t"), corrupt, "too few values"},
      {"no mark", pickle("Nt"), corrupt, "no mark"},
      {"memo", pickle("h\x07"), corrupt, "the memo has no value 7"},
      {"memo of nothing", pickle("q\x07"), corrupt, "too few values"},
      {"append to a number", pickle("K\x01Na"), corrupt, "found a int where a list is filled"},
      {"key without value", pickle("}(Nu"), corrupt, "key without a value"},
      {"text runs out",
       pickle("X\xff\xff\xff\xff"
              "abc"),
       corrupt, "4294967295 bytes wanted"},
      {"text overflows",
       "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff"
       "abc."s,
       corrupt, "18446744073709551615 bytes wanted"},
      {"frame runs out", "\x80\x04\x95\xff\0\0\0\0\0\0\0N."s, corrupt, "frame"},
      {"long integer",
       pickle("\x8a\x09"
              "123456789"),
       unsupported, "integer of 9 bytes"},
      {"huge integer", pickle("\x8b\xff\xff\xff\x7f"), unsupported, "integer of 2147483647 bytes"},
      {"name without end", pickle("cos"), corrupt, "a line has no end"},
      {"self",
       pickle("]q\x01h\x01"
              "a"),
       corrupt, "a list that contains itself"},
      {"self by a dict", pickle("}q\x01Nh\x01\x85s"), corrupt, "contains itself"},
  });
}

TEST_CASE("constructors with arguments that PyTorch does not write are refused") {
  check_refusals({
      {"odd id", pickle(text("x") + "Q"), corrupt, "a persistent id is not"},
      {"negative storage", pickle(tensor({.count = -1})), corrupt, "negative size"},
      {"long key",
       pickle(tuple({text("storage"), global("torch", "FloatStorage"),
                     "X\x2c\x01\0\0"s + std::string(300, 'k'), text("cpu"), integer(1)}) +
              "Q"),
       corrupt, "above 256 bytes"},
      {"device", pickle(global("torch", "device") + tuple({text("cuda:x")}) + "R"), corrupt,
       "torch.device has other arguments"},
      {"device index",
       pickle(global("torch", "device") + tuple({text("cuda"), integer(1 << 20)}) + "R"), corrupt,
       "torch.device has other arguments"},
      {"layout", pickle(global("torch.serialization", "_get_layout") + tuple({text("x")}) + "R"),
       unsupported, "layout 'x'"},
      {"size of text", pickle(global("torch", "Size") + tuple({tuple({text("x")})}) + "R"), corrupt,
       "torch.Size"},
      {"dict of numbers",
       pickle(global("collections", "OrderedDict") + "]K\x01"
                                                     "a\x85R"),
       corrupt, "collections.OrderedDict"},
  });
}

TEST_CASE("deep, wide and doubling pickles hit limits") {
  check_refusals({
      {"deep tuples", pickle("N" + repeat("\x85", 1000)), limit, "max_depth, 256"},
      {"very deep tuples", pickle("N" + repeat("\x85", 1000000)), limit, "max_depth, 256"},
      {"very deep lists", pickle(repeat("]", 500000) + repeat("a", 499999)), limit, "max_depth"},
      {"doubling", pickle("N" + repeat("2\x86", 200)), limit, "max_pickle_values"},
      {"many", pickle("(" + repeat("N", 2000000) + "t"), limit, "max_pickle_values"},
      {"marks", pickle(repeat("(", 10000000)), limit, "max_pickle_values"},
      {"memo", "\x80\x04N"s + repeat("\x94", 10000000), limit, "max_pickle_values"},
      {"copies",
       pickle(global("collections", "OrderedDict") + "q\x01](" + repeat("NN\x86", 100000) +
              "e\x85q\x02" + repeat("h\x01h\x02R", 1000)),
       limit, "max_pickle_values"},
  });
  check_error(read_pickle(own(pickle("(NNNt")), {.max_pickle_values = 3}), limit,
              "max_pickle_values, 3");
}

TEST_CASE("tensors that do not fit their storage are refused") {
  constexpr auto huge = std::int64_t{1} << 62;
  check_refusals({
      {"too large", pickle(tensor({.sizes = {2, 4}})), corrupt, "does not fit its storage '0'"},
      {"offset", pickle(tensor({.offset = 1})), corrupt, "offset 1 does not fit"},
      {"negative offset", pickle(tensor({.offset = -1})), corrupt, "does not fit"},
      {"negative size", pickle(tensor({.sizes = {-2, 3}})), corrupt, "does not fit"},
      {"negative stride", pickle(tensor({.strides = {-3, 1}})), corrupt, "does not fit"},
      {"size overflows", pickle(tensor({.sizes = {huge, huge}})), corrupt, "does not fit"},
      {"stride overflows", pickle(tensor({.strides = {huge, huge}})), corrupt, "does not fit"},
      {"count overflows", pickle(tensor({.count = huge})), corrupt, "storage '0' is too large"},
      {"expanded", pickle(tensor({.sizes = {huge}, .strides = {0}})), limit, "max_tensor_elements"},
      {"ranks differ", pickle(tensor({.sizes = {6}})), corrupt, "other arguments"},
      {"no dtype", pickle(tensor({.storage_class = "UntypedStorage"})), corrupt, "no dtype"},
      {"two dtypes",
       pickle(tensor({.metadata = global("torch", "float32"), .function = "_rebuild_tensor_v3"})),
       corrupt, "its storage has one too"},
      {"conjugate", pickle(tensor({.metadata = "}" + text("conj") + "\x88s"})), unsupported,
       "conjugate"},
      {"parameter of nothing", pickle(global("torch._utils", "_rebuild_parameter") + "N\x89N\x87R"),
       corrupt, "_rebuild_parameter has other arguments"},
  });
}

TEST_CASE("a hand-written tensor is read with its metadata") {
  const auto value = read_pickle(own(pickle(tensor({.sizes = {2, 2},
                                                    .strides = {1, 3},
                                                    .offset = 1,
                                                    .storage_class = "HalfStorage",
                                                    .key = "k"}))));
  REQUIRE(value);
  const PickledTensor* t = value->as_tensor();
  REQUIRE(t != nullptr);
  CHECK(t->meta.dtype == DType::float16);
  CHECK(t->meta.sizes == Dims{2, 2});
  CHECK(t->meta.strides == Dims{1, 3});
  CHECK(t->meta.storage_offset == 1);
  CHECK(t->storage_key == "k");
  CHECK(t->storage_size == 12);
  CHECK_FALSE(t->requires_grad);
  CHECK_FALSE(t->is_parameter);
}

TEST_CASE("numbers keep their value") {
  const struct {
    std::string bytes;
    std::int64_t value;
  } cases[] = {{"K\xff", 255},
               {"M\xff\xff", 65535},
               {"J\xff\xff\xff\xff", -1},
               {"\x8a\x01\xff", -1},
               {"\x8a\x02\xff"s + '\0', 255},
               {"\x8a"s + '\0', 0},
               {integer(INT64_MIN), INT64_MIN},
               {integer(INT64_MAX), INT64_MAX}};
  for (const auto& c : cases) {
    const auto value = read_pickle(own(pickle(c.bytes)));
    REQUIRE(value);
    CHECK(value->as_int() == c.value);
    CHECK_FALSE(value->as_bool());
  }
  CHECK(read_pickle(own(pickle("G\x3f\xf8\0\0\0\0\0\0"s)))->as_double() == 1.5);
}

TEST_CASE("shared values are read, as one") {
  const auto pair = read_pickle(own(pickle("]q\x01h\x01\x86")));
  REQUIRE(pair);
  CHECK(pair->size() == 2);
  CHECK(pair->item(0).kind() == PickleKind::list);
  CHECK(pair->item(1).kind() == PickleKind::list);
}

TEST_CASE("the last of equal keys counts") {
  const auto dict = read_pickle(own(pickle("}" + text("a") + "K\x01s" + text("a") + "K\x02s")));
  REQUIRE(dict);
  CHECK(dict->size() == 2);
  CHECK(dict->find("a")->as_int() == 2);
  CHECK_FALSE(dict->find("b"));
  CHECK_FALSE(PickleValue().find("a"));
}

TEST_CASE("every truncation of a pickle is refused and no flip does harm") {
  const std::string good =
      pickle("}(" + text("a") + tensor() + text("b") + "](K\x01NGabcdefgh\x88" +
             tuple({text("x"), integer(3)}) + "eq\x05" + text("c") + "h\x05u");
  REQUIRE(read_pickle(own(good)));
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_FALSE(read_pickle(own(good.substr(0, size))));
  int read = 0;
  for (std::size_t at = 0; at < good.size(); ++at)
    for (int flip = 1; flip < 256; ++flip) {
      auto bad = good;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      const auto value = read_pickle(own(bad));
      if (!value) continue;
      ++read;
      for (std::size_t i = 0; i < value->size(); ++i)
        if (const auto* t = value->item(i).as_tensor())
          CHECK(*storage_bytes(t->meta) <= t->storage_size);
    }
  CHECK(read > 0);
}

TEST_CASE("instances of unknown classes are kept as data where the caller asks for it") {
  const auto read = [](const std::string& bytes) {
    return read_pickle(own(bytes), {}, PickleObjects::keep);
  };
  const std::string pair = global("mine", "Pair") + tuple({integer(3), text("x")}) + "\x81";
  const auto named = read(pickle(pair));
  REQUIRE(named);
  CHECK(named->kind() == PickleKind::object);
  REQUIRE(named->size() == 2);
  CHECK(named->item(0).as_int() == 3);
  CHECK(named->item(1).as_string() == "x");
  const auto fields = "(" + text("a") + integer(5) + text("none") + "N" + text("b") + integer(6);
  const auto data = read(pickle(global("mine", "Data") + ")\x81}" + fields + "ub"));
  REQUIRE(data);
  REQUIRE(data->size() == 2);
  CHECK(data->item(1).as_int() == 6);
  const auto deque = read(pickle(global("collections", "deque") + ")R(" + integer(1) + "e"));
  REQUIRE(deque);
  CHECK(deque->kind() == PickleKind::list);
  const std::string list = global("builtins", "list");
  const auto filled = "(" + text("k") + integer(1) + "u";
  CHECK(read(pickle(global("collections", "defaultdict") + "(" + list + "tR" + filled)));
  check_error(read(pickle(global("torch._utils", "_rebuild_qtensor"))), unsupported, "quantized");
  check_error(read(pickle(list)), unsupported, "bare constructor");
  check_error(read(pickle(global("mine", "Pair") + "NR")), corrupt, "called with a None");
  check_error(read(pickle(pair + integer(1) + "b")), unsupported, "state of an object");
  check_error(read_pickle(own(pickle(pair))), unsupported, "'mine.Pair'");
}

TEST_CASE("a tensor with attributes of its own is read without them") {
  const std::string function = global("torch._utils", "_rebuild_tensor_v2");
  std::string plain = tensor();
  const auto arguments = plain.substr(function.size(), plain.size() - function.size() - 1);
  const auto typed = [&](const std::string& called, const std::string& type) {
    return pickle(global("torch._tensor", "_rebuild_from_type_v2") +
                  tuple({called, type, arguments, "}"}) + "R");
  };
  const auto value = read_pickle(own(typed(function, global("torch", "Tensor"))));
  if (!value) FAIL(value.error().message());
  REQUIRE(value->as_tensor());
  CHECK(value->as_tensor()->meta.sizes == Dims{2, 3});
  const std::string itself = global("torch._tensor", "_rebuild_from_type_v2");
  check_error(read_pickle(own(typed(itself, global("torch", "Tensor")))), corrupt, "arguments");
  check_error(read_pickle(own(typed(function, function))), corrupt, "arguments");
  check_error(read_pickle(own(pickle(global("torch", "Tensor") + ")R"))), unsupported, "class");
}
