// Tests of results, errors and the pieces that messages are made of.
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/core/concat.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/function_ref.hpp>
#include <treadle/core/ids.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/core/tree_spec.hpp>

using namespace treadle;

namespace {
Result<int> half_of(int n) {
  if (n % 2) return Error(ErrorCode::invalid_argument, concat(n, " is odd"));
  return n / 2;
}
Result<int> quarter_of(int n) {
  TREADLE_TRY(const int half, half_of(n));
  TREADLE_TRY(const int quarter, half_of(half));
  return quarter;
}
Status is_even(int n) {
  TREADLE_CHECK(half_of(n));
  return {};
}
}  // namespace

TEST_CASE("a result holds a value or an error, and the macros hand errors up") {
  CHECK(*quarter_of(12) == 3);
  const auto failed = quarter_of(6);
  REQUIRE(!failed);
  CHECK(failed.error().code() == ErrorCode::invalid_argument);
  CHECK(failed.error().message() == "3 is odd");
  CHECK(is_even(4));
  CHECK(is_even(5).error().message() == "5 is odd");
}

TEST_CASE("context goes in front of a message, and nowhere if all went well") {
  auto failed = half_of(3).with_context("inner").with_context("outer");
  CHECK(failed.error().message() == "outer: inner: 3 is odd");
  CHECK(*half_of(8).with_context("inner") == 4);
  CHECK(Status().with_context("inner"));
  CHECK(is_even(7).with_context("here").error().message() == "here: 7 is odd");
}

TEST_CASE("results move values that can't be copied") {
  const auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(5); };
  auto made = make();
  REQUIRE(made);
  const std::unique_ptr<int> taken = *std::move(made);
  CHECK(*taken == 5);
}

TEST_CASE("a clone of an error is an error of its own") {
  const Error error(ErrorCode::io, "disk");
  const Error other = error.clone().with_context("copy");
  CHECK(error.message() == "disk");
  CHECK(other.message() == "copy: disk");
  CHECK(other.code() == ErrorCode::io);
  CHECK(Error().empty());
}

TEST_CASE("every error code has a name of its own") {
  const ErrorCode codes[] = {ErrorCode::io,
                             ErrorCode::corrupt_file,
                             ErrorCode::unsupported_file,
                             ErrorCode::limit_exceeded,
                             ErrorCode::invalid_graph,
                             ErrorCode::unknown_operator,
                             ErrorCode::type_mismatch,
                             ErrorCode::missing_kernel,
                             ErrorCode::kernel_failed,
                             ErrorCode::invalid_argument,
                             ErrorCode::busy,
                             ErrorCode::cancelled,
                             ErrorCode::not_found,
                             ErrorCode::deadline_exceeded,
                             ErrorCode::out_of_memory};
  for (const auto a : codes)
    for (const auto b : codes) CHECK((name(a) == name(b)) == (a == b));
}

TEST_CASE("pieces of many kinds join") {
  CHECK(concat() == "");
  CHECK(concat("a", 'b', std::string("c"), std::string_view("d")) == "abcd");
  CHECK(concat(true, ' ', false) == "true false");
  CHECK(concat(-1, ' ', 2u, ' ', std::int8_t{-3}, ' ', std::uint64_t{18446744073709551615u}) ==
        "-1 2 -3 18446744073709551615");
  CHECK(concat(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(concat(0.1, ' ', 0.1f, ' ', 1e300, ' ', 2.0) == "0.1 0.1 1e+300 2");
  CHECK(concat(std::vector<int>{1, 2}, std::vector<std::string>{"x"}, std::vector<int>{}) ==
        "[1, 2][x][]");
}

TEST_CASE("ids are invalid until they get an index") {
  CHECK(!ValueId().valid());
  CHECK(ValueId(0).valid());
  CHECK(ValueId(3) == ValueId(3));
  CHECK(ValueId(1) < ValueId(2));
  CHECK(std::hash<NodeId>()(NodeId(9)) == 9);
}

TEST_CASE("an error is made from pieces") {
  const Error error = make_error(ErrorCode::corrupt_file, "found ", 3, ", expected ", Dims{1, 2});
  CHECK(error.code() == ErrorCode::corrupt_file);
  CHECK(error.message() == "found 3, expected [1, 2]");
}

TEST_CASE("a result owns its value through moves") {
  const auto counted = std::make_shared<int>(7);
  using Shared = Result<std::shared_ptr<int>>;
  {
    Shared a = counted;
    Shared b = std::move(a);
    CHECK(counted.use_count() == 2);
    b = Error(ErrorCode::busy, "taken");
    CHECK(counted.use_count() == 1);
    CHECK(b.error().message() == "taken");
    b = Shared(counted);
    REQUIRE(b);
    CHECK(counted.use_count() == 2);
    Shared& same = b;
    b = std::move(same);
    CHECK(b);
  }
  CHECK(counted.use_count() == 1);
}

TEST_CASE("a function reference calls what it refers to") {
  int calls = 0;
  const auto count = [&](int n) { return calls += n; };
  const auto twice = [](FunctionRef<int(int)> function) { return function(2) + function(3); };
  CHECK(twice(count) == 7);
  CHECK(calls == 5);
}

TEST_CASE("devices print and parse") {
  CHECK(to_string(Device{}) == "cpu");
  CHECK(to_string(Device{DeviceType::cuda, 1}) == "cuda:1");
  CHECK(parse_device_type("mps") == DeviceType::mps);
  CHECK(parse_device_type("abacus") == DeviceType::other);
  CHECK(name(Layout::sparse_csr) == "sparse_csr");
  CHECK(name(MemoryFormat::channels_last) == "channels_last");
}

TEST_CASE("leaves of a tree spec are counted through all levels") {
  TreeSpec spec;
  CHECK(leaf_count(spec) == 1);
  spec.kind = TreeKind::tuple;
  CHECK(leaf_count(spec) == 0);
  spec.children.resize(2);
  spec.children[1].kind = TreeKind::list;
  spec.children[1].children.resize(3);
  CHECK(leaf_count(spec) == 4);
}
