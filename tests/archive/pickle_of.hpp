// Writes pickles by hand, good ones and hostile ones.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace test {

using namespace std::string_literals;

/// A pickle of protocol 2 that leaves what `body` leaves.
inline std::string pickle(std::string_view body) { return "\x80\x02"s.append(body).append("."); }

inline std::string integer(std::int64_t value) {
  std::string out = "\x8a\x08";
  for (int i = 0; i < 8; ++i)
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
  return out;
}

/// Text of at most 255 bytes.
inline std::string text(std::string_view value) {
  return "X"s.append(1, static_cast<char>(value.size())).append(3, '\0').append(value);
}

inline std::string tuple(std::initializer_list<std::string> items) {
  std::string out = "(";
  for (const auto& item : items) out.append(item);
  return out.append("t");
}

inline std::string integers(std::initializer_list<std::int64_t> values) {
  std::string out = "(";
  for (const auto value : values) out.append(integer(value));
  return out.append("t");
}

inline std::string global(std::string_view module, std::string_view name) {
  return "c"s.append(module).append("\n").append(name).append("\n");
}

/// What a hand-written tensor says; the defaults make a good one.
struct TensorText {
  std::initializer_list<std::int64_t> sizes = {2, 3};
  std::initializer_list<std::int64_t> strides = {3, 1};
  std::int64_t offset = 0;
  std::int64_t count = 6;
  std::string storage_class = "FloatStorage";
  std::string key = "0";
  std::string metadata = "";
  std::string function = "_rebuild_tensor_v2";
};

inline std::string tensor(const TensorText& t = {}) {
  const auto id = tuple({text("storage"), global("torch", t.storage_class), text(t.key),
                         text("cpu"), integer(t.count)});
  return global("torch._utils", t.function) +
         tuple({id + "Q", integer(t.offset), integers(t.sizes), integers(t.strides), "\x89",
                global("collections", "OrderedDict") + ")R", t.metadata}) +
         "R";
}

}  // namespace test
