// Definition of parse_expr: precedence climbing over Python's operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/call-inl.hpp>
#include <treadle/symbolic/expr.hpp>
#include <treadle/symbolic/parse.hpp>
#include <treadle/symbolic/precedence.hpp>
#include <treadle/symbolic/scanner.hpp>

namespace treadle::inline v0 {
namespace detail {

/// An operator in the text.
struct Operator {
  std::string_view text;
  ExprKind kind;
  Precedence level;
};

/// In the order of looking: longer texts before their beginnings.
inline constexpr Operator operators[] = {
    {"**", ExprKind::pow, Precedence::power},      {"//", ExprKind::floor_div, Precedence::product},
    {"<<", ExprKind::lshift, Precedence::shift},   {">>", ExprKind::rshift, Precedence::shift},
    {"<=", ExprKind::le, Precedence::comparison},  {">=", ExprKind::ge, Precedence::comparison},
    {"==", ExprKind::eq, Precedence::comparison},  {"!=", ExprKind::ne, Precedence::comparison},
    {"<", ExprKind::lt, Precedence::comparison},   {">", ExprKind::gt, Precedence::comparison},
    {"+", ExprKind::add, Precedence::sum},         {"-", ExprKind::add, Precedence::sum},
    {"*", ExprKind::mul, Precedence::product},     {"/", ExprKind::true_div, Precedence::product},
    {"%", ExprKind::mod, Precedence::product},     {"|", ExprKind::bit_or, Precedence::bit_or},
    {"^", ExprKind::bit_xor, Precedence::bit_xor}, {"&", ExprKind::bit_and, Precedence::bit_and},
};
inline constexpr Operator word_operators[] = {
    {"and", ExprKind::logical_and, Precedence::conjunction},
    {"or", ExprKind::logical_or, Precedence::disjunction},
};

class ExprParser {
 public:
  explicit ExprParser(std::string_view text) noexcept : scan_(text) {}

  Result<Expr> parse() {
    TREADLE_TRY(Expr expr, choice());
    if (!scan_.done()) return scan_.fail(concat("expected the end, found ", scan_.found()));
    return expr;
  }

 private:
  /// value [if condition else value]…
  Result<Expr> choice() {
    std::vector<Expr> branches;
    for (;;) {
      TREADLE_TRY(Expr value, binary(Precedence::disjunction));
      if (!scan_.take_word("if")) {
        if (branches.empty()) return value;
        branches.push_back(std::move(value));
        return make_expr(ExprKind::where, std::move(branches));
      }
      TREADLE_TRY(Expr condition, binary(Precedence::disjunction));
      if (!scan_.take_word("else"))
        return scan_.fail(concat("expected 'else', found ", scan_.found()));
      branches.push_back(std::move(condition));
      branches.push_back(std::move(value));
    }
  }

  /// The operator that comes next, if it binds at least as tightly as `least`.
  const Operator* next_operator(Precedence least) {
    const std::string_view word = scan_.word();
    const auto fits = [&](const Operator& op) -> const Operator* {
      return op.level >= least ? &op : nullptr;
    };
    if (!word.empty()) {
      for (const Operator& op : word_operators)
        if (word == op.text) return fits(op);
      return nullptr;
    }
    for (const Operator& op : operators)
      if (scan_.sees(op.text)) return fits(op);
    return nullptr;
  }

  Result<Expr> binary(Precedence least) {
    if (depth_ >= max_parse_depth)
      return scan_.fail(concat("nested deeper than ", max_parse_depth, " levels"),
                        ErrorCode::limit_exceeded);
    ++depth_;
    Result<Expr> result = unguarded_binary(least);
    --depth_;
    return result;
  }

  Result<Expr> unguarded_binary(Precedence least) {
    TREADLE_TRY(Expr left, unary());
    while (const Operator* op = next_operator(least)) {
      auto joined = op->level == Precedence::comparison ? comparisons(std::move(left))
                                                        : chain(std::move(left), *op);
      TREADLE_TRY(left, std::move(joined));
    }
    return left;
  }

  static constexpr Precedence tighter(Precedence level) noexcept {
    return static_cast<Precedence>(static_cast<int>(level) + 1);
  }

  /// A run of one operator; sums, products and conditions take all their operands at once.
  Result<Expr> chain(Expr left, const Operator& first) {
    const bool many = first.kind == ExprKind::add || first.kind == ExprKind::mul ||
                      first.level <= Precedence::conjunction;
    std::vector<Expr> operands{std::move(left)};
    do {
      const Operator* op = next_operator(first.level);
      if (!op || op->kind != first.kind) break;
      scan_.skip(op->text.size());
      TREADLE_TRY(Expr right, binary(tighter(first.level)));
      operands.push_back(op->text == "-" ? negate(std::move(right)) : std::move(right));
    } while (many);
    const bool conditions =
        operands.size() == 2 && is_boolean(operands[0]) && is_boolean(operands[1]);
    ExprKind kind = first.kind;
    if (conditions && kind == ExprKind::bit_and) kind = ExprKind::logical_and;
    if (conditions && kind == ExprKind::bit_or) kind = ExprKind::logical_or;
    return make_expr(kind, std::move(operands));
  }

  /// a < b <= c means a < b and b <= c.
  Result<Expr> comparisons(Expr left) {
    std::vector<Expr> all;
    while (const Operator* op = next_operator(Precedence::comparison)) {
      if (op->level != Precedence::comparison) break;
      scan_.skip(op->text.size());
      TREADLE_TRY(Expr right, binary(Precedence::bit_or));
      all.push_back(make_expr(op->kind, {left, right}));
      left = std::move(right);
    }
    return all.size() == 1 ? all[0] : make_expr(ExprKind::logical_and, std::move(all));
  }

  static Expr negate(Expr operand) {
    return make_expr(ExprKind::mul, {std::move(operand), make_integer(-1)});
  }

  /// Signs, `not` and powers; the depth is that of `binary`.
  Result<Expr> unary() {
    if (scan_.take_word("not")) {
      TREADLE_TRY(Expr operand, binary(Precedence::comparison));
      return make_expr(ExprKind::logical_not, {std::move(operand)});
    }
    if (scan_.take("~")) {
      TREADLE_TRY(Expr operand, binary(Precedence::power));
      if (!is_boolean(operand)) return scan_.fail("'~' of something that is not a condition");
      return make_expr(ExprKind::logical_not, {std::move(operand)});
    }
    if (scan_.take("+")) return binary(Precedence::power);
    if (scan_.take("-")) return negative();
    TREADLE_TRY(Expr base, atom());
    if (!scan_.take("**")) return base;
    TREADLE_TRY(Expr exponent, binary(Precedence::power));
    return build_power(base, exponent);
  }

  Result<Expr> negative() {
    const std::string_view text = scan_.rest();
    if (!text.empty() && (is_digit(text[0]) || text[0] == '.')) {
      const std::size_t place = scan_.place();
      TREADLE_TRY(Expr literal, scan_.number(true));
      if (!scan_.sees("**")) return literal;
      scan_.back_to(place);
    }
    TREADLE_TRY(Expr operand, binary(Precedence::power));
    return negate(std::move(operand));
  }

  Result<Expr> atom() {
    const std::string_view text = scan_.rest();
    if (text.empty()) return scan_.fail("expected an operand, found the end");
    if (is_digit(text[0]) || (text[0] == '.' && text.size() > 1 && is_digit(text[1])))
      return scan_.number(false);
    if (scan_.take("(")) {
      TREADLE_TRY(Expr inner, choice());
      TREADLE_CHECK(scan_.expect(")"));
      return inner;
    }
    const std::size_t plain = identifier_length(text);
    if (plain == 0) return scan_.fail(concat("expected an operand, found ", scan_.found()));
    const std::size_t source = source_length(text);
    const std::string_view name = text.substr(0, source == 0 ? plain : source);
    if (text.substr(name.size()).starts_with('(')) {
      const std::size_t dot = name.rfind('.');
      if (source != 0 &&
          (dot != plain || (name.substr(0, plain) != "math" && name.substr(0, plain) != "torch")))
        return scan_.fail(concat("'", name, "' cannot be called"), ErrorCode::unsupported_file);
      scan_.skip(name.size());
      return call(source == 0 ? name : name.substr(dot + 1));
    }
    return named(name);
  }

  /// A constant or a symbol.
  Result<Expr> named(std::string_view name) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t size = name.size();
    Expr value;
    if (name == "True" || name == "true") value = make_boolean(true);
    if (name == "False" || name == "false") value = make_boolean(false);
    if (name == "oo" || name == "int_oo" || name == "inf" || name == "Infinity" ||
        name == "IntInfinity" || name == "math.inf")
      value = make_real(infinity);
    if (name == "NegativeInfinity" || name == "NegativeIntInfinity") value = make_real(-infinity);
    if (name == "nan" || name == "NaN") value = make_real(std::numeric_limits<double>::quiet_NaN());
    if (name == "pi") value = make_real(std::numbers::pi);
    if (name == "E") value = make_real(std::numbers::e);
    if (!value && is_reserved(name))
      return scan_.fail(concat("expected an operand, found '", name, "'"));
    scan_.skip(size);
    return value ? value : make_symbol(std::string(name));
  }

  /// What follows a name: `(operand, …)`. Keyword operands are assumptions and carry no value.
  Result<Expr> call(std::string_view name) {
    const std::size_t start = scan_.place();
    TREADLE_CHECK(scan_.expect("("));
    if (name == "Symbol") return symbol();
    if (name == "Float") return float_constant();
    if (name == "Piecewise") return piecewise();
    Call call{name, {}, {}};
    while (!scan_.sees(")")) {
      call.heads.push_back(scan_.word());
      TREADLE_TRY(Expr operand, choice());
      call.operands.push_back(std::move(operand));
      if (!scan_.take(",")) break;
    }
    TREADLE_CHECK(scan_.expect(")"));
    if (call.operands.empty() && is_reserved(name)) {
      const std::size_t place = scan_.place();
      auto value = named(name);
      scan_.back_to(place);
      return value;
    }
    if (name == "Integer" && call.operands.size() == 1 &&
        call.operands[0]->kind == ExprKind::integer)
      return call.operands[0];
    return build_call(std::move(call)).with_context(concat("column ", start + 1 - name.size()));
  }

  Result<Expr> symbol() {
    TREADLE_TRY(std::string name, scan_.quoted_text());
    if (name.empty()) return scan_.fail("a symbol has no name");
    TREADLE_CHECK(keywords());
    return make_symbol(std::move(name));
  }

  Result<Expr> float_constant() {
    Expr value;
    if (scan_.sees("'") || scan_.sees("\"")) {
      TREADLE_TRY(const std::string text, scan_.quoted_text());
      const bool negative = text.starts_with('-');
      TREADLE_TRY(value, scan_.real_of(std::string_view(text).substr(negative ? 1 : 0), negative));
    } else {
      const bool negative = scan_.take("-");
      TREADLE_TRY(value, scan_.number(negative));
      if (value->kind == ExprKind::integer) value = make_real(static_cast<double>(value->integer));
    }
    TREADLE_CHECK(keywords());
    return value;
  }

  /// `, word=value`… up to the closing parenthesis.
  Status keywords() {
    while (scan_.take(",")) {
      const std::string_view word = scan_.word();
      if (word.empty()) return scan_.fail(concat("expected a keyword, found ", scan_.found()));
      scan_.skip(word.size());
      TREADLE_CHECK(scan_.expect("="));
      const std::string_view value = scan_.word();
      scan_.skip(value.size());
      if (value.empty()) TREADLE_CHECK(scan_.number(false));
    }
    return scan_.expect(")");
  }

  /// Pairs of value and condition, written `ExprCondPair(v, c)` or `(v, c)`.
  Result<Expr> piecewise() {
    std::vector<Expr> branches;
    do {
      scan_.take_word("ExprCondPair");
      TREADLE_CHECK(scan_.expect("("));
      TREADLE_TRY(Expr value, choice());
      TREADLE_CHECK(scan_.expect(","));
      TREADLE_TRY(Expr condition, choice());
      TREADLE_CHECK(scan_.expect(")"));
      branches.push_back(std::move(condition));
      branches.push_back(std::move(value));
    } while (scan_.take(","));
    TREADLE_CHECK(scan_.expect(")"));
    return make_expr(ExprKind::where, std::move(branches));
  }

  Scanner scan_;
  std::size_t depth_ = 0;
};

TREADLE_INLINE bool oversized(const Expr& expr) noexcept {
  if (expr->kind == ExprKind::symbol) return expr->name == oversized_name;
  for (const Expr& child : expr->children)
    if (oversized(child)) return true;
  return false;
}

}  // namespace detail

TREADLE_INLINE Result<Expr> parse_expr(std::string_view text) {
  if (text.size() > max_expr_text)
    return Error(ErrorCode::limit_exceeded, concat("expression of ", text.size(),
                                                   " bytes, at most ", max_expr_text, " are read"));
  Result<Expr> expr = detail::ExprParser(text).parse();
  if (expr && detail::oversized(*expr))
    return Error(ErrorCode::limit_exceeded, concat("expression of more than ", max_expr_nodes,
                                                   " nodes or ", max_expr_depth, " levels"));
  return expr;
}

}  // namespace treadle::inline v0
