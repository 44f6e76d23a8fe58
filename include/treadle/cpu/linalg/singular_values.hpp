// Singular values and vectors of matrices.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <treadle/cpu/linalg/symmetric_eigen.hpp>

namespace treadle::inline v0::cpu::detail {

/// Makes U^H A V upper bidiagonal (`d`, `e`) for a matrix with no more columns than rows, which is
/// overwritten (Golub and Van Loan, algorithm 5.4.2). `right` is work of columns × columns.
template <class T>
void make_bidiagonal(MatrixView<T> a, double* d, double* e, T* taus, MatrixView<T> right,
                     MatrixView<T> u, MatrixView<T> v) noexcept {
  const std::int64_t n = a.columns;
  T* const right_taus = taus + n;
  std::fill_n(right.data, right.count(), T(0));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto down = column_from(a, i, i);
    taus[i] = make_reflection(down);
    d[i] = real_part(down[0]);
    reflect_rows(down, conjugate(taus[i]), a, i, i + 1);
    if (i + 1 == n) break;
    const auto along = column_from(right, i + 1, i);
    for (std::int64_t j = 0; j < along.count; ++j) along[j] = conjugate(a(i, i + 1 + j));
    right_taus[i] = make_reflection(along);
    e[i] = real_part(along[0]);
    reflect_columns(along, right_taus[i], a, i + 1, i + 1);
  }
  if (u.count() > 0) make_product(a, taus, n, u);
  if (v.count() > 0) make_product(right, right_taus, n - 1, v, 1);
}

/// The eigenvalue of the last 2 × 2 block of B^T B that is nearer to its last element.
inline double bidiagonal_shift(const double* d, const double* e, std::int64_t low,
                               std::int64_t high) noexcept {
  for (std::int64_t i = low; i <= high; ++i)
    if (d[i] == 0) return 0;
  const double before = high - 1 > low ? e[high - 2] : 0;
  const double a = d[high - 1] * d[high - 1] + before * before;
  const double b = d[high - 1] * e[high - 1];
  const double c = d[high] * d[high] + e[high - 1] * e[high - 1];
  const double half = (a - c) / 2;
  if (b == 0) return c;
  return c - b * b / (half + std::copysign(std::hypot(half, b), half));
}

/// The rotation that turns (y, z) into (r, 0).
struct Rotation {
  double c = 1, s = 0, r = 0;
  Rotation(double y, double z) noexcept : r(std::hypot(y, z)) {
    if (r == 0) return;
    c = y / r;
    s = z / r;
  }
};

/// One implicit QR step over rows [low, high] (Golub and Van Loan, algorithm 8.6.1).
template <class T>
void bidiagonal_sweep(double* d, double* e, std::int64_t low, std::int64_t high, MatrixView<T> u,
                      MatrixView<T> v) noexcept {
  double y = d[low] * d[low] - bidiagonal_shift(d, e, low, high);
  double z = d[low] * e[low];
  for (std::int64_t k = low; k < high; ++k) {
    const Rotation right(y, z);
    if (k > low) e[k - 1] = right.r;
    y = right.c * d[k] + right.s * e[k];
    e[k] = right.c * e[k] - right.s * d[k];
    z = right.s * d[k + 1];
    d[k + 1] *= right.c;
    rotate_columns(v, k, right.c, right.s);
    const Rotation left(y, z);
    d[k] = left.r;
    y = left.c * e[k] + left.s * d[k + 1];
    d[k + 1] = left.c * d[k + 1] - left.s * e[k];
    e[k] = y;
    if (k + 1 < high) {
      z = left.s * e[k + 1];
      e[k + 1] *= left.c;
    }
    rotate_columns(u, k, left.c, left.s);
  }
}

/// Makes a bidiagonal matrix diagonal. False if it does not converge.
template <class T>
bool diagonalize_bidiagonal(double* d, double* e, std::int64_t n, MatrixView<T> u,
                            MatrixView<T> v) noexcept {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double norm = 0;
  for (std::int64_t i = 0; i < n; ++i)
    norm = std::max({norm, std::abs(d[i]), i + 1 < n ? std::abs(e[i]) : 0.0});
  const auto is_small = [&](std::int64_t i) {
    return std::abs(e[i]) <= epsilon * (std::abs(d[i]) + std::abs(d[i + 1])) + 1e-30 * norm;
  };
  std::int64_t sweeps = 60 * n;
  for (std::int64_t high = n - 1; high > 0;) {
    if (is_small(high - 1)) {
      --high;
      continue;
    }
    std::int64_t low = high - 1;
    while (low > 0 && !is_small(low - 1)) --low;
    if (sweeps-- == 0) return false;
    bidiagonal_sweep(d, e, low, high, u, v);
  }
  return true;
}

/// Not negative, the largest first; vectors along with them.
template <class T>
void sort_descending(double* d, std::int64_t n, MatrixView<T> u, MatrixView<T> v) noexcept {
  for (std::int64_t i = 0; i < n; ++i) {
    if (std::signbit(d[i])) {
      d[i] = -d[i];
      for (std::int64_t k = 0; k < v.rows; ++k) v(k, i) = -v(k, i);
    }
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t most = std::max_element(d + i, d + n) - d;
    if (most == i) continue;
    std::swap(d[i], d[most]);
    for (const auto m : {u, v})
      for (std::int64_t k = 0; k < m.rows; ++k) std::swap(m(k, i), m(k, most));
  }
}

/// `_linalg_svd`: U, S, V^H; the vectors are empty if not wanted.
struct SvdAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 3> out_ranks{2, 1, 2};

  static Status prepare(const CallArguments&) { return {}; }
  static std::size_t work(const MatrixOperands& in, const MatrixOperands&) {
    const auto rows = static_cast<std::size_t>(std::max(in[0].rows, in[0].columns));
    const auto columns = static_cast<std::size_t>(std::min(in[0].rows, in[0].columns));
    return rows * columns + rows * rows + 2 * columns * columns + 3 * columns;
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    const auto given = problem.in<T>(0), u_out = problem.out<T>(0), v_out = problem.out<T>(2);
    const auto values = problem.out<RealNumber<T>>(1);
    const bool wide = given.columns > given.rows, vectors = u_out.count() > 0;
    const std::int64_t m = std::max(given.rows, given.columns);
    const std::int64_t n = std::min(given.rows, given.columns);
    const std::int64_t kept = std::max(u_out.columns, v_out.rows);
    T* at = reinterpret_cast<T*>(problem.work);
    const auto take = [&at](std::int64_t rows, std::int64_t columns) {
      const MatrixView<T> view{at, rows, columns};
      at += view.count();
      return view;
    };
    const auto a = take(m, n), right = take(n, n);
    const auto v = vectors ? take(n, n) : take(0, 0), u = vectors ? take(m, kept) : take(0, 0);
    T* const taus = at;
    auto* const e = reinterpret_cast<double*>(taus + 2 * n);
    wide ? transpose_into(given, a, true) : copy_matrix(given, a);
    make_bidiagonal(a, values.data, e, taus, right, u, v);
    if (!diagonalize_bidiagonal(values.data, e, n, u, v))
      return context.fail("the singular values of a ", m, " by ", n, " matrix do not converge");
    sort_descending(values.data, n, u, v);
    if (!vectors) return {};
    copy_matrix(wide ? v : u, u_out);
    transpose_into(wide ? u : v, v_out, true);
    return {};
  }
};

}  // namespace treadle::inline v0::cpu::detail
