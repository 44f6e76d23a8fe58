// Makes the errors that readers of files return.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>

namespace treadle::inline v0 {
namespace detail {

template <class... Pieces>
[[nodiscard]] Error corrupt_file(const Pieces&... pieces) {
  return make_error(ErrorCode::corrupt_file, pieces...);
}
template <class... Pieces>
[[nodiscard]] Error unsupported_file(const Pieces&... pieces) {
  return make_error(ErrorCode::unsupported_file, pieces...);
}
template <class... Pieces>
[[nodiscard]] Error limit_exceeded(const Pieces&... pieces) {
  return make_error(ErrorCode::limit_exceeded, pieces...);
}
template <class... Pieces>
[[nodiscard]] Error io_error(const Pieces&... pieces) {
  return make_error(ErrorCode::io, pieces...);
}

/// Text from a file, fit for a message: in quotes, control characters replaced, at most 120 long.
[[nodiscard]] inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 120;
  std::string out = "'";
  for (const char c : text.substr(0, longest))
    out.push_back(static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c);
  if (text.size() > longest) out.append("...");
  out.push_back('\'');
  return out;
}

}  // namespace detail
}  // namespace treadle::inline v0
