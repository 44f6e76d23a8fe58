// What blockwise attention does with rows of scores.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <treadle/cpu/simd/vector_math.hpp>

namespace treadle::inline v0::cpu::detail {

/// Row functions for float (vectorised) and double.
template <class T>
class RowMath {
 public:
  RowMath(const simd::VectorMaps& maps, const simd::VectorReductions& reductions) noexcept
      : maps_(&maps), reductions_(&reductions) {}

  /// The largest element, NaN if there is one, -inf for an empty row.
  [[nodiscard]] T max(const T* row, std::size_t n) const {
    if constexpr (std::is_same_v<T, float>) {
      return reductions_->reduce_max(row, n);
    } else {
      T best = -std::numeric_limits<T>::infinity();
      for (std::size_t i = 0; i < n; ++i)
        if (!(row[i] <= best)) best = row[i];
      return best;
    }
  }
  /// row = exp(row - max); returns the sum.
  T exp_sum(T* row, T max, std::size_t n) const {
    if constexpr (std::is_same_v<T, float>) {
      return reductions_->exp_sum(row, max, row, n);
    } else {
      T sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += row[i] = std::exp(row[i] - max);
      return sum;
    }
  }
  void add(T* row, const T* other, std::size_t n) const {
    if constexpr (std::is_same_v<T, float>) {
      maps_->add(row, other, row, n);
    } else {
      for (std::size_t i = 0; i < n; ++i) row[i] += other[i];
    }
  }
  void scale(const T* row, T factor, T* out, std::size_t n) const {
    if constexpr (std::is_same_v<T, float>) {
      maps_->mul_scalar(row, factor, out, n);
    } else {
      for (std::size_t i = 0; i < n; ++i) out[i] = row[i] * factor;
    }
  }

 private:
  const simd::VectorMaps* maps_;
  const simd::VectorReductions* reductions_;
};

}  // namespace treadle::inline v0::cpu::detail
