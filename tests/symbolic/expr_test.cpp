// Expressions simplify, print and read back.
#include <cstdint>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/symbolic/evaluate.hpp>
#include <treadle/symbolic/parse.hpp>

namespace {
using namespace treadle;

TEST_CASE("expressions reach their simplest text, which reads back to an equal tree") {
  const struct {
    std::string_view text, expected;
  } cases[] = {
      {"s0*2 - s0 - s0", "0"},
      {"(s0*4)//4", "s0"},
      {"(s0*4) % 4", "0"},
      {"Max(s0, s0)", "s0"},
      {"Min(3, s0, 2)", "Min(2, s0)"},
      {"s0*s1*64 // s0", "s1 * 64"},
      {"(s0*4 + s1) // 4", "s0 + s1 // 4"},
      {"(2*s0 + 2*s1) // (s0 + s1)", "2"},
      {"((s0 + 1)//2 + 4)//2", "(s0 + 1) // 4 + 2"},
      {"(6*s0) // 4", "s0 * 3 // 2"},
      {"2*(s0 + 1) - 2*s0", "2"},
      {"s0**2 - s0*s0", "0"},
      {"-s0*3 - 1", "-s0 * 3 - 1"},
      {"-7 // 2", "-4"},
      {"-7 % 3", "2"},
      {"7 % -3", "-2"},
      {"1 // 0", "1 // 0"},
      {"9223372036854775807 + 1", "1 + 9223372036854775807"},
      {"-9223372036854775808 // -1", "--9223372036854775808"},
      {"s0 + 1 > s0", "True"},
      {"s0 == s0", "True"},
      {"not s0 < 3", "s0 >= 3"},
      {"s0 if 1 < 2 else s1", "s0"},
      {"s0 if s1 > 2 else s0", "s0"},
      {"s0 > 1 and True and s0 > 1", "s0 > 1"},
      {"floor(s0/2)", "s0 // 2"},
      {"round(2.5) + round(3.5)", "6"},
      {"a < b < c", "a < b and b < c"},
      {"zf0 + 1 - zf0", "zf0 + 1 - zf0"},
      {"Symbol('a b')", "Symbol('a b')"},
      {"L['x'].size()[0] * 2", "L['x'].size()[0] * 2"},
      {"Mul(Rational(1, 2), Add(Symbol('s0', integer=True), Integer(-1)))", "(s0 - 1) / 2"},
      {"Pow(Symbol('s0'), Integer(-1))", "1 / s0"},
      {"Piecewise((s0, s0 > 1))", "Piecewise((s0, s0 > 1))"},
      {"-oo", "-oo"},
      {"0.1", "0.1"},
      {"2.0", "2.0"},
      {"(-zf0) ** 2", "(-zf0) ** 2"},
      {"-zf0 ** 2", "-zf0 ** 2"},
      {"a | b ^ c & d << 2", "a | b ^ c & d << 2"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    const auto expr = parse_expr(text);
    REQUIRE_MESSAGE(expr, (expr ? "" : expr.error().message()));
    CHECK(to_string(*expr) == expected);
    const auto again = parse_expr(to_string(*expr));
    REQUIRE(again);
    CHECK(equal(*again, *expr));
  }
}

TEST_CASE("known sizes compute and those that overflow become expressions") {
  CHECK((SymInt(3) * SymInt(4) - SymInt(2)).is(10));
  CHECK(floor_div(SymInt(-7), SymInt(2)).is(-4));
  const SymInt big = SymInt(INT64_MAX) + SymInt(1);
  CHECK_FALSE(big.known());
  CHECK_FALSE(evaluate(big, {}));
}

TEST_CASE("a tree above the limits equals only itself and has no value") {
  SymInt size(make_symbol("s0"));
  for (int i = 0; i < 100; ++i) size = max(floor_div(size + 1, 3) * size, mod(size, 7));
  CHECK(size == size);
  CHECK_FALSE(evaluate(size, {}));
  const Expr again = make_symbol(size.expr()->name);
  CHECK_FALSE(equal(size.expr(), again));
}

TEST_CASE("failures of evaluation name the part that failed") {
  Bindings bindings;
  bindings.set("s0", 0);
  bindings.set("s1", INT64_MAX);
  const struct {
    std::string_view text, expected;
  } cases[] = {
      {"s9 + 1", "symbol 's9' has no value"},
      {"1 + 5 // s0", "'5 // s0': floor_div(5, 0): division by zero"},
      {"s1 * 2", "'s1 * 2': mul(9223372036854775807, 2): the result overflows 64 bits"},
      {"sqrt(s0 - 1)", "'sqrt(s0 - 1)': sqrt(-1): outside the domain"},
      {"Piecewise((1, s0 > 0))", "no condition holds in 'Piecewise((1, s0 > 0))'"},
  };
  for (const auto& [text, expected] : cases) {
    const auto value = evaluate(*parse_expr(text), bindings);
    REQUIRE_FALSE(value);
    CHECK(value.error().message() == expected);
  }
}

TEST_CASE("conditions stop at the first operand that decides") {
  Bindings bindings;
  bindings.set("s0", 0);
  CHECK(*evaluate(*parse_expr("s0 != 0 and 10 // s0 > 1"), bindings) == Number(false));
  CHECK(*evaluate(*parse_expr("s0 == 0 or 10 // s0 > 1"), bindings) == Number(true));
  CHECK(*evaluate(*parse_expr("1 if s0 == 0 else 10 // s0"), bindings) == Number(1));
}

TEST_CASE("numbers follow Python at their edges") {
  const struct {
    std::string_view text;
    Number expected;
  } cases[] = {
      {"s + 0.0 == s", false},  // 2 ** 53 + 1 is not a float
      {"s == 9007199254740992.0", false},
      {"(s * 3) / 3", 9007199254740992.0},
      {"-7.5 // 2.0 + s * 0", -4.0},
      {"-7.5 % 2.0 + s * 0", 0.5},
      {"round(s / s - 0.5)", 0},
      {"RoundDecimal(2.675 + 0 * s, 2)", 2.67},
      {"True + s", std::int64_t{9007199254740994}},
      {"(s > 1) & (s > 2)", true},
      {"2 ** -(s // s)", 0.5},
  };
  Bindings bindings;
  bindings.set("s", 9007199254740993);
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    const auto expr = parse_expr(text);
    REQUIRE(expr);
    const auto value = evaluate(*expr, bindings);
    REQUIRE(value);
    CHECK_MESSAGE(*value == expected, to_string(*value));
  }
}

TEST_CASE("hostile texts are errors that name the column") {
  const std::string deep(100'000, '('), minus(100'000, '-'), nots = [] {
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += "not ";
    return text;
  }();
  std::string calls, chain = "s0";
  for (int i = 0; i < 20'000; ++i) calls += "Add(";
  for (int i = 0; i < 20'000; ++i) chain += "//(s0";
  for (const std::string& text : {deep, minus + "1", nots + "a", calls, chain})
    CHECK(parse_expr(text).error().code() == ErrorCode::limit_exceeded);
  const struct {
    std::string_view text, expected;
  } cases[] = {
      {"", "column 1 of expression: expected an operand, found the end"},
      {"s0 + ", "column 6 of expression: expected an operand, found the end"},
      {"99999999999999999999", "does not fit in 64 bits"},
      {"Integer(1", "expected ')', found the end"},
      {"Symbol('s0", "a quoted text has no end"},
      {"s0 $ 2", "column 4 of expression: expected the end, found '$ 2'"},
      {"2 * frobnicate(s0)", "column 5: function 'frobnicate' with 1 operands"},
      {"FloorDiv(s0)", "function 'FloorDiv' takes 2 operands, found 1"},
      {"os.system('x')", "'os.system' cannot be called"},
      {"1e999", "is not a float"},
      {"Float('abc')", "is not a float"},
      {"a if b", "expected 'else'"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    const auto expr = parse_expr(text);
    REQUIRE_FALSE(expr);
    CHECK_MESSAGE(expr.error().message().find(expected) != std::string::npos,
                  expr.error().message());
  }
}

TEST_CASE("every truncation of a long call is an error") {
  const std::string text =
      "Piecewise(ExprCondPair(Mul(Rational(1, 2), Symbol('s0', integer=True)), And(s1 > 2, "
      "Float('0.5', precision=53) < 3)), (-(s0 - 1) ** 2 // 3 if not a else L['x'].size()[1], "
      "true))";
  REQUIRE(parse_expr(text));
  for (std::size_t length = std::string_view("Piecewise(").size(); length < text.size(); ++length)
    CHECK_FALSE(parse_expr(text.substr(0, length)));
}

}  // namespace
