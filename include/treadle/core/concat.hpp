// Builds strings from pieces: what error messages are made of.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace treadle::inline v0 {
namespace detail {

inline void append(std::string& out, std::string_view piece) { out.append(piece); }
inline void append(std::string& out, char piece) { out.push_back(piece); }

/// A template, so that text literals do not decay to it.
template <std::same_as<bool> Bool>
void append(std::string& out, Bool piece) {
  out.append(piece ? "true" : "false");
}

template <class Number>
  requires(std::integral<Number> && !std::same_as<Number, bool> && !std::same_as<Number, char>)
void append(std::string& out, Number piece) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof(text), piece).ptr;
  out.append(text, end);
}

/// Shortest text that reads back as the same number.
template <std::floating_point Number>
void append(std::string& out, Number piece) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof(text), piece).ptr;
  out.append(text, end);
}

/// Any range of printable pieces: `[2, 3, 4]`.
template <class Range>
  requires(!std::convertible_to<const Range&, std::string_view> &&
           requires(const Range& r) {
             r.begin();
             r.end();
           })
void append(std::string& out, const Range& pieces) {
  out.push_back('[');
  bool first = true;
  for (const auto& piece : pieces) {
    if (!first) out.append(", ");
    first = false;
    append(out, piece);
  }
  out.push_back(']');
}

}  // namespace detail

/// Joins strings, numbers, bools and ranges of them into one string.
template <class... Pieces>
[[nodiscard]] std::string concat(const Pieces&... pieces) {
  std::string out;
  (detail::append(out, pieces), ...);
  return out;
}

}  // namespace treadle::inline v0
