// The shape of names that stand in expression text without quotes.
#pragma once

#include <cstddef>
#include <string_view>

namespace treadle::inline v0::detail {

[[nodiscard]] constexpr bool is_name_start(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_name_part(char c) noexcept {
  return is_name_start(c) || is_digit(c);
}

/// Words that have a meaning of their own in expression text.
[[nodiscard]] constexpr bool is_reserved(std::string_view word) noexcept {
  constexpr std::string_view words[] = {"and",         "or",
                                        "not",         "if",
                                        "else",        "True",
                                        "False",       "true",
                                        "false",       "oo",
                                        "int_oo",      "Infinity",
                                        "inf",         "nan",
                                        "NaN",         "NegativeInfinity",
                                        "IntInfinity", "NegativeIntInfinity",
                                        "pi",          "E",
                                        "None",        "is",
                                        "in",          "lambda"};
  for (const std::string_view reserved : words)
    if (word == reserved) return true;
  return false;
}

/// Length of the identifier at the start of a text; 0 if there is none.
[[nodiscard]] constexpr std::size_t identifier_length(std::string_view text) noexcept {
  if (text.empty() || !is_name_start(text[0])) return 0;
  std::size_t length = 1;
  while (length < text.size() && is_name_part(text[length])) ++length;
  return length;
}

/// Length of a bracketed key, `['x']` or `[0]` or `[-1]`, at the start of a text; 0 if there is
/// none.
[[nodiscard]] constexpr std::size_t key_length(std::string_view text) noexcept {
  if (text.size() < 3 || text[0] != '[') return 0;
  std::size_t at = 1;
  if (text[at] == '\'' || text[at] == '"') {
    const char quote = text[at++];
    while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
    ++at;
  } else {
    if (text[at] == '-') ++at;
    const std::size_t first = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at == first) return 0;
  }
  return at < text.size() && text[at] == ']' ? at + 1 : 0;
}

/// Length of a source reference, `L['x'].size()[0]`, at the start of a text: an identifier with at
/// least one key, attribute or empty call after it; 0 if there is none.
[[nodiscard]] constexpr std::size_t source_length(std::string_view text) noexcept {
  const std::size_t first = identifier_length(text);
  std::size_t at = first;
  while (at != 0 && at < text.size()) {
    const std::string_view rest = text.substr(at);
    std::size_t step = key_length(rest);
    if (rest[0] == '.') {
      const std::size_t name = identifier_length(rest.substr(1));
      step = name == 0 ? 0 : name + 1;
    }
    if (rest.starts_with("()") && at != first) step = 2;
    if (step == 0) break;
    at += step;
  }
  return at == first ? 0 : at;
}

}  // namespace treadle::inline v0::detail
