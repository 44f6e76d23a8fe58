// Meaning of the functions that expression text calls by name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/expr.hpp>

namespace treadle::inline v0::detail {

/// A call in the text: its name without module, its operands, and the word each operand begins
/// with.
struct Call {
  std::string_view name;
  std::vector<Expr> operands;
  std::vector<std::string_view> heads;
};

struct NamedKind {
  std::string_view name;
  ExprKind kind;
};

/// Functions that are one operation of ours under another name.
inline constexpr NamedKind named_kinds[] = {
    {"Add", ExprKind::add},
    {"FloorDiv", ExprKind::floor_div},
    {"CleanDiv", ExprKind::floor_div},
    {"Mod", ExprKind::mod},
    {"PythonMod", ExprKind::mod},
    {"PowByNatural", ExprKind::pow},
    {"FloatPow", ExprKind::pow},
    {"pow", ExprKind::pow},
    {"Min", ExprKind::min},
    {"min", ExprKind::min},
    {"Max", ExprKind::max},
    {"max", ExprKind::max},
    {"IntTrueDiv", ExprKind::true_div},
    {"FloatTrueDiv", ExprKind::true_div},
    {"floor", ExprKind::floor},
    {"FloorToInt", ExprKind::floor},
    {"ceiling", ExprKind::ceil},
    {"ceil", ExprKind::ceil},
    {"CeilToInt", ExprKind::ceil},
    {"trunc", ExprKind::trunc},
    {"int", ExprKind::trunc},
    {"TruncToInt", ExprKind::trunc},
    {"RoundToInt", ExprKind::round},
    {"RoundDecimal", ExprKind::round},
    {"round", ExprKind::round},
    {"ToFloat", ExprKind::to_float},
    {"float", ExprKind::to_float},
    {"Abs", ExprKind::abs},
    {"abs", ExprKind::abs},
    {"isnan", ExprKind::is_nan},
    {"Eq", ExprKind::eq},
    {"Equality", ExprKind::eq},
    {"Ne", ExprKind::ne},
    {"Unequality", ExprKind::ne},
    {"Lt", ExprKind::lt},
    {"StrictLessThan", ExprKind::lt},
    {"Le", ExprKind::le},
    {"LessThan", ExprKind::le},
    {"Gt", ExprKind::gt},
    {"StrictGreaterThan", ExprKind::gt},
    {"Ge", ExprKind::ge},
    {"GreaterThan", ExprKind::ge},
    {"And", ExprKind::logical_and},
    {"Or", ExprKind::logical_or},
    {"Not", ExprKind::logical_not},
    {"not", ExprKind::logical_not},
    {"LShift", ExprKind::lshift},
    {"RShift", ExprKind::rshift},
    {"BitwiseFn_bitwise_and", ExprKind::bit_and},
    {"BitwiseFn_bitwise_or", ExprKind::bit_or},
    {"BitwiseFn_bitwise_xor", ExprKind::bit_xor},
    {"sqrt", ExprKind::sqrt},
    {"exp", ExprKind::exp},
    {"log", ExprKind::log},
    {"log2", ExprKind::log2},
    {"sin", ExprKind::sin},
    {"cos", ExprKind::cos},
    {"tan", ExprKind::tan},
    {"asin", ExprKind::asin},
    {"acos", ExprKind::acos},
    {"atan", ExprKind::atan},
    {"sinh", ExprKind::sinh},
    {"cosh", ExprKind::cosh},
    {"tanh", ExprKind::tanh},
    {"asinh", ExprKind::asinh},
};

TREADLE_INLINE bool quotient_of_integers(const Expr& e) noexcept {
  return e->kind == ExprKind::true_div && is_integer(e->children[0]) && is_integer(e->children[1]);
}

/// An exact product: rational factors become one quotient of integers.
TREADLE_INLINE Expr build_product(const Call& call) {
  std::vector<Expr> top, bottom;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const Expr& operand = call.operands[i];
    const bool exact = call.heads[i] == "Rational" || call.heads[i] == "Pow";
    if (exact && quotient_of_integers(operand)) {
      top.push_back(operand->children[0]);
      bottom.push_back(operand->children[1]);
    } else {
      top.push_back(operand);
    }
  }
  const bool exact =
      !bottom.empty() && std::ranges::all_of(top, [](const Expr& e) { return is_integer(e); });
  if (!exact) return make_expr(ExprKind::mul, call.operands);
  return make_expr(ExprKind::true_div, {make_expr(ExprKind::mul, std::move(top)),
                                        make_expr(ExprKind::mul, std::move(bottom))});
}

/// A power; inverses and square roots get their own operations.
TREADLE_INLINE Expr build_power(const Expr& base, const Expr& exponent) {
  if (exponent->kind == ExprKind::integer && exponent->integer < 0 && exponent->integer > -64)
    return make_expr(
        ExprKind::true_div,
        {make_integer(1), make_expr(ExprKind::pow, {base, make_integer(-exponent->integer)})});
  if (exponent->kind == ExprKind::true_div && exponent->children[1]->kind == ExprKind::integer &&
      exponent->children[1]->integer == 2 && exponent->children[0]->kind == ExprKind::integer) {
    const Expr root = make_expr(ExprKind::sqrt, {base});
    if (exponent->children[0]->integer == 1) return root;
    if (exponent->children[0]->integer == -1)
      return make_expr(ExprKind::true_div, {make_integer(1), root});
  }
  return make_expr(ExprKind::pow, {base, exponent});
}

/// Functions that take several of our operations; empty if the name or the operands do not fit.
TREADLE_INLINE Expr build_composite(const Call& call) {
  const auto& args = call.operands;
  const auto is = [&](std::string_view name, std::size_t count) {
    return call.name == name && args.size() == count;
  };
  if (call.name == "Mul") return build_product(call);
  if (is("Pow", 2)) return build_power(args[0], args[1]);
  if (is("Identity", 1)) return args[0];
  if (is("Rational", 2)) return make_expr(ExprKind::true_div, args);
  if (is("Where", 3) || is("ITE", 3) || is("ite", 3)) return make_expr(ExprKind::where, args);
  if (is("TruncToFloat", 1))
    return make_expr(ExprKind::to_float, {make_expr(ExprKind::trunc, args)});
  if (is("CeilDiv", 2)) {
    const Expr minus_one = make_integer(-1);
    const Expr negated = make_expr(ExprKind::mul, {args[0], minus_one});
    return make_expr(ExprKind::mul,
                     {make_expr(ExprKind::floor_div, {negated, args[1]}), minus_one});
  }
  if (is("ModularIndexing", 3))
    return make_expr(ExprKind::mod, {make_expr(ExprKind::floor_div, {args[0], args[1]}), args[2]});
  if (is("IsNonOverlappingAndDenseIndicator", 2)) {
    const Expr dense = make_expr(ExprKind::eq, {args[1], make_integer(1)});
    const Expr tiny = make_expr(ExprKind::lt, {args[0], make_integer(2)});
    return make_expr(ExprKind::where, {make_expr(ExprKind::logical_or, {dense, tiny}),
                                       make_integer(1), make_integer(0)});
  }
  return nullptr;
}

/// The expression that a call stands for.
TREADLE_INLINE Result<Expr> build_call(Call call) {
  constexpr std::string_view opaque = "OpaqueUnaryFn_";
  if (call.name.starts_with(opaque)) call.name.remove_prefix(opaque.size());
  if (call.name.starts_with("sym_")) call.name.remove_prefix(4);
  if (Expr composite = build_composite(call)) return composite;
  const auto* found = std::ranges::find(named_kinds, call.name, &NamedKind::name);
  if (found == std::end(named_kinds))
    return Error(ErrorCode::unsupported_file,
                 concat("function '", call.name, "' with ", call.operands.size(),
                        " operands has no meaning in a size"));
  const auto [least, most] = operand_counts(found->kind);
  if (call.operands.size() < least || call.operands.size() > most)
    return Error(ErrorCode::corrupt_file, concat("function '", call.name, "' takes ", least,
                                                 " operands, found ", call.operands.size()));
  return make_expr(found->kind, std::move(call.operands));
}

}  // namespace treadle::inline v0::detail
