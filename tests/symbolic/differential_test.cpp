// Expressions of PyTorch's classes have the values that Python gives them.
#include <cmath>
#include <cstdint>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/symbolic/bounds.hpp>
#include <treadle/symbolic/evaluate.hpp>
#include <treadle/symbolic/parse.hpp>

namespace {
using namespace treadle;

struct Case {
  std::string_view srepr;
  std::string_view text;
  std::int64_t values[4];
  Number expected;
};

const Case cases[] = {
#include "cases.inc"
};

constexpr std::string_view names[] = {"s0", "s1", "u0", "u1"};

bool same(const Number& a, const Number& b) {
  if (!a.is_real() && !b.is_real()) return a == b;
  return std::fabs(a.as_real() - b.as_real()) <= 1e-12 * std::fabs(b.as_real()) + 1e-300;
}

void check_case(std::string_view text, const Case& c) {
  CAPTURE(text);
  Bindings bindings;
  Ranges ranges;
  for (int i = 0; i < 4; ++i) {
    bindings.set(names[i], c.values[i]);
    ranges.set(names[i], {c.values[i] - i, c.values[i] + 2});
  }
  const auto expr = parse_expr(text);
  REQUIRE_MESSAGE(expr, (expr ? "" : expr.error().message()));
  const auto value = evaluate(*expr, bindings);
  REQUIRE_MESSAGE(value, (value ? "" : value.error().message()));
  CHECK_MESSAGE(same(*value, c.expected), to_string(*value), " for ", to_string(*expr));
  const auto again = parse_expr(to_string(*expr));
  REQUIRE(again);
  CHECK_MESSAGE(equal(*again, *expr), to_string(*expr));
  const Interval range = bound(*expr, ranges);
  CHECK(static_cast<double>(range.lower) <= value->as_real());
  CHECK(static_cast<double>(range.upper) >= value->as_real());
}

TEST_CASE("random expressions evaluate as in Python, print back, and stay in their bounds") {
  for (const Case& c : cases) {
    check_case(c.srepr, c);
    check_case(c.text, c);
  }
}

}  // namespace
