// Eigenvalues and eigenvectors of Hermitian matrices.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <treadle/cpu/linalg/householder.hpp>
#include <treadle/cpu/linalg/lu_kernels.hpp>

namespace treadle::inline v0::cpu::detail {

/// Makes Q^H A Q tridiagonal, from the lower triangle of A, which is overwritten: `d` gets the
/// diagonal, `e` what is below it, `q` the basis (Golub and Van Loan, algorithm 8.3.1).
template <class T>
void make_tridiagonal(MatrixView<T> a, double* d, double* e, T* taus, MatrixView<T> q) noexcept {
  const std::int64_t n = a.rows;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j) a(i, j) = conjugate(a(j, i));
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    const auto v = column_from(a, i + 1, i);
    taus[i] = make_reflection(v);
    e[i] = real_part(v[0]);
    // A := H^H A H on the rows and columns behind.
    reflect_rows(v, conjugate(taus[i]), a, i + 1, i + 1);
    reflect_columns(v, taus[i], a, i + 1, i + 1);
  }
  for (std::int64_t i = 0; i < n; ++i) d[i] = real_part(a(i, i));
  make_product(a, taus, n - 1, q, 1);
}

/// A plane rotation of columns `j` and `j + 1`.
template <class T>
void rotate_columns(MatrixView<T> m, std::int64_t j, double c, double s) noexcept {
  for (std::int64_t i = 0; i < m.rows; ++i) {
    const T next = m(i, j + 1), own = m(i, j);
    m(i, j + 1) = c * next - s * own;
    m(i, j) = s * next + c * own;
  }
}

/// One sweep of the implicit QL method over rows [low, high] of a tridiagonal matrix.
template <class T>
void ql_sweep(double* d, double* e, std::int64_t low, std::int64_t high, MatrixView<T> q) noexcept {
  double p = d[low];
  double g = (d[low + 1] - p) / (2 * e[low]);
  g = d[high] - p + e[low] / (g + std::copysign(std::hypot(g, 1.0), g));
  double s = 1, c = 1;
  p = 0;
  for (std::int64_t i = high; i-- > low;) {
    const double f = s * e[i], b = c * e[i];
    const double r = std::hypot(f, g);
    if (i + 1 != high) e[i + 1] = r;
    c = r == 0 ? 1 : g / r;
    s = r == 0 ? 0 : f / r;
    g = d[i + 1] - p;
    const double t = (d[i] - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    rotate_columns(q, i, c, -s);
  }
  d[low] -= p;
  e[low] = g;
}

/// The implicit QL method with shifts (Golub and Van Loan, section 8.3): `d` becomes the
/// eigenvalues, the columns of `q` are turned with it. False if it does not converge.
template <class T>
bool diagonalize(double* d, double* e, std::int64_t n, MatrixView<T> q) noexcept {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  std::int64_t sweeps = 60 * n;
  for (std::int64_t low = 0; low < n;) {
    std::int64_t high = low;
    for (; high + 1 < n; ++high)
      if (std::abs(e[high]) <=
          epsilon * std::sqrt(std::abs(d[high])) * std::sqrt(std::abs(d[high + 1])) +
              std::numeric_limits<double>::min())
        break;
    if (high == low) {
      ++low;
      continue;
    }
    if (sweeps-- == 0) return false;
    ql_sweep(d, e, low, high, q);
  }
  return true;
}

/// Eigenvalues in ascending order, columns of `q` along with them.
template <class T>
void sort_ascending(double* d, std::int64_t n, MatrixView<T> q) noexcept {
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t least = std::min_element(d + i, d + n) - d;
    if (least == i) continue;
    std::swap(d[i], d[least]);
    for (std::int64_t k = 0; k < q.rows; ++k) std::swap(q(k, i), q(k, least));
  }
}

/// `_linalg_eigh`: eigenvalues, eigenvectors (empty if not wanted).
struct EighAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 2> out_ranks{1, 2};
  bool upper = false;

  Status prepare(const CallArguments& call) {
    const auto part = call.get<std::string>("UPLO", "L");
    upper = part == "U" || part == "u";
    return {};
  }
  static std::size_t work(const MatrixOperands& in, const MatrixOperands&) {
    return 2 * operand_size(in[0]) + 4 * static_cast<std::size_t>(in[0].rows);
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    const auto given = problem.in<T>(0), vectors = problem.out<T>(1);
    const auto values = problem.out<RealOf<T>>(0);
    const std::int64_t n = given.rows;
    const MatrixView<T> a{reinterpret_cast<T*>(problem.work), n, n};
    const MatrixView<T> q{a.data + n * n, n, n};
    T* const taus = q.data + n * n;
    auto* const e = reinterpret_cast<double*>(taus + 2 * n);
    upper ? transpose_into(given, a, true) : copy_matrix(given, a);
    make_tridiagonal(a, values.data, e, taus, q);
    if (!diagonalize(values.data, e, n, q))
      return context.fail("the eigenvalues of a matrix of ", n, " rows do not converge");
    sort_ascending(values.data, n, q);
    if (vectors.count() > 0) copy_matrix(q, vectors);
    return {};
  }
};

}  // namespace treadle::inline v0::cpu::detail
