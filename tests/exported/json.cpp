// The JSON reader: what it takes, what it refuses, and the document it makes.
#include <cstdint>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/exported/json.hpp>

namespace {

using treadle::ErrorCode;
using treadle::LoadLimits;
using treadle::detail::JsonDocument;
using treadle::detail::JsonKind;

TEST_CASE("well-formed JSON is read") {
  for (const std::string_view text :
       {"1", "-5", "1.5e3", "true", "null", "\"x\\u00e9\\n\"", "[]", "{}", "[[],{}]",
        "[1, 2.5, \"a\", false, null]", "{\"a\":{\"b\":[1,{\"c\":\"d\"}]},\"e\":[]}",
        "  [ 1 , 2 ]  ", "18446744073709551615"}) {
    CAPTURE(text);
    CHECK(JsonDocument::parse(text, LoadLimits{}));
  }
}

TEST_CASE("broken JSON is refused with its position") {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  for (const auto& [text, message] : {
           Case{"", "at byte 1,"},
           Case{"tru", "at byte 4,"},
           Case{"[1,]", "at byte 4,"},
           Case{"[,]", "at byte 2,"},
           Case{"[1 2]", "at byte 4,"},
           Case{"[1", "at byte 3,"},
           Case{"[1] 2", "at byte 5,"},
           Case{"[}", "at byte 2,"},
           Case{"{]", "at byte 2,"},
           Case{"]", "at byte 1,"},
           Case{"[[],[]]]", "at byte 8,"},
           Case{"{\"a\":1,}", "at byte 8,"},
           Case{"{\"a\" 1}", "at byte 6,"},
           Case{"{1:2}", "at byte 2,"},
           Case{"{\"a\":", "at byte 6,"},
           Case{"1e999", "near '1e999'"},
           Case{"\"\xff\"", "at byte 2,"},
           Case{"/*x*/1", "at byte 1,"},
       }) {
    CAPTURE(text);
    const auto document = JsonDocument::parse(text, LoadLimits{});
    REQUIRE_FALSE(document);
    CHECK(document.error().code() == ErrorCode::corrupt_file);
    CHECK(document.error().message().find(message) != std::string::npos);
  }
}

TEST_CASE("depth is limited") {
  LoadLimits limits;
  limits.max_depth = 3;
  CHECK(JsonDocument::parse("[[[]]]", limits));
  const auto deep = JsonDocument::parse("[[[[]]]]", limits);
  REQUIRE_FALSE(deep);
  CHECK(deep.error().code() == ErrorCode::limit_exceeded);
}

TEST_CASE("values keep their kinds, order and keys") {
  const auto document = JsonDocument::parse(
      R"({"n":[9223372036854775807,9223372036854775808,-1],"t":"\u00e9","r":0.5})", LoadLimits{});
  REQUIRE(document);
  const auto root = document->root();
  CHECK(root.size() == 3);
  const auto numbers = root.find("n");
  CHECK(numbers.size() == 3);
  auto at = numbers.begin();
  CHECK((*at).integer() == INT64_MAX);
  CHECK((*++at).kind() == JsonKind::large);
  CHECK((*++at).integer() == -1);
  CHECK(root.find("t").text() == "\xc3\xa9");
  CHECK(root.find("r").real() == 0.5);
  CHECK_FALSE(root.find("absent"));
}

}  // namespace
