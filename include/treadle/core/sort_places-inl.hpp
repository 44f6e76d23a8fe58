// Definitions of sort_places.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace treadle::inline v0
