// What elements of every type are ordered by: one kind of number, so that each sort exists once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <treadle/cpu/reduction/folds.hpp>

namespace treadle::inline v0::cpu::detail {

/// The key of every NaN; floats have no larger one.
inline constexpr std::int64_t nan_key = std::numeric_limits<std::int64_t>::max();

/// A number that is smaller the earlier the element comes: NaN is the last, and equal elements,
/// such as the two zeros, have equal keys.
template <class T>
[[nodiscard]] std::int64_t order_key(T x) noexcept {
  if constexpr (std::is_integral_v<T>) {
    return x;
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    if (is_not_a_number(x)) return nan_key;
    const auto bits = std::bit_cast<Bits>(x + T(0));  // a negative zero becomes the other one
    // Magnitude and sign: the bits of negative numbers grow as the numbers fall.
    return bits < 0 ? bits ^ std::numeric_limits<Bits>::max() : bits;
  }
}

/// An element's key and where the element is.
struct RankedPlace {
  std::int64_t key, place;
};

/// Ranks `n` elements, the last one first if `descending`.
template <class T>
void rank_places(const T* elements, std::int64_t n, bool descending, RankedPlace* out) noexcept {
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t key = order_key(elements[i]);
    out[i] = {descending ? ~key : key, i};
  }
}

[[nodiscard]] inline bool by_key(const RankedPlace& a, const RankedPlace& b) noexcept {
  return a.key < b.key;
}
/// Equal elements in the order of their places: any sort becomes a stable one.
[[nodiscard]] inline bool by_key_and_place(const RankedPlace& a, const RankedPlace& b) noexcept {
  return a.key < b.key || (a.key == b.key && a.place < b.place);
}

/// Sorts by key, equal keys by place.
inline void sort_ranked(RankedPlace* first, RankedPlace* last) {
  std::sort(first, last, [](const auto& a, const auto& b) { return by_key_and_place(a, b); });
}

}  // namespace treadle::inline v0::cpu::detail
