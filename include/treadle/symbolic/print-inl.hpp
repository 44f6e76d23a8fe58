// Definition of to_string for expressions.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>
#include <treadle/symbolic/expr_node.hpp>
#include <treadle/symbolic/node-inl.hpp>
#include <treadle/symbolic/precedence.hpp>
#include <treadle/symbolic/source_name.hpp>

namespace treadle::inline v0 {
namespace detail {

/// An infix operation: its text, its level, and the levels its first and other operands need.
struct Infix {
  std::string_view text;
  Precedence own;
  Precedence first;
  Precedence rest;
};

TREADLE_INLINE Infix infix(ExprKind kind) noexcept {
  using P = Precedence;
  switch (kind) {
    case ExprKind::add: return {" + ", P::sum, P::sum, P::product};
    case ExprKind::mul: return {" * ", P::product, P::product, P::sign};
    case ExprKind::floor_div: return {" // ", P::product, P::product, P::sign};
    case ExprKind::mod: return {" % ", P::product, P::product, P::sign};
    case ExprKind::true_div: return {" / ", P::product, P::product, P::sign};
    case ExprKind::pow: return {" ** ", P::power, P::atom, P::sign};
    case ExprKind::eq: return {" == ", P::comparison, P::bit_or, P::bit_or};
    case ExprKind::ne: return {" != ", P::comparison, P::bit_or, P::bit_or};
    case ExprKind::lt: return {" < ", P::comparison, P::bit_or, P::bit_or};
    case ExprKind::le: return {" <= ", P::comparison, P::bit_or, P::bit_or};
    case ExprKind::gt: return {" > ", P::comparison, P::bit_or, P::bit_or};
    case ExprKind::ge: return {" >= ", P::comparison, P::bit_or, P::bit_or};
    case ExprKind::logical_and: return {" and ", P::conjunction, P::negation, P::negation};
    case ExprKind::logical_or: return {" or ", P::disjunction, P::conjunction, P::conjunction};
    case ExprKind::bit_or: return {" | ", P::bit_or, P::bit_or, P::bit_xor};
    case ExprKind::bit_xor: return {" ^ ", P::bit_xor, P::bit_xor, P::bit_and};
    case ExprKind::bit_and: return {" & ", P::bit_and, P::bit_and, P::shift};
    case ExprKind::lshift: return {" << ", P::shift, P::shift, P::sum};
    case ExprKind::rshift: return {" >> ", P::shift, P::shift, P::sum};
    default: return {"", P::atom, P::choice, P::choice};
  }
}

/// The name that a call in the text has.
TREADLE_INLINE std::string_view call_name(const ExprNode& e) noexcept {
  switch (e.kind) {
    case ExprKind::add: return "Add";
    case ExprKind::mul: return "Mul";
    case ExprKind::logical_and: return "And";
    case ExprKind::logical_or: return "Or";
    case ExprKind::min: return "Min";
    case ExprKind::max: return "Max";
    case ExprKind::ceil: return "ceiling";
    case ExprKind::trunc: return "TruncToInt";
    case ExprKind::round: return e.children.size() == 2 ? "RoundDecimal" : "RoundToInt";
    case ExprKind::to_float: return "ToFloat";
    case ExprKind::abs: return "Abs";
    case ExprKind::is_nan: return "isnan";
    default: return name(e.kind);
  }
}

class ExprPrinter {
 public:
  [[nodiscard]] std::string take() && { return std::move(out_); }

  void print(const ExprNode& e, Precedence least) {
    const Precedence own = level(e);
    if (own < least) out_ += '(';
    switch (e.kind) {
      case ExprKind::integer: append(out_, e.integer); break;
      case ExprKind::real: print_real(e.real); break;
      case ExprKind::boolean: out_ += e.integer != 0 ? "True" : "False"; break;
      case ExprKind::symbol: print_symbol(e.name); break;
      case ExprKind::where: print_where(e); break;
      case ExprKind::logical_not:
        out_ += "not ";
        print(*e.children[0], Precedence::negation);
        break;
      default: print_operation(e, own); break;
    }
    if (own < least) out_ += ')';
  }

 private:
  static bool negative(const ExprNode& e) noexcept {
    if (e.kind != ExprKind::mul) return false;
    const ExprNode& last = *e.children.back();
    if (last.kind != ExprKind::integer || last.integer >= 0) return false;
    if (last.integer == std::numeric_limits<std::int64_t>::min()) return false;
    if (e.children.size() == 2 && last.integer == -1) return true;
    for (std::size_t i = 0; i + 1 < e.children.size(); ++i)
      if (!is_integer(e.children[i]) || e.children[i]->kind == ExprKind::integer) return false;
    return true;
  }

  static Precedence level(const ExprNode& e) noexcept {
    if (e.kind == ExprKind::integer) return e.integer < 0 ? Precedence::sign : Precedence::atom;
    if (e.kind == ExprKind::real) return std::signbit(e.real) ? Precedence::sign : Precedence::atom;
    if (e.kind == ExprKind::where && e.children.size() % 2 == 1) return Precedence::choice;
    if (e.kind == ExprKind::logical_not) return Precedence::negation;
    if (e.children.size() < 2) return Precedence::atom;
    if (negative(e) && e.children.size() == 2 && e.children[1]->integer == -1)
      return Precedence::sign;
    return infix(e.kind).own;
  }

  void print_operation(const ExprNode& e, Precedence own) {
    if (own == Precedence::atom) return print_call(call_name(e), e);
    if (negative(e)) {
      out_ += '-';
      return print_magnitude(e);
    }
    const Infix form = infix(e.kind);
    print(*e.children[0], form.first);
    for (std::size_t i = 1; i < e.children.size(); ++i) {
      const ExprNode& child = *e.children[i];
      if (e.kind == ExprKind::add && negative(child)) {
        out_ += " - ";
        print_magnitude(child);
      } else if (e.kind == ExprKind::add && child.kind == ExprKind::integer && child.integer < 0 &&
                 child.integer != std::numeric_limits<std::int64_t>::min()) {
        out_ += " - ";
        append(out_, -child.integer);
      } else {
        out_ += form.text;
        print(child, form.rest);
      }
    }
  }

  /// A negative product without its sign.
  void print_magnitude(const ExprNode& e) {
    for (std::size_t i = 0; i + 1 < e.children.size(); ++i) {
      if (i != 0) out_ += " * ";
      print(*e.children[i], Precedence::sign);
    }
    if (e.children.back()->integer == -1) return;
    out_ += " * ";
    append(out_, -e.children.back()->integer);
  }

  void print_call(std::string_view function, const ExprNode& e) {
    out_ += function;
    out_ += '(';
    for (std::size_t i = 0; i < e.children.size(); ++i) {
      if (i != 0) out_ += ", ";
      print(*e.children[i], Precedence::choice);
    }
    out_ += ')';
  }

  void print_where(const ExprNode& e) {
    if (e.children.size() % 2 == 0) return print_piecewise(e);
    for (std::size_t i = 0; i + 1 < e.children.size(); i += 2) {
      print(*e.children[i + 1], Precedence::disjunction);
      out_ += " if ";
      print(*e.children[i], Precedence::disjunction);
      out_ += " else ";
    }
    print(*e.children.back(), Precedence::choice);
  }

  void print_piecewise(const ExprNode& e) {
    out_ += "Piecewise(";
    for (std::size_t i = 0; i + 1 < e.children.size(); i += 2) {
      out_ += i == 0 ? "(" : ", (";
      print(*e.children[i + 1], Precedence::choice);
      out_ += ", ";
      print(*e.children[i], Precedence::choice);
      out_ += ')';
    }
    out_ += ')';
  }

  void print_real(double value) {
    if (std::isnan(value)) {
      out_ += "nan";
    } else if (std::isinf(value)) {
      out_ += value < 0 ? "-oo" : "oo";
    } else {
      const std::size_t start = out_.size();
      append(out_, value);
      if (out_.find_first_of(".e", start) == std::string::npos) out_ += ".0";
    }
  }

  void print_symbol(const std::string& name) {
    const std::size_t plain = identifier_length(name);
    if (!name.empty() &&
        ((plain == name.size() && !is_reserved(name)) || source_length(name) == name.size())) {
      out_ += name;
      return;
    }
    out_ += "Symbol('";
    for (const char c : name) {
      if (c == '\'' || c == '\\') out_ += '\\';
      out_ += c;
    }
    out_ += "')";
  }

  std::string out_;
};

}  // namespace detail

TREADLE_INLINE std::string to_string(const Expr& expr) {
  detail::ExprPrinter printer;
  printer.print(*expr, detail::Precedence::choice);
  return std::move(printer).take();
}

}  // namespace treadle::inline v0
