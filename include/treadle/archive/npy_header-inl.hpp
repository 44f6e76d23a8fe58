// Parses the Python dictionary at the head of a `.npy` file.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/archive/failure.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/config.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {
namespace detail::npy {

struct Descriptor {
  std::string_view text;  ///< kind and size, without the byte order
  DType dtype;
};

inline constexpr Descriptor descriptors[] = {
    {"b1", DType::bool_},     {"u1", DType::uint8},       {"i1", DType::int8},
    {"i2", DType::int16},     {"i4", DType::int32},       {"i8", DType::int64},
    {"u2", DType::uint16},    {"u4", DType::uint32},      {"u8", DType::uint64},
    {"f2", DType::float16},   {"f4", DType::float32},     {"f8", DType::float64},
    {"c8", DType::complex64}, {"c16", DType::complex128},
};

/// What the dictionary says.
struct Header {
  std::optional<DType> dtype;
  std::optional<bool> fortran_order;
  std::optional<Dims> sizes;
};

[[nodiscard]] inline Result<DType> parse_descriptor(std::string_view text) {
  if (text.size() >= 2 && text.front() == '>' && text.substr(1) != "b1" && text.substr(1) != "u1" &&
      text.substr(1) != "i1")
    return unsupported_file("big-endian arrays (", in_quotes(text), ") are not read");
  if (text.size() >= 2 && std::string_view("<>|=").find(text.front()) != std::string_view::npos)
    for (const auto& known : descriptors)
      if (text.substr(1) == known.text) return known.dtype;
  return unsupported_file("arrays of dtype ", in_quotes(text), " are not read");
}

/// A cursor over the dictionary's text.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const LoadLimits& limits) noexcept
      : rest_(text), limits_(limits) {}

  [[nodiscard]] Result<Header> parse() {
    Header header;
    if (!eat('{')) return malformed();
    while (!eat('}')) {
      const auto key = string();
      if (!key || !eat(':')) return malformed();
      TREADLE_CHECK(field(*key, header));
      if (eat(',')) continue;
      if (!eat('}')) return malformed();
      break;
    }
    skip_space();
    if (!rest_.empty() || !header.dtype || !header.fortran_order || !header.sizes)
      return malformed();
    return header;
  }

 private:
  [[nodiscard]] static Error malformed() {
    return corrupt_file("the .npy header is not a dictionary of 'descr', 'fortran_order' and ",
                        "'shape'");
  }

  void skip_space() noexcept {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != rest_.npos)
      rest_.remove_prefix(1);
  }
  [[nodiscard]] bool eat(char expected) noexcept {
    skip_space();
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] bool eat_word(std::string_view word) noexcept {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  /// A quoted string without escapes, or nothing.
  [[nodiscard]] std::optional<std::string_view> string() noexcept {
    skip_space();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
    const auto end = rest_.find(rest_.front(), 1);
    if (end == rest_.npos) return std::nullopt;
    const auto text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }

  [[nodiscard]] Status field(std::string_view key, Header& header) {
    if (key == "descr" && !header.dtype) {
      if (eat('[')) return unsupported_file("structured arrays are not read");
      const auto text = string();
      if (!text) return malformed();
      TREADLE_TRY(header.dtype, parse_descriptor(*text));
      return {};
    }
    if (key == "fortran_order" && !header.fortran_order) {
      if (eat_word("True"))
        header.fortran_order = true;
      else if (eat_word("False"))
        header.fortran_order = false;
      else
        return malformed();
      return {};
    }
    if (key == "shape" && !header.sizes) {
      TREADLE_TRY(header.sizes, shape());
      return {};
    }
    return corrupt_file("the .npy header has an unknown or repeated key ", in_quotes(key));
  }

  [[nodiscard]] Result<Dims> shape() {
    Dims sizes;
    if (!eat('(')) return malformed();
    while (!eat(')')) {
      skip_space();
      std::int64_t size = 0;
      const auto parsed = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (parsed.ec != std::errc() || size < 0)
        return corrupt_file("the .npy header has a negative, too large or malformed size");
      rest_.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest_.data()));
      if (sizes.size() >= limits_.max_rank)
        return limit_exceeded("the array has more dimensions than max_rank, ", limits_.max_rank);
      sizes.push_back(size);
      if (eat(',')) continue;
      if (!eat(')') || sizes.size() == 1) return malformed();
      break;
    }
    return sizes;
  }

  std::string_view rest_;
  const LoadLimits& limits_;
};

}  // namespace detail::npy
}  // namespace treadle::inline v0
