// Sorting one row, or finding elements of it by rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include <treadle/cpu/reduction/folds.hpp>
#include <treadle/cpu/reduction/row_plan.hpp>

namespace treadle::inline v0::cpu::detail {

/// A strict order of elements in which NaN is the largest.
template <class T>
bool comes_before(T a, T b, bool descending) noexcept {
  if (descending) std::swap(a, b);
  return a < b || (is_not_a_number(b) && !is_not_a_number(a));
}

/// Compares places by their elements, equal ones by themselves: any sort becomes a stable one.
template <class T>
struct PlaceOrder {
  const T* elements;
  bool descending;

  bool operator()(std::int64_t a, std::int64_t b) const noexcept {
    const T x = elements[a], y = elements[b];
    if (comes_before(x, y, descending)) return true;
    if (comes_before(y, x, descending)) return false;
    return a < b;
  }
};

template <class T>
void sort_loop(const RowParameters& p, const void* in, void* first, void* second, std::byte* work,
               std::int64_t n) {
  const auto* elements = static_cast<const T*>(in);
  auto* values = static_cast<T*>(first);
  auto* places =
      second ? static_cast<std::int64_t*>(second) : reinterpret_cast<std::int64_t*>(work);
  std::iota(places, places + n, std::int64_t{0});
  std::sort(places, places + n, PlaceOrder<T>{elements, p.descending});
  for (std::int64_t i = 0; i < n; ++i) values[i] = elements[places[i]];
}

/// Equal elements come in the order that PyTorch's choice of standard algorithms leaves them in: a
/// partial sort for small k, else a selection and a sort, both by elements alone. The k-th place is
/// not sorted again.
template <class T>
void topk_loop(const RowParameters& p, const void* in, void* first, void* second, std::byte* work,
               std::int64_t n) {
  const auto* elements = static_cast<const T*>(in);
  auto* values = static_cast<T*>(first);
  auto* places = reinterpret_cast<std::int64_t*>(work);
  std::iota(places, places + n, std::int64_t{0});
  const auto order = [&](std::int64_t a, std::int64_t b) {
    return comes_before(elements[a], elements[b], p.descending);
  };
  if (p.k * 64 <= n) {
    std::partial_sort(places, places + p.k, places + n, order);
  } else if (p.k > 0) {
    std::nth_element(places, places + p.k - 1, places + n, order);
    if (p.sorted) std::sort(places, places + p.k - 1, order);
  }
  for (std::int64_t i = 0; i < p.k; ++i) {
    values[i] = elements[places[i]];
    static_cast<std::int64_t*>(second)[i] = places[i];
  }
}

template <class T>
void write_place(const T* elements, std::int64_t place, void* value, void* place_out) {
  *static_cast<T*>(value) = elements[place];
  if (place_out) *static_cast<std::int64_t*>(place_out) = place;
}

/// The k-th smallest element, k from 1.
template <class T>
void kth_loop(const RowParameters& p, const void* in, void* first, void* second, std::byte* work,
              std::int64_t n) {
  const auto* elements = static_cast<const T*>(in);
  auto* places = reinterpret_cast<std::int64_t*>(work);
  std::iota(places, places + n, std::int64_t{0});
  std::nth_element(places, places + p.k - 1, places + n, PlaceOrder<T>{elements, false});
  write_place(elements, places[p.k - 1], first, second);
}

/// The lower median. Of elements with NaN it is NaN, or these are left out (`sorted` is false).
template <class T>
void median_loop(const RowParameters& p, const void* in, void* first, void* second, std::byte* work,
                 std::int64_t n) {
  const auto* elements = static_cast<const T*>(in);
  if (n == 0) {
    if constexpr (std::is_floating_point_v<T>)
      *static_cast<T*>(first) = std::numeric_limits<T>::quiet_NaN();
    else
      *static_cast<T*>(first) = lowest_value<T>();
    return;
  }
  const auto* nan = std::find_if(elements, elements + n, [](T x) { return is_not_a_number(x); });
  if (p.sorted && nan != elements + n) return write_place(elements, nan - elements, first, second);
  const std::int64_t count =
      std::count_if(elements, elements + n, [](T x) { return !is_not_a_number(x); });
  RowParameters middle = p;
  middle.k = std::max<std::int64_t>(1, (count + 1) / 2);
  kth_loop<T>(middle, in, first, second, work, n);
}

/// The most frequent element, the smallest of several, and its last place.
template <class T>
void mode_loop(const RowParameters&, const void* in, void* first, void* second, std::byte* work,
               std::int64_t n) {
  const auto* elements = static_cast<const T*>(in);
  auto* places = reinterpret_cast<std::int64_t*>(work);
  std::iota(places, places + n, std::int64_t{0});
  std::sort(places, places + n, PlaceOrder<T>{elements, false});
  std::int64_t best = 0, best_length = 0, length = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const bool same = i > 0 && elements[places[i]] == elements[places[i - 1]];
    length = same ? length + 1 : 1;
    if (length <= best_length) continue;
    best_length = length;
    best = places[i];
  }
  write_place(elements, best, first, second);
}

}  // namespace treadle::inline v0::cpu::detail
