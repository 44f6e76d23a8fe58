// Builds strings from pieces: what error messages are made of.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <treadle/config.hpp>
#include <treadle/core/error.hpp>

namespace treadle::inline v0 {
namespace detail {

/// One printable thing, its type erased: a call that prints costs its user's translation unit no
/// more than a small table of these. Refers to what it is made from.
class Piece {
 public:
  /// How a range writes itself.
  using Write = void (*)(std::string& out, const void* range);

  Piece(std::string_view piece) noexcept  // NOLINT: implicit on purpose, as all of them
      : kind_(Kind::text), size_(piece.size()), pointer_(piece.data()) {}
  Piece(const std::string& piece) noexcept : Piece(std::string_view(piece)) {}  // NOLINT
  Piece(const char* piece) noexcept : Piece(std::string_view(piece)) {}         // NOLINT
  Piece(char piece) noexcept : kind_(Kind::character), signed_(piece) {}        // NOLINT
  Piece(float piece) noexcept : kind_(Kind::real32), real_(double{piece}) {}    // NOLINT
  Piece(double piece) noexcept : kind_(Kind::real64), real_(piece) {}           // NOLINT

  template <std::integral Number>
    requires(!std::same_as<Number, char>)
  Piece(Number piece) noexcept {  // NOLINT
    if constexpr (std::same_as<Number, bool>) {
      kind_ = Kind::boolean;
      signed_ = piece ? 1 : 0;
    } else if constexpr (std::unsigned_integral<Number>) {
      kind_ = Kind::natural;
      unsigned_ = std::uint64_t{piece};
    } else {
      kind_ = Kind::integer;
      signed_ = std::int64_t{piece};
    }
  }
  /// Text of another class.
  template <class Text>
    requires(std::convertible_to<const Text&, std::string_view> && !std::is_array_v<Text> &&
             !std::is_pointer_v<Text> && !std::same_as<Text, Piece>)
  Piece(const Text& piece) noexcept  // NOLINT
      : Piece(static_cast<std::string_view>(piece)) {}
  /// Any range of printable pieces: `[2, 3, 4]`.
  template <class Range>
    requires(!std::convertible_to<const Range&, std::string_view> &&
             requires(const Range& r) {
               r.begin();
               r.end();
             })
  Piece(const Range& pieces) noexcept  // NOLINT
      : kind_(Kind::range), write_(&write_range<Range>), pointer_(&pieces) {}

  void append_to(std::string& out) const;

 private:
  enum class Kind : std::uint8_t {
    text,
    character,
    boolean,
    integer,
    natural,
    real32,
    real64,
    range
  };

  template <class Range>
  static void write_range(std::string& out, const void* range) {
    out.push_back('[');
    bool first = true;
    for (const auto& piece : *static_cast<const Range*>(range)) {
      if (!first) out.append(", ");
      first = false;
      Piece(piece).append_to(out);
    }
    out.push_back(']');
  }

  Kind kind_ = Kind::text;
  union {
    std::size_t size_;
    std::int64_t signed_;
    std::uint64_t unsigned_;
    double real_;
    Write write_;
  };
  const void* pointer_ = nullptr;
};

inline void append(std::string& out, const Piece& piece) { piece.append_to(out); }

[[nodiscard]] std::string join(const Piece* pieces, std::size_t count);
/// The same as an error, after `prefix`.
[[nodiscard]] Error join_error(ErrorCode code, std::string_view prefix, const Piece* pieces,
                               std::size_t count);

}  // namespace detail

[[nodiscard]] inline std::string concat() { return {}; }
/// Joins strings, numbers, bools and ranges of them into one string.
template <class... Pieces>
[[nodiscard]] std::string concat(const Pieces&... pieces) {
  const detail::Piece list[] = {pieces...};
  return detail::join(list, sizeof...(Pieces));
}

/// An error whose message is joined from pieces.
template <class... Pieces>
[[nodiscard]] Error make_error(ErrorCode code, const Pieces&... pieces) {
  const detail::Piece list[] = {pieces...};
  return detail::join_error(code, {}, list, sizeof...(Pieces));
}

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/core/concat-inl.hpp>
#endif
