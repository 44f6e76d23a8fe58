// Triangular factors of matrices, and systems solved with them.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/cpu/linalg/matrix_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

/// The size that pivots are compared by: |re| + |im|.
template <class T>
[[nodiscard]] RealNumber<T> pivot_size(T x) noexcept {
  if constexpr (std::is_same_v<T, RealNumber<T>>)
    return std::abs(x);
  else
    return std::abs(x.real()) + std::abs(x.imag());
}

/// `row[k] -= factor * other[k]`.
template <class T>
void subtract_row(T* row, const T* other, T factor, std::int64_t n) noexcept {
  for (std::int64_t k = 0; k < n; ++k) row[k] -= factor * other[k];
}

/// P A = L U in place, L with ones on its diagonal; `pivots` count from 1. Gives the number of the
/// first zero on U's diagonal, or 0 (Golub and Van Loan, algorithm 3.4.1).
template <class T>
std::int64_t factor_lu(MatrixView<T> a, std::int64_t* pivots, bool exchange = true) noexcept {
  const std::int64_t steps = std::min(a.rows, a.columns);
  std::int64_t first_zero = 0;
  for (std::int64_t j = 0; j < steps; ++j) {
    std::int64_t best = j;
    for (std::int64_t i = j + 1; exchange && i < a.rows; ++i)
      if (pivot_size(a(i, j)) > pivot_size(a(best, j))) best = i;
    if (pivots) pivots[j] = best + 1;
    if (best != j) std::swap_ranges(&a(j, 0), &a(j, 0) + a.columns, &a(best, 0));
    if (a(j, j) == T(0)) {
      if (first_zero == 0) first_zero = j + 1;
      continue;
    }
    for (std::int64_t i = j + 1; i < a.rows; ++i) {
      a(i, j) /= a(j, j);
      subtract_row(&a(i, j) + 1, &a(j, j) + 1, a(i, j), a.columns - j - 1);
    }
  }
  return first_zero;
}

/// How a matrix takes part in a product or system.
enum class MatrixForm { plain, transposed, adjoint };

/// Solves op(A) X = B in place of B. `upper` is about A itself; `unit` takes its diagonal for ones.
template <class T>
void solve_triangle(MatrixView<T> a, MatrixView<T> b, bool upper, bool unit,
                    MatrixForm form = MatrixForm::plain) noexcept {
  const std::int64_t n = b.rows;
  const bool from_below = upper == (form == MatrixForm::plain);
  const auto element = [&](std::int64_t i, std::int64_t k) {
    if (form == MatrixForm::plain) return a(i, k);
    return form == MatrixForm::adjoint ? conjugate(a(k, i)) : a(k, i);
  };
  for (std::int64_t step = 0; step < n; ++step) {
    const std::int64_t i = from_below ? n - 1 - step : step;
    T* const row = b.data + i * b.columns;
    for (std::int64_t done = 0; done < step; ++done) {
      const std::int64_t k = from_below ? n - 1 - done : done;
      subtract_row(row, b.data + k * b.columns, element(i, k), b.columns);
    }
    if (unit) continue;
    const T pivot = element(i, i);
    for (std::int64_t k = 0; k < b.columns; ++k) row[k] /= pivot;
  }
}

/// Exchanges rows as the pivots say; `back` undoes it.
template <class T>
void exchange_rows(MatrixView<T> b, const std::int64_t* pivots, std::int64_t count,
                   bool back) noexcept {
  for (std::int64_t step = 0; step < count; ++step) {
    const std::int64_t i = back ? count - 1 - step : step, other = pivots[i] - 1;
    if (other != i && other >= 0 && other < b.rows)
      std::swap_ranges(b.data + i * b.columns, b.data + (i + 1) * b.columns,
                       b.data + other * b.columns);
  }
}

/// Solves op(A) X = B in place of B, A given by its factors.
template <class T>
void solve_lu(MatrixView<T> lu, const std::int64_t* pivots, MatrixView<T> b,
              MatrixForm form = MatrixForm::plain) noexcept {
  if (form == MatrixForm::plain) {
    exchange_rows(b, pivots, lu.rows, false);
    solve_triangle(lu, b, false, true);
    solve_triangle(lu, b, true, false);
    return;
  }
  solve_triangle(lu, b, true, false, form);
  solve_triangle(lu, b, false, true, form);
  exchange_rows(b, pivots, lu.rows, true);
}

/// A = L L^H in place of the lower triangle, the rest zeroed. Gives the order of the first leading
/// minor that is not positive, or 0 (Golub and Van Loan, algorithm 4.2.1).
template <class T>
std::int64_t factor_cholesky(MatrixView<T> a) noexcept {
  for (std::int64_t j = 0; j < a.rows; ++j) {
    for (std::int64_t i = j; i < a.rows; ++i) {
      T sum = a(i, j);
      for (std::int64_t k = 0; k < j; ++k) sum -= a(i, k) * conjugate(a(j, k));
      if (i > j) {
        a(i, j) = sum / a(j, j);
        continue;
      }
      const auto pivot = real_part(sum);
      if (!(pivot > 0)) return j + 1;
      a(j, j) = std::sqrt(pivot);
    }
    std::fill_n(&a(j, j) + 1, a.columns - j - 1, T(0));
  }
  return 0;
}

/// `to` is `from` transposed or its adjoint.
template <class T>
void transpose_into(MatrixView<T> from, MatrixView<T> to, bool adjoint = false) noexcept {
  for (std::int64_t i = 0; i < from.rows; ++i)
    for (std::int64_t j = 0; j < from.columns; ++j)
      to(j, i) = adjoint ? conjugate(from(i, j)) : from(i, j);
}

}  // namespace treadle::inline v0::cpu::detail
