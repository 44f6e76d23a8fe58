// The exponential of square matrices.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <treadle/cpu/linalg/lu_kernels.hpp>

namespace treadle::inline v0::cpu::detail {

/// to = a b; `to` is apart from both.
template <class T>
void multiply(MatrixView<T> a, MatrixView<T> b, MatrixView<T> to) noexcept {
  std::fill_n(to.data, to.count(), T(0));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = 0; k < a.columns; ++k)
      subtract_row(&to(i, 0), &b(k, 0), -a(i, k), b.columns);
}

/// `linalg_matrix_exp`: scaling and squaring with the diagonal Padé approximant of degree 13
/// (Higham, "The scaling and squaring method for the matrix exponential revisited", 2005).
struct MatrixExponentialAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 1> out_ranks{2};

  static constexpr std::array<double, 14> factors = {64764752532480000.,
                                                     32382376266240000.,
                                                     7771770303897600.,
                                                     1187353796428800.,
                                                     129060195264000.,
                                                     10559470521600.,
                                                     670442572800.,
                                                     33522128640.,
                                                     1323241920.,
                                                     40840800.,
                                                     960960.,
                                                     16380.,
                                                     182.,
                                                     1.};

  static Status prepare(const CallArguments&) { return {}; }
  static std::size_t work(const MatrixOperands& in, const MatrixOperands&) {
    return 7 * operand_size(in[0]) + static_cast<std::size_t>(in[0].rows);
  }

  template <class T>
  static double norm_of(MatrixView<T> a) noexcept {
    double norm = 0;
    for (std::int64_t j = 0; j < a.columns; ++j) {
      double sum = 0;
      for (std::int64_t i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
      norm = std::max(norm, sum);
    }
    return norm;
  }

  /// Half of the approximant: powers[2] (f[12] powers[2] + f[10] powers[1] + f[8] powers[0]) +
  /// f[6] powers[2] + f[4] powers[1] + f[2] powers[0] + f[0], with factors from `first` on.
  template <class T>
  static void sum_powers(const MatrixView<T>* powers, std::size_t first, MatrixView<T> to,
                         MatrixView<T> work) noexcept {
    const double* f = factors.data() + first;
    for (std::int64_t i = 0; i < to.count(); ++i)
      work[i] = f[12] * powers[2][i] + f[10] * powers[1][i] + f[8] * powers[0][i];
    multiply(powers[2], work, to);
    for (std::int64_t i = 0; i < to.count(); ++i)
      to[i] += f[6] * powers[2][i] + f[4] * powers[1][i] + f[2] * powers[0][i];
    for (std::int64_t i = 0; i < to.rows; ++i) to(i, i) += f[0];
  }

  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    const auto given = problem.in<T>(0), result = problem.out<T>(0);
    const std::int64_t n = given.rows;
    std::array<MatrixView<T>, 7> m;
    for (std::size_t i = 0; i < m.size(); ++i)
      m[i] = {reinterpret_cast<T*>(problem.work) + static_cast<std::int64_t>(i) * n * n, n, n};
    auto* const pivots = reinterpret_cast<std::int64_t*>(m[6].data + n * n);
    const auto [a, a2, a4, a6, odd, even, work] = m;
    const double norm = norm_of(given);
    if (!std::isfinite(norm)) {
      std::fill_n(result.data, result.count(), T(NAN));
      return {};
    }
    constexpr double largest = 5.371920351148152;
    const int halvings =
        norm > largest ? static_cast<int>(std::ceil(std::log2(norm / largest))) : 0;
    for (std::int64_t i = 0; i < a.count(); ++i) a[i] = given[i] * std::ldexp(1.0, -halvings);
    multiply(a, a, a2);
    multiply(a2, a2, a4);
    multiply(a4, a2, a6);
    const std::array<MatrixView<T>, 3> powers = {a2, a4, a6};
    sum_powers(powers.data(), 1, even, work);
    multiply(a, even, odd);
    sum_powers(powers.data(), 0, even, work);
    for (std::int64_t i = 0; i < a.count(); ++i) {
      a[i] = even[i] - odd[i];
      result[i] = even[i] + odd[i];
    }
    factor_lu(a, pivots);
    solve_lu(a, pivots, result);
    for (int k = 0; k < halvings; ++k) {
      copy_matrix(result, work);
      multiply(work, work, result);
    }
    return {};
  }
};

}  // namespace treadle::inline v0::cpu::detail
