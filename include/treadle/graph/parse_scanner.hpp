// Takes graph text apart into words, strings and numbers.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>
#include <treadle/graph/parse.hpp>
#include <treadle/graph/print_literal.hpp>

namespace treadle::inline v0::detail {

/// Reads from left to right; functions that return false have set the error.
class GraphScanner {
 public:
  explicit GraphScanner(std::string_view text) : text_(text) {}

  [[nodiscard]] Error take_error() { return std::move(error_); }
  [[nodiscard]] std::size_t position() const noexcept { return at_; }

  /// Goes back to an earlier position and forgets what failed since.
  void rewind(std::size_t position) {
    at_ = position;
    error_ = {};
  }

  /// Fails at a position, told as line and column.
  bool fail_at(std::size_t position, ErrorCode code, std::string_view message) {
    std::size_t line = 1;
    std::size_t column = 1;
    for (std::size_t i = 0; i < position && i < text_.size(); ++i) {
      ++column;
      if (text_[i] == '\n') {
        ++line;
        column = 1;
      }
    }
    error_ = Error(code, concat("graph text, ", line, ':', column, ": ", message));
    return false;
  }
  bool fail(std::string_view message) {
    return fail_at(at_, ErrorCode::corrupt_file, concat(message, ", found ", found()));
  }

  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        ++at_;
      } else {
        return;
      }
    }
  }
  /// The next character that is not space; 0 at the end.
  [[nodiscard]] char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  [[nodiscard]] bool at_end() { return peek() == '\0' && at_ >= text_.size(); }
  [[nodiscard]] bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] bool expect(char c) { return take(c) ? true : fail(concat("expected '", c, '\'')); }
  /// The next word without moving; empty if there is none.
  [[nodiscard]] std::string_view peek_word() {
    skip_space();
    std::size_t end = at_;
    while (end < text_.size() && is_text_word(text_[end])) ++end;
    std::string_view word = text_.substr(at_, end - at_);
    while (!word.empty() && word.back() == ':') word.remove_suffix(1);
    return word;
  }
  [[nodiscard]] bool take_word(std::string_view word) {
    if (peek_word() != word) return false;
    at_ += word.size();
    return true;
  }
  [[nodiscard]] bool expect_word(std::string_view word) {
    return take_word(word) ? true : fail(concat("expected '", word, '\''));
  }
  [[nodiscard]] bool word(std::string_view what, std::string_view& out) {
    out = peek_word();
    if (out.empty()) return fail(concat("expected ", what));
    at_ += out.size();
    return true;
  }

  /// A name, plain or in quotes.
  [[nodiscard]] bool name(std::string_view what, std::string& out) {
    if (peek() == '"') return quoted(out);
    std::string_view plain;
    if (!word(what, plain)) return false;
    out = plain;
    return true;
  }

  [[nodiscard]] bool quoted(std::string& out) {
    if (peek() != '"') return fail("expected a string in quotes");
    const std::size_t start = at_++;
    out.clear();
    while (at_ < text_.size() && text_[at_] != '"')
      if (!character(out)) return false;
    if (at_ >= text_.size())
      return fail_at(start, ErrorCode::corrupt_file, "the string that begins here has no end");
    ++at_;
    return true;
  }

  [[nodiscard]] bool integer(std::int64_t& out) {
    skip_space();
    const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), out);
    if (code != std::errc()) return fail("expected an integer of 64 bits");
    at_ = static_cast<std::size_t>(end - text_.data());
    return true;
  }

  /// Any number; `is_integer` tells which of the two was read.
  [[nodiscard]] bool number(std::int64_t& integer, double& real, bool& is_integer) {
    skip_space();
    const char* first = text_.data() + at_;
    const char* last = text_.data() + text_.size();
    const auto whole = std::from_chars(first, last, integer);
    const auto fraction = std::from_chars(first, last, real);
    if (fraction.ec != std::errc()) return fail("expected a number");
    is_integer = whole.ec == std::errc() && whole.ptr == fraction.ptr;
    if (whole.ptr == fraction.ptr && !is_integer) return fail("expected a number of 64 bits");
    at_ += static_cast<std::size_t>(fraction.ptr - first);
    return true;
  }

  /// The text up to a comma or closing bracket that is not nested or in quotes: an expression.
  [[nodiscard]] std::string_view expression() {
    skip_space();
    const std::size_t start = at_;
    std::size_t depth = 0;
    for (char quote = '\0'; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const char c = text_[at_];
      if (quote != '\0') {
        if (c == '\\') ++at_;
        if (c == quote) quote = '\0';
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth;
      } else if (depth == 0 && (c == ')' || c == ']' || c == '}' || c == ',')) {
        break;
      } else if (c == ')' || c == ']' || c == '}') {
        --depth;
      }
    }
    if (at_ > text_.size()) at_ = text_.size();
    return text_.substr(start, at_ - start);
  }

 private:
  /// What stands here, for messages.
  [[nodiscard]] std::string found() const {
    if (at_ >= text_.size()) return "the end of the text";
    std::string_view rest = text_.substr(at_, 16);
    rest = rest.substr(0, rest.find('\n'));
    std::string out;
    append_quoted(out, rest);
    return out;
  }

  [[nodiscard]] bool character(std::string& out) {
    const char c = text_[at_++];
    if (c != '\\') {
      out += c;
      return true;
    }
    if (at_ >= text_.size()) return fail("expected a character after '\\'");
    const char escape = text_[at_++];
    if (escape == 'n') {
      out += '\n';
    } else if (escape == '"' || escape == '\\') {
      out += escape;
    } else if (escape == 'x') {
      unsigned value = 0;
      const char* first = text_.data() + at_;
      const std::size_t left = text_.size() - at_;
      const auto [end, code] = std::from_chars(first, first + (left < 2 ? left : 2), value, 16);
      if (code != std::errc() || end != first + 2) return fail("expected two hexadecimal digits");
      at_ += 2;
      out += static_cast<char>(value);
    } else {
      --at_;
      return fail("expected one of n, x, \" and \\ after '\\'");
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Error error_;
};

}  // namespace treadle::inline v0::detail
