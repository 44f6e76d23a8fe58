// Shape rules that many operators share.
#include <doctest/doctest.h>

#include <treadle/ops/rules.hpp>
#include <treadle/symbolic/parse.hpp>

namespace {

using namespace treadle;  // NOLINT: tests

SymInt s(const char* name) { return SymInt(make_symbol(name)); }

TensorType typed(SymDims sizes, SymDims strides) {
  TensorType type = make_type(DType::float32, std::move(sizes));
  type.strides = std::move(strides);
  return type;
}

}  // namespace

TEST_CASE("a view of known sizes has the strides that PyTorch computes") {
  struct Case {
    SymDims sizes, strides, wanted;
    std::optional<SymDims> expected;
  };
  const Case cases[] = {
      {{2, 3, 4}, {12, 4, 1}, {6, 4}, SymDims{4, 1}},
      {{2, 3, 4}, {12, 1, 3}, {2, 12}, std::nullopt},
      {{2, 3, 4}, {12, 1, 3}, {2, 1, 3, 4}, SymDims{12, 3, 1, 3}},
      {{4, 3, 2}, {1, 4, 12}, {4, 6}, std::nullopt},
      {{0, 3}, {3, 1}, {3, 0}, SymDims{1, 1}},
      {{}, {}, {1, 1}, SymDims{1, 1}},
  };
  for (const auto& c : cases) {
    CAPTURE(to_string(c.wanted));
    const auto found = rules::view_strides(c.sizes, c.strides, c.wanted);
    CHECK(found.has_value() == c.expected.has_value());
    if (found && c.expected) CHECK(to_string(*found) == to_string(*c.expected));
  }
}

TEST_CASE("a contiguous tensor of symbolic sizes can always be viewed") {
  const SymDims sizes = {s("s0"), 3, 4};
  const auto found = rules::view_strides(sizes, contiguous_strides(sizes), {s("s0"), 12});
  REQUIRE(found);
  CHECK(to_string(*found) == "[12, 1]");
}

TEST_CASE("a transposed tensor of symbolic sizes is not merged") {
  const SymDims sizes = {3, s("s0")};
  CHECK_FALSE(rules::view_strides(sizes, {1, 3}, {s("s0") * SymInt(3)}).has_value());
}

TEST_CASE("elementwise results keep the order of dense inputs") {
  const auto channels_last = typed({2, 3, 4, 5}, {60, 1, 15, 3});
  CHECK(to_string(rules::like(channels_last, DType::float32).strides) == "[60, 1, 15, 3]");
  const auto gaps = typed({3, 4}, {1, 6});
  CHECK(to_string(rules::like(gaps, DType::float32).strides) == "[1, 3]");
  const auto expanded = typed({3, 4}, {1, 0});
  CHECK(to_string(rules::like(expanded, DType::float32).strides) == "[4, 1]");
}

TEST_CASE("memory formats have their strides, symbolic sizes too") {
  const SymDims sizes = {s("s0"), 3, 4, 5};
  CHECK(to_string(rules::format_strides(sizes, MemoryFormat::channels_last)) == "[60, 1, 15, 3]");
  CHECK(to_string(rules::format_strides(sizes, MemoryFormat::contiguous)) == "[60, 20, 5, 1]");
}

TEST_CASE("slice positions are put into the dimension") {
  CHECK(rules::clamp_position(-2, 5).is(3));
  CHECK(rules::clamp_position(-9, 5).is(0));
  CHECK(rules::clamp_position(9, 5).is(5));
  CHECK(rules::clamp_position(INT64_MAX, s("s0")) == s("s0"));
}
