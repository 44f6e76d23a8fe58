// Sizes bind symbols, guards name their sources, and ranges decide conditions.
#include <cstdint>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/symbolic/bind.hpp>
#include <treadle/symbolic/bounds.hpp>
#include <treadle/symbolic/guard.hpp>
#include <treadle/symbolic/parse.hpp>

namespace {
using namespace treadle;

SymInt size(std::string_view text) { return SymInt(*parse_expr(text)); }

TEST_CASE("sizes bind the symbol they are linear in") {
  const struct {
    std::string_view pattern;
    std::int64_t actual, expected;
  } cases[] = {
      {"a", 5, 5}, {"2*a", 6, 3}, {"a + 1", 5, 4}, {"3*a - 2 + b*a", 43, 5}, {"b - a", 1, 5}};
  for (const auto& [pattern, actual, expected] : cases) {
    CAPTURE(pattern);
    Bindings bindings;
    bindings.set("b", 6);
    const auto bound = bind(size(pattern), actual, bindings);
    REQUIRE(bound);
    CHECK(*bound);
    REQUIRE(bindings.find("a"));
    CHECK(*bindings.find("a") == expected);
  }
}

TEST_CASE("sizes that cannot bind yet say so and change nothing") {
  for (const std::string_view pattern : {"a + b", "a // 2", "a * a", "a * b"}) {
    CAPTURE(pattern);
    Bindings bindings;
    const auto bound = bind(size(pattern), 4, bindings);
    REQUIRE(bound);
    CHECK_FALSE(*bound);
    CHECK(bindings.empty());
  }
}

TEST_CASE("sizes that contradict are reported with what was expected and found") {
  Bindings bindings;
  bindings.set("a", 3);
  CHECK(*bind(size("a * 2"), 6, bindings));
  CHECK(bind(7, 8, bindings).error().message() == "expected size 7, found 8");
  CHECK(bind(size("a * 2"), 7, bindings).error().message() == "expected size 6 (a * 2), found 7");
  CHECK(bind(size("b * 2"), 7, bindings).error().message() ==
        "no 'b' makes size 'b * 2' equal to 7");
}

TEST_CASE("guards name the sizes, strides and values they read") {
  const auto guard = parse_guard(
      "((L['x'].size()[1]*L['args'][0]['k'].size()[0]) // 2) <= L['x'].stride()[0] and not "
      "L['m'].w.storage_offset() % 4 == L['n']");
  REQUIRE_MESSAGE(guard, (guard ? "" : guard.error().message()));
  std::string seen;
  for (const auto& [symbol, reference] : guard->sources) {
    CHECK(*parse_source(symbol) == reference);
    seen += symbol + ";" + std::to_string(static_cast<int>(reference.what)) + ";" +
            std::to_string(reference.dimension) + ";" + std::to_string(reference.path.size()) + " ";
  }
  CHECK(seen ==
        "L['args'][0]['k'].size()[0];1;0;3 L['x'].size()[1];1;1;1 L['x'].stride()[0];2;0;1 "
        "L['m'].w.storage_offset();3;0;2 L['n'];0;0;1 ");
  const auto source = parse_source("L['a\\'b'][-2].c.size()[3]");
  REQUIRE(source);
  CHECK(source->root == "L");
  CHECK(source->path[0].name == "a'b");
  CHECK(source->path[1].index == -2);
  CHECK(source->path[2].kind == PathElement::Kind::attribute);
}

TEST_CASE("guards that mean nothing here are errors") {
  for (const std::string_view text :
       {"s0 > 1", "L['x'].item() > 2", "L['x'].size() > 2", "L['x'].size()['k'] > 2",
        "L['x'].size()[0][1] > 2", "len(L['x']) == 3", "L['x'", "L['x'].dtype() is None"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_guard(text));
  }
}

TEST_CASE("bounds follow from the ranges of symbols") {
  Ranges ranges;
  ranges.set("s", {2, 10});
  ranges.set("t", {-3, 5});
  ranges.set("p", {0, Interval::no_upper});
  const struct {
    std::string_view text;
    Interval expected;
  } cases[] = {
      {"s + t", {-1, 15}},
      {"s * t", {-30, 50}},
      {"s // 3", {0, 3}},
      {"t // s", {-2, 2}},
      {"s % 4", {0, 3}},
      {"s % 100", {2, 10}},
      {"t % -3", {-2, 0}},
      {"Max(s, 4)", {4, 10}},
      {"Min(t, 4)", {-3, 4}},
      {"p + 1", {1, Interval::no_upper}},
      {"q", {}},
      {"Abs(t)", {0, 5}},
      {"s / 4", {0, 3}},
      {"s << 2", {8, 40}},
      {"t >> 1", {-2, 2}},
      {"2 ** s", {4, 1024}},
      {"s if t > 9 else 1", {1, 1}},
      {"sqrt(s)", {1, 4}},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    const Interval found = bound(*parse_expr(text), ranges);
    CHECK(found.lower == expected.lower);
    CHECK(found.upper == expected.upper);
  }
}

TEST_CASE("only conditions that hold everywhere are surely true") {
  Ranges ranges;
  ranges.set("s", {2, 10});
  ranges.set("p", {0, Interval::no_upper});
  for (const std::string_view text : {"s >= 2", "s * 2 > s", "p + 1 > 0", "s != 11", "not s > 10",
                                      "s > 1 and p >= 0", "s == 99 or s < 11", "2*p >= p"})
    CHECK_MESSAGE(surely_true(*parse_expr(text), ranges), text);
  for (const std::string_view text :
       {"s >= 3", "p > 0", "s == 2", "q < oo", "q == q + zf0", "p <= oo - zf1", "s - s"})
    CHECK_MESSAGE(!surely_true(*parse_expr(text), ranges), text);
}

}  // namespace
