// Definition of srepr.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>
#include <treadle/exported/srepr.hpp>

namespace treadle::inline v0 {
namespace detail {

/// The class that PyTorch or SymPy has for an operation.
[[nodiscard]] inline std::string_view srepr_class(const ExprNode& e) {
  const bool integers = is_integer(e.children[0]) && is_integer(e.children.back());
  switch (e.kind) {
    case ExprKind::add: return "Add";
    case ExprKind::mul: return "Mul";
    case ExprKind::floor_div: return "FloorDiv";
    case ExprKind::mod: return "PythonMod";
    case ExprKind::pow: return integers ? "PowByNatural" : "FloatPow";
    case ExprKind::min: return "Min";
    case ExprKind::max: return "Max";
    case ExprKind::true_div: return integers ? "IntTrueDiv" : "FloatTrueDiv";
    case ExprKind::floor: return "FloorToInt";
    case ExprKind::ceil: return "CeilToInt";
    case ExprKind::trunc: return "TruncToInt";
    case ExprKind::round: return e.children.size() == 2 ? "RoundDecimal" : "RoundToInt";
    case ExprKind::to_float: return "ToFloat";
    case ExprKind::abs: return "Abs";
    case ExprKind::eq: return "Equality";
    case ExprKind::ne: return "Unequality";
    case ExprKind::lt: return "StrictLessThan";
    case ExprKind::le: return "LessThan";
    case ExprKind::gt: return "StrictGreaterThan";
    case ExprKind::ge: return "GreaterThan";
    case ExprKind::logical_and: return "And";
    case ExprKind::logical_or: return "Or";
    case ExprKind::logical_not: return "Not";
    case ExprKind::bit_and: return "BitwiseFn_bitwise_and";
    case ExprKind::bit_or: return "BitwiseFn_bitwise_or";
    case ExprKind::bit_xor: return "BitwiseFn_bitwise_xor";
    case ExprKind::lshift: return "LShift";
    case ExprKind::rshift: return "RShift";
    case ExprKind::is_nan: return "isnan";
    default: return {};
  }
}

class SreprPrinter {
 public:
  [[nodiscard]] std::string take() && { return std::move(out_); }

  void print(const ExprNode& e) {
    switch (e.kind) {
      case ExprKind::integer: out_ += concat("Integer(", e.integer, ')'); return;
      case ExprKind::real: return print_real(e.real);
      case ExprKind::boolean: out_ += e.integer != 0 ? "true" : "false"; return;
      case ExprKind::symbol: return print_symbol(e.name);
      case ExprKind::where: return print_where(e);
      default: break;
    }
    const std::string_view known = srepr_class(e);
    out_ += known.empty() ? concat("OpaqueUnaryFn_", name(e.kind)) : std::string(known);
    out_ += '(';
    for (std::size_t i = 0; i < e.children.size(); ++i) {
      if (i != 0) out_ += ", ";
      print(*e.children[i]);
    }
    out_ += ')';
  }

 private:
  void print_real(double value) {
    if (std::isnan(value))
      out_ += "nan";
    else if (std::isinf(value))
      out_ += value < 0 ? "-oo" : "oo";
    else
      out_ += concat("Float('", value, "', precision=53)");
  }

  void print_symbol(const std::string& symbol) {
    out_ += "Symbol('";
    for (const char c : symbol) {
      if (c == '\'' || c == '\\') out_ += '\\';
      out_ += c;
    }
    out_ += '\'';
    if (symbol.starts_with('u'))
      out_ += ", integer=True";
    else if (!symbol.starts_with('z'))
      out_ += ", positive=True, integer=True";
    out_ += ')';
  }

  void print_where(const ExprNode& e) {
    out_ += "Piecewise(";
    std::size_t i = 0;
    for (; i + 1 < e.children.size(); i += 2) {
      if (i != 0) out_ += ", ";
      print_pair(*e.children[i + 1], e.children[i].get());
    }
    if (i < e.children.size()) {
      if (i != 0) out_ += ", ";
      print_pair(*e.children[i], nullptr);
    }
    out_ += ')';
  }

  /// A value with its condition; null stands for true.
  void print_pair(const ExprNode& value, const ExprNode* condition) {
    out_ += "ExprCondPair(";
    print(value);
    out_ += ", ";
    if (condition)
      print(*condition);
    else
      out_ += "true";
    out_ += ')';
  }

  std::string out_;
};

}  // namespace detail

TREADLE_INLINE std::string srepr(const Expr& expr) {
  detail::SreprPrinter printer;
  printer.print(*expr);
  return std::move(printer).take();
}

}  // namespace treadle::inline v0
