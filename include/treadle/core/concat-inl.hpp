// Definitions of the string building.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/core/concat.hpp>

namespace treadle::inline v0::detail {

/// Numbers, floats as the shortest text that reads back as the same number.
template <class Number>
void append_number(std::string& out, Number number) {
  char text[40];
  out.append(text, std::to_chars(text, text + sizeof(text), number).ptr);
}

TREADLE_INLINE void Piece::append_to(std::string& out) const {
  switch (kind_) {
    case Kind::text: out.append(static_cast<const char*>(pointer_), size_); break;
    case Kind::character: out.push_back(static_cast<char>(signed_)); break;
    case Kind::boolean: out.append(signed_ != 0 ? "true" : "false"); break;
    case Kind::integer: append_number(out, signed_); break;
    case Kind::natural: append_number(out, unsigned_); break;
    case Kind::real32: append_number(out, static_cast<float>(real_)); break;
    case Kind::real64: append_number(out, real_); break;
    case Kind::range: write_(out, pointer_); break;
  }
}

TREADLE_INLINE std::string join(const Piece* pieces, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) pieces[i].append_to(out);
  return out;
}

[[gnu::cold]] TREADLE_INLINE Error join_error(ErrorCode code, std::string_view prefix,
                                              const Piece* pieces, std::size_t count) {
  std::string message(prefix);
  if (!prefix.empty()) message.append(": ");
  for (std::size_t i = 0; i < count; ++i) pieces[i].append_to(message);
  return {code, std::move(message)};
}

}  // namespace treadle::inline v0::detail
