// Householder reflections, with the signs of LAPACK.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <treadle/cpu/linalg/matrix_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

/// Elements at equal distances.
template <class T>
struct StridedVector {
  T* data = nullptr;
  std::int64_t count = 0, stride = 1;

  [[nodiscard]] T& operator[](std::int64_t i) const noexcept { return data[i * stride]; }
};
template <class T>
[[nodiscard]] StridedVector<T> column_from(MatrixView<T> m, std::int64_t row,
                                           std::int64_t column) noexcept {
  return {m.data + row * m.columns + column, m.rows - row, m.columns};
}
template <class T>
[[nodiscard]] StridedVector<T> row_from(MatrixView<T> m, std::int64_t row,
                                        std::int64_t column) noexcept {
  return {m.data + row * m.columns + column, m.columns - column, 1};
}

/// H = 1 - tau v v^H with v[0] = 1, so that H^H x = (beta, 0, …) with real beta (LAPACK's larfg).
/// x becomes (beta, v[1], …); gives tau.
template <class T>
T make_reflection(StridedVector<T> x) noexcept {
  RealNumber<T> rest = 0;
  for (std::int64_t i = 1; i < x.count; ++i) rest = std::hypot(rest, std::abs(x[i]));
  if (x.count == 0) return T(0);
  const T alpha = x[0];
  if (rest == 0 && alpha == T(real_part(alpha))) return T(0);
  const RealNumber<T> beta = -std::copysign(std::hypot(std::abs(alpha), rest), real_part(alpha));
  for (std::int64_t i = 1; i < x.count; ++i) x[i] /= alpha - beta;
  x[0] = beta;
  return (beta - alpha) / beta;
}

/// m -= tau v (v^H m) for rows from `row` and columns from `column` on; v[0] counts as 1.
template <class T>
void reflect_rows(StridedVector<T> v, T tau, MatrixView<T> m, std::int64_t row,
                  std::int64_t column) noexcept {
  if (tau == T(0)) return;
  for (std::int64_t j = column; j < m.columns; ++j) {
    T sum = m(row, j);
    for (std::int64_t i = 1; i < v.count; ++i) sum += conjugate(v[i]) * m(row + i, j);
    sum *= tau;
    m(row, j) -= sum;
    for (std::int64_t i = 1; i < v.count; ++i) m(row + i, j) -= v[i] * sum;
  }
}

/// m -= tau (m v) v^H for rows from `row` and columns from `column` on; v[0] counts as 1.
template <class T>
void reflect_columns(StridedVector<T> v, T tau, MatrixView<T> m, std::int64_t row,
                     std::int64_t column) noexcept {
  if (tau == T(0)) return;
  for (std::int64_t i = row; i < m.rows; ++i) {
    T sum = m(i, column);
    for (std::int64_t j = 1; j < v.count; ++j) sum += m(i, column + j) * v[j];
    sum *= tau;
    m(i, column) -= sum;
    for (std::int64_t j = 1; j < v.count; ++j) m(i, column + j) -= sum * conjugate(v[j]);
  }
}

/// A = Q R in place: R above, the reflections below the diagonal (LAPACK's geqr2).
template <class T>
void factor_qr(MatrixView<T> a, T* taus) noexcept {
  const std::int64_t steps = std::min(a.rows, a.columns);
  for (std::int64_t i = 0; i < steps; ++i) {
    const auto v = column_from(a, i, i);
    taus[i] = make_reflection(v);
    reflect_rows(v, conjugate(taus[i]), a, i, i + 1);
  }
}

/// The first columns of H(0) H(1) … H(count - 1); reflection i starts at row i + `offset` of column
/// i of `vectors` (LAPACK's org2r).
template <class T>
void make_product(MatrixView<T> vectors, const T* taus, std::int64_t count, MatrixView<T> q,
                  std::int64_t offset = 0) noexcept {
  set_identity(q);
  for (std::int64_t i = count; i-- > 0;) {
    if (i + offset < vectors.rows)
      reflect_rows(column_from(vectors, i + offset, i), taus[i], q, i + offset, 0);
  }
}

}  // namespace treadle::inline v0::cpu::detail
