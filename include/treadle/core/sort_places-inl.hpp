// Definitions of sort_places.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <treadle/core/sort_places.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE void sort_places(std::span<std::size_t> places,
                                FunctionRef<bool(std::size_t, std::size_t)> before) {
  std::sort(places.begin(), places.end(), before);
}

TREADLE_INLINE void sort_places(std::span<std::uint32_t> places,
                                FunctionRef<bool(std::uint32_t, std::uint32_t)> before) {
  std::sort(places.begin(), places.end(), before);
}

TREADLE_INLINE std::vector<std::size_t> sorted_places(
    std::size_t count, FunctionRef<bool(std::size_t, std::size_t)> before) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  sort_places(places, before);
  return places;
}

}  // namespace treadle::inline v0
