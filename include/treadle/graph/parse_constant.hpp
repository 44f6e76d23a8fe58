// Reads constants and types of graph text.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/graph/node.hpp>
#include <treadle/graph/parse_scanner.hpp>
#include <treadle/symbolic/parse.hpp>

namespace treadle::inline v0::detail {

/// The enumerator with this name, among the first `count`.
template <class Kind>
[[nodiscard]] std::optional<Kind> kind_named(std::string_view text, int count) {
  for (int i = 0; i < count; ++i)
    if (treadle::name(static_cast<Kind>(i)) == text) return static_cast<Kind>(i);
  return std::nullopt;
}

class ConstantParser : public GraphScanner {
 public:
  using GraphScanner::GraphScanner;

  /// A constant that is not a list.
  [[nodiscard]] bool scalar(Constant& out) {
    const char c = peek();
    if (c == '"') return quoted(out.emplace<std::string>());
    if (c == '-' || (c >= '0' && c <= '9')) return number_or_infinity(out);
    const std::string_view text = peek_word();
    const std::size_t start = position();
    if (text.empty()) return fail("expected an argument");
    if (!expect_word(text)) return false;
    if (text == "None") return out = None{}, true;
    if (text == "True" || text == "False") return out = text == "True", true;
    if (text == "inf") return out = std::numeric_limits<double>::infinity(), true;
    if (text == "nan") return out = std::numeric_limits<double>::quiet_NaN(), true;
    if (const auto dtype = parse_dtype(text); dtype && peek() != '(') return out = *dtype, true;
    if (text == "complex") return complex(out.emplace<std::complex<double>>());
    if (text == "device") return expect('(') && device(out.emplace<Device>()) && expect(')');
    if (text == "layout") return enumerator(8, out.emplace<Layout>());
    if (text == "memory_format") return enumerator(5, out.emplace<MemoryFormat>());
    if (text == "operator")
      return expect('(') && name("an operator", out.emplace<OperatorName>().target) && expect(')');
    return fail_at(start, ErrorCode::corrupt_file,
                   concat("'", text, "' begins no argument; values begin with '%'"));
  }

  /// What stands after the colon of a value's definition.
  [[nodiscard]] bool value_type(GraphValue& out) {
    std::string_view word_;
    skip_space();
    const std::size_t start = position();
    if (!word("a type", word_)) return false;
    const auto kind = kind_named<ValueKind>(word_, 8);
    if (const auto dtype = parse_dtype(word_); dtype && !kind) {
      out.kind = ValueKind::tensor;
      out.tensor.emplace().dtype = *dtype;
      return tensor_type(*out.tensor);
    }
    if (!kind) return fail_at(start, ErrorCode::corrupt_file, concat("'", word_, "' is no type"));
    out.kind = *kind;
    if (!take('(')) return true;
    if (peek() == '"') return quoted(out.class_name) && expect(')');
    if (out.kind == ValueKind::sym_int || out.kind == ValueKind::sym_float ||
        out.kind == ValueKind::sym_bool)
      return expression_tree(out.symbolic) && expect(')');
    if (!word("a dtype", word_)) return false;
    const auto dtype = parse_dtype(word_);
    if (!dtype) return fail("expected a dtype");
    out.tensor.emplace().dtype = *dtype;
    return tensor_type(*out.tensor) && expect(')');
  }

 private:
  [[nodiscard]] bool number_or_infinity(Constant& out) {
    std::int64_t integer = 0;
    double real = 0;
    bool is_integer = false;
    if (!number(integer, real, is_integer)) return false;
    if (is_integer)
      out = integer;
    else
      out = real;
    return true;
  }

  [[nodiscard]] bool real_number(double& out) {
    Constant constant;
    const std::size_t start = position();
    if (!scalar(constant)) return false;
    if (const auto* real = std::get_if<double>(&constant)) return out = *real, true;
    return fail_at(start, ErrorCode::corrupt_file, "expected a float");
  }

  [[nodiscard]] bool complex(std::complex<double>& out) {
    double real = 0;
    double imaginary = 0;
    if (!expect('(') || !real_number(real) || !expect(',') || !real_number(imaginary) ||
        !expect(')'))
      return false;
    out = {real, imaginary};
    return true;
  }

  [[nodiscard]] bool device(Device& out) {
    std::string_view text;
    if (!word("a device", text)) return false;
    const auto colon = text.find(':');
    out.type = parse_device_type(text.substr(0, colon));
    out.index = -1;
    if (colon == std::string_view::npos) return true;
    text.remove_prefix(colon + 1);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out.index);
    if (code == std::errc() && end == text.data() + text.size()) return true;
    return fail_at(position(), ErrorCode::corrupt_file, "a device's index is no number");
  }

  template <class Kind>
  [[nodiscard]] bool enumerator(int count, Kind& out) {
    std::string_view text;
    if (!expect('(') || !word("a name", text)) return false;
    const auto found = kind_named<Kind>(text, count);
    if (!found)
      return fail_at(position(), ErrorCode::corrupt_file, concat("unknown name '", text, '\''));
    out = *found;
    return expect(')');
  }

  [[nodiscard]] bool expression_tree(Expr& out) {
    skip_space();
    const std::size_t start = position();
    auto expr = parse_expr(expression());
    if (!expr) return fail_at(start, expr.error().code(), expr.error().message());
    out = *std::move(expr);
    return true;
  }

  [[nodiscard]] bool size(SymInt& out) {
    Expr expr;
    if (!expression_tree(expr)) return false;
    out = SymInt(std::move(expr));
    return true;
  }

  [[nodiscard]] bool dims(char close, SymDims& out) {
    out.clear();
    if (take(close)) return true;
    do {
      if (!size(out.emplace_back())) return false;
    } while (take(','));
    return expect(close);
  }

  /// The rest of a tensor's type, after its dtype.
  [[nodiscard]] bool tensor_type(TensorType& out) {
    if (!expect('[') || !dims(']', out.sizes)) return false;
    if (take('{')) {
      if (!dims('}', out.strides)) return false;
    } else {
      out.strides = contiguous_strides(out.sizes);
    }
    if (!take('<')) return true;
    do {
      if (!fact(out)) return false;
    } while (take(','));
    return expect('>');
  }

  [[nodiscard]] bool fact(TensorType& out) {
    if (take_word("grad")) return out.requires_grad = true;
    if (take_word("device")) return expect('=') && device(out.device);
    if (take_word("layout")) {
      std::string_view text;
      if (!expect('=') || !word("a layout", text)) return false;
      const auto found = kind_named<Layout>(text, 8);
      if (!found) return fail(concat("unknown layout '", text, '\''));
      out.layout = *found;
      return true;
    }
    if (!take_word("offset")) return fail("expected one of grad, device, layout and offset");
    return expect('=') && offset(out.storage_offset);
  }

  /// An offset ends at the next fact or at the closing angle bracket, which may also compare.
  [[nodiscard]] bool offset(SymInt& out) {
    if (peek() == '(') {
      if (!expect('(') || !size(out)) return false;
      return expect(')');
    }
    std::int64_t plain = 0;
    if (!integer(plain)) return false;
    out = plain;
    return true;
  }
};

}  // namespace treadle::inline v0::detail
