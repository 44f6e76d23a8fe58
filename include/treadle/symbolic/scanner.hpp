// Walks over expression text piece by piece.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/expr.hpp>
#include <treadle/symbolic/source_name.hpp>

namespace treadle::inline v0::detail {

/// A place in a text that outlives it. Every look skips white space first.
class Scanner {
 public:
  explicit Scanner(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] std::string_view rest() noexcept {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
    return text_.substr(at_);
  }
  [[nodiscard]] bool done() noexcept { return rest().empty(); }
  [[nodiscard]] bool sees(std::string_view piece) noexcept { return rest().starts_with(piece); }
  void skip(std::size_t count) noexcept { at_ += count; }
  [[nodiscard]] std::size_t place() const noexcept { return at_; }
  void back_to(std::size_t place) noexcept { at_ = place; }

  /// Steps over a piece if it is next.
  bool take(std::string_view piece) noexcept {
    if (!sees(piece)) return false;
    skip(piece.size());
    return true;
  }
  [[nodiscard]] std::string_view word() noexcept {
    const std::string_view text = rest();
    return text.substr(0, identifier_length(text));
  }
  bool take_word(std::string_view wanted) noexcept {
    if (word() != wanted) return false;
    skip(wanted.size());
    return true;
  }
  Status expect(std::string_view piece) {
    if (take(piece)) return {};
    return fail(concat("expected '", piece, "', found ", found()));
  }

  [[nodiscard]] std::string found() {
    const std::string_view text = rest();
    if (text.empty()) return "the end";
    return concat('\'', text.substr(0, 12), '\'');
  }
  [[nodiscard]] Error fail(std::string_view what, ErrorCode code = ErrorCode::corrupt_file) {
    return {code, concat("column ", at_ + 1, " of expression: ", what)};
  }

  /// An unsigned number; `negative` when its minus sign has been read.
  Result<Expr> number(bool negative) {
    const std::string_view text = rest();
    std::size_t length = 0;
    bool real = false;
    const auto digits = [&] {
      while (length < text.size() && is_digit(text[length])) ++length;
    };
    digits();
    if (length < text.size() && text[length] == '.') real = true, ++length, digits();
    if (length + 1 < text.size() && (text[length] == 'e' || text[length] == 'E')) {
      const bool sign = text[length + 1] == '-' || text[length + 1] == '+';
      const std::size_t first = length + (sign ? 2U : 1U);
      if (first < text.size() && is_digit(text[first])) real = true, length = first, digits();
    }
    if (length < text.size() && is_name_part(text[length]))
      return fail(concat("expected a number, found ", found()));
    const std::string_view piece = text.substr(0, length);
    auto value = real ? real_of(piece, negative) : integer_of(piece, negative);
    if (value) skip(length);
    return value;
  }

  Result<Expr> real_of(std::string_view piece, bool negative) {
    double value = 0;
    const auto [end, failure] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
    if (failure != std::errc() || end != piece.data() + piece.size())
      return fail(concat("'", piece.substr(0, 40), "' is not a float"));
    return make_real(negative ? -value : value);
  }

  /// A quoted text with Python's backslash before quotes and backslashes.
  Result<std::string> quoted_text() {
    const std::string_view text = rest();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return fail(concat("expected a quoted text, found ", found()));
    std::string value;
    std::size_t i = 1;
    for (; i < text.size() && text[i] != text[0]; ++i) {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      value += text[i];
    }
    if (i >= text.size()) return fail("a quoted text has no end");
    skip(i + 1);
    return value;
  }

 private:
  Result<Expr> integer_of(std::string_view piece, bool negative) {
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
    const std::uint64_t limit = (std::uint64_t{1} << 63) - (negative ? 0U : 1U);
    if (failure == std::errc::result_out_of_range || value > limit)
      return fail(concat("integer ", piece.substr(0, 40), " does not fit in 64 bits"));
    if (failure != std::errc() || end != piece.data() + piece.size())
      return fail(concat("expected a number, found ", found()));
    return make_integer(static_cast<std::int64_t>(negative ? ~value + 1 : value));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace treadle::inline v0::detail
