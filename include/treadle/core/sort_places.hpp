// Sorts by what numbers stand for: one sort for all orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/function_ref.hpp>

namespace treadle::inline v0 {

/// Sorts places of a table; `before(a, b)` tells whether place `a` comes before place `b`. Equal
/// ones come in any order. For what runs once: each comparison is a call, so that a program has
/// this sort once and not once for each order.
void sort_places(std::span<std::size_t> places, FunctionRef<bool(std::size_t, std::size_t)> before);
void sort_places(std::span<std::uint32_t> places,
                 FunctionRef<bool(std::uint32_t, std::uint32_t)> before);
/// The places of `count` rows in their order.
[[nodiscard]] std::vector<std::size_t> sorted_places(
    std::size_t count, FunctionRef<bool(std::size_t, std::size_t)> before);
/// Sorts numbers, the smallest first.
inline void sort_numbers(std::span<std::size_t> numbers) {
  sort_places(numbers, [](std::size_t a, std::size_t b) { return a < b; });
}
inline void sort_numbers(std::span<std::uint32_t> numbers) {
  sort_places(numbers, [](std::uint32_t a, std::uint32_t b) { return a < b; });
}

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/core/sort_places-inl.hpp>
#endif
