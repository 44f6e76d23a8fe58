// Eigenvalues and eigenvectors of Hermitian matrices.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <treadle/cpu/linalg/householder.hpp>
#include <treadle/cpu/linalg/lu_kernels.hpp>
#include <treadle/cpu/linalg/tridiagonal.hpp>
#include <treadle/ops/promotion.hpp>

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
  /// That of the dtype: as many steps as LAPACK takes, so that vectors have its signs.
  double epsilon = 0;

  Status prepare(const CallArguments& call) {
    const auto part = call.get<std::string>("UPLO", "L");
    upper = part == "U" || part == "u";
    const bool wide = real_dtype(call.tensor("A").dtype()) == DType::float64;
    epsilon = wide ? std::numeric_limits<double>::epsilon() / 2
                   : static_cast<double>(std::numeric_limits<float>::epsilon()) / 2;
    return {};
  }
  static std::size_t work(const MatrixOperands& in, const MatrixOperands&) {
    return 2 * operand_size(in[0]) + 4 * static_cast<std::size_t>(in[0].rows);
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    const auto given = problem.in<T>(0), vectors = problem.out<T>(1);
    const auto values = problem.out<RealNumber<T>>(0);
    const std::int64_t n = given.rows;
    const MatrixView<T> a{reinterpret_cast<T*>(problem.work), n, n};
    const MatrixView<T> q{a.data + n * n, n, n};
    T* const taus = q.data + n * n;
    auto* const e = reinterpret_cast<double*>(taus + 2 * n);
    upper ? transpose_into(given, a, true) : copy_matrix(given, a);
    make_tridiagonal(a, values.data, e, taus, q);
    if (!TridiagonalSolver<T>(values.data, e, n, q, epsilon).run())
      return context.fail("the eigenvalues of a matrix of ", n, " rows do not converge");
    sort_ascending(values.data, n, q);
    if (vectors.count() > 0) copy_matrix(q, vectors);
    return {};
  }
};

}  // namespace treadle::inline v0::cpu::detail
