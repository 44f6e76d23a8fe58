// Sorting one row, or finding elements of it by rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <treadle/cpu/reduction/folds.hpp>
#include <treadle/cpu/reduction/row_plan.hpp>
#include <treadle/cpu/sort/order_key.hpp>

namespace treadle::inline v0::cpu::detail {

template <class T>
void take_places(const T* elements, const RankedPlace* ranked, std::int64_t count, T* values,
                 std::int64_t* places) noexcept {
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = elements[ranked[i].place];
    if (places) places[i] = ranked[i].place;
  }
}

/// The elements of a row, not sorted yet; `work` holds one for each.
template <class T>
RankedPlace* rank_row(const void* in, std::int64_t n, bool descending, std::byte* work) noexcept {
  auto* ranked = reinterpret_cast<RankedPlace*>(work);
  rank_places(static_cast<const T*>(in), n, descending, ranked);
  return ranked;
}

template <class T>
void sort_loop(const RowParameters& p, const void* in, void* first, void* second, std::byte* work,
               std::int64_t n) {
  RankedPlace* ranked = rank_row<T>(in, n, p.descending, work);
  sort_ranked(ranked, ranked + n);
  take_places(static_cast<const T*>(in), ranked, n, static_cast<T*>(first),
              static_cast<std::int64_t*>(second));
}

/// Equal elements come in the order that PyTorch's choice of standard algorithms leaves them in: a
/// partial sort for small k, else a selection and a sort, both by elements alone. The k-th place is
/// not sorted again.
inline void select_top(RankedPlace* ranked, std::int64_t n, std::int64_t k, bool sorted) {
  const auto order = [](const RankedPlace& a, const RankedPlace& b) { return by_key(a, b); };
  if (k * 64 <= n) {
    std::partial_sort(ranked, ranked + k, ranked + n, order);
  } else if (k > 0) {
    std::nth_element(ranked, ranked + k - 1, ranked + n, order);
    if (sorted) std::sort(ranked, ranked + k - 1, order);
  }
}
template <class T>
void topk_loop(const RowParameters& p, const void* in, void* first, void* second, std::byte* work,
               std::int64_t n) {
  RankedPlace* ranked = rank_row<T>(in, n, p.descending, work);
  select_top(ranked, n, p.k, p.sorted);
  take_places(static_cast<const T*>(in), ranked, p.k, static_cast<T*>(first),
              static_cast<std::int64_t*>(second));
}

template <class T>
void write_place(const T* elements, std::int64_t place, void* value, void* place_out) {
  *static_cast<T*>(value) = elements[place];
  if (place_out) *static_cast<std::int64_t*>(place_out) = place;
}

inline void select_ranked(RankedPlace* ranked, std::int64_t n, std::int64_t k) {
  std::nth_element(ranked, ranked + k - 1, ranked + n,
                   [](const auto& a, const auto& b) { return by_key_and_place(a, b); });
}
/// The k-th smallest element, k from 1.
template <class T>
void kth_loop(const RowParameters& p, const void* in, void* first, void* second, std::byte* work,
              std::int64_t n) {
  RankedPlace* ranked = rank_row<T>(in, n, false, work);
  select_ranked(ranked, n, p.k);
  write_place(static_cast<const T*>(in), ranked[p.k - 1].place, first, second);
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
  RankedPlace* ranked = rank_row<T>(in, n, false, work);
  sort_ranked(ranked, ranked + n);
  std::int64_t best = 0, best_length = 0, length = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const bool same = i > 0 && elements[ranked[i].place] == elements[ranked[i - 1].place];
    length = same ? length + 1 : 1;
    if (length <= best_length) continue;
    best_length = length;
    best = ranked[i].place;
  }
  write_place(elements, best, first, second);
}

}  // namespace treadle::inline v0::cpu::detail
