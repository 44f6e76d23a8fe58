// Kernels of symmetric indefinite factors, as LAPACK's sytf2, hetf2 and sytrs make and use them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/cpu/linalg/lu_kernels.hpp>

namespace treadle::inline v0::cpu::detail {

/// A = L D L^T, or L D L^H, with blocks of one or two rows in D, in place of A's lower triangle
/// (Bunch and Kaufman's diagonal pivoting; Golub and Van Loan, section 4.4).
template <class T>
class LdlFactorization {
 public:
  LdlFactorization(MatrixView<T> a, std::int64_t* pivots, bool hermitian) noexcept
      : a_(a), pivots_(pivots), hermitian_(hermitian) {}

  /// The first row whose block is zero, counted from 1; 0 if there is none.
  std::int64_t run() noexcept {
    std::int64_t info = 0;
    for (std::int64_t k = 0; k < a_.rows;) {
      const Choice choice = choose(k);
      if (choice.zero) {
        if (info == 0) info = k + 1;
        pivots_[k] = k + 1;
        make_real(k);
        ++k;
        continue;
      }
      exchange(k, choice);
      choice.size == 1 ? eliminate_one(k) : eliminate_two(k);
      pivots_[k] = choice.size == 1 ? choice.row + 1 : -(choice.row + 1);
      if (choice.size == 2) pivots_[k + 1] = pivots_[k];
      k += choice.size;
    }
    return info;
  }

 private:
  struct Choice {
    std::int64_t row = 0, size = 1;
    bool zero = false;
  };

  [[nodiscard]] static double size_of(T x) noexcept {
    if constexpr (std::is_same_v<T, double>)
      return std::abs(x);
    else
      return std::abs(x.real()) + std::abs(x.imag());
  }
  /// What stands at (j, i) where x is at (i, j).
  [[nodiscard]] T mirrored(T x) const noexcept { return hermitian_ ? conjugate(x) : x; }
  [[nodiscard]] double diagonal_size(std::int64_t k) const noexcept {
    return hermitian_ ? std::abs(real_part(a_(k, k))) : size_of(a_(k, k));
  }
  void make_real(std::int64_t k) const noexcept {
    if (hermitian_) a_(k, k) = real_part(a_(k, k));
  }

  [[nodiscard]] Choice choose(std::int64_t k) const noexcept {
    const double alpha = (1 + std::sqrt(17.0)) / 8;
    const double own = diagonal_size(k);
    std::int64_t at = k;
    double column = 0;
    for (std::int64_t i = k + 1; i < a_.rows; ++i)
      if (size_of(a_(i, k)) > column) {
        column = size_of(a_(i, k));
        at = i;
      }
    if (std::max(own, column) == 0 || own != own) return {k, 1, true};
    if (own >= alpha * column) return {k, 1, false};
    double row = 0;
    for (std::int64_t j = k; j < at; ++j) row = std::max(row, size_of(a_(at, j)));
    for (std::int64_t i = at + 1; i < a_.rows; ++i) row = std::max(row, size_of(a_(i, at)));
    if (own >= alpha * column * (column / row)) return {k, 1, false};
    if (diagonal_size(at) >= alpha * row) return {at, 1, false};
    return {at, 2, false};
  }

  /// Rows and columns of the symmetric matrix change places; the lower triangle alone is kept.
  void exchange(std::int64_t k, Choice choice) const noexcept {
    const std::int64_t from = k + choice.size - 1, to = choice.row;
    if (from != to) {
      for (std::int64_t i = to + 1; i < a_.rows; ++i) std::swap(a_(i, from), a_(i, to));
      for (std::int64_t j = from + 1; j < to; ++j) {
        const T kept = mirrored(a_(j, from));
        a_(j, from) = mirrored(a_(to, j));
        a_(to, j) = kept;
      }
      a_(to, from) = mirrored(a_(to, from));
      std::swap(a_(from, from), a_(to, to));
      make_real(to);
      if (choice.size == 2) std::swap(a_(k + 1, k), a_(to, k));
    }
    make_real(k);
    make_real(from);
  }

  void eliminate_one(std::int64_t k) const noexcept {
    const T inverse = T(1) / a_(k, k);
    for (std::int64_t j = k + 1; j < a_.rows; ++j) {
      const T factor = inverse * mirrored(a_(j, k));
      for (std::int64_t i = j; i < a_.rows; ++i) a_(i, j) -= a_(i, k) * factor;
      make_real(j);
    }
    for (std::int64_t i = k + 1; i < a_.rows; ++i) a_(i, k) *= inverse;
  }

  void eliminate_two(std::int64_t k) const noexcept {
    const T below = a_(k + 1, k), above = mirrored(below);
    const T first = a_(k, k), second = a_(k + 1, k + 1);
    const T determinant = first * second - below * above;
    for (std::int64_t j = k + 2; j < a_.rows; ++j) {
      // A row of L: (a(j, k), a(j, k + 1)) times the inverse of the block.
      const T x = (a_(j, k) * second - a_(j, k + 1) * below) / determinant;
      const T y = (a_(j, k + 1) * first - a_(j, k) * above) / determinant;
      const T left = mirrored(x), right = mirrored(y);
      for (std::int64_t i = j; i < a_.rows; ++i) a_(i, j) -= a_(i, k) * left + a_(i, k + 1) * right;
      a_(j, k) = x;
      a_(j, k + 1) = y;
      make_real(j);
    }
  }

  MatrixView<T> a_;
  std::int64_t* pivots_;
  bool hermitian_;
};

/// `linalg_ldl_factor_ex`: LD, pivots, info.
struct LdlFactorAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 3> out_ranks{2, 1, 0};
  bool check = false, hermitian = false;

  Status prepare(const CallArguments& call) {
    check = call.get<bool>("check_errors", false);
    hermitian = call.get<bool>("hermitian", false);
    return {};
  }
  static std::size_t work(const MatrixOperands&, const MatrixOperands&) { return 0; }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    const auto a = problem.out<T>(0);
    copy_matrix(problem.in<T>(0), a);
    const std::int64_t info =
        LdlFactorization<T>(a, problem.out<std::int64_t>(1).data, hermitian).run();
    problem.out<std::int64_t>(2)[0] = info;
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = i + 1; j < a.columns; ++j) a(i, j) = T(0);
    return check_info(context, check, info, "the factor D has a zero block at");
  }
};

/// `linalg_ldl_solve`.
struct LdlSolveAlgorithm {
  std::array<std::size_t, 3> in_ranks{2, 1, 2};
  std::array<std::size_t, 1> out_ranks{2};
  bool hermitian = false;

  Status prepare(const CallArguments& call) {
    hermitian = call.get<bool>("hermitian", false);
    return {};
  }
  static std::size_t work(const MatrixOperands&, const MatrixOperands&) { return 0; }

  /// Every pivot is a row, and those of two rows are equal pairs.
  static bool good(MatrixView<std::int64_t> pivots, std::int64_t n) noexcept {
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t p = pivots[k];
      if (p == 0 || p > n || p < -n) return false;
      if (p > 0) continue;
      if (k + 1 >= n || pivots[k + 1] != p) return false;
      ++k;
    }
    return pivots.rows == n;
  }
  template <class T>
  static void swap_rows(MatrixView<T> b, std::int64_t i, std::int64_t j) noexcept {
    if (i == j) return;
    std::swap_ranges(&b(i, 0), &b(i, 0) + b.columns, &b(j, 0));
  }

  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    const auto a = problem.in<T>(0), b = problem.out<T>(0);
    const auto pivots = problem.in<std::int64_t>(1);
    if (!good(pivots, a.rows)) return context.fail("the pivots are none of a factorization");
    copy_matrix(problem.in<T>(2), b);
    if (b.count() == 0) return {};
    for (std::int64_t k = 0; k < a.rows; k += pivots[k] > 0 ? 1 : 2) forward(a, pivots, b, k);
    for (std::int64_t k = a.rows - 1; k >= 0; k -= pivots[k] > 0 ? 1 : 2) backward(a, pivots, b, k);
    return {};
  }

 private:
  /// Rows below lose their share, then the block of D is divided out.
  template <class T>
  void forward(MatrixView<T> a, MatrixView<std::int64_t> pivots, MatrixView<T> b,
               std::int64_t k) const noexcept {
    const std::int64_t size = pivots[k] > 0 ? 1 : 2, last = k + size - 1;
    swap_rows(b, last, std::abs(pivots[k]) - 1);
    for (std::int64_t i = k + size; i < a.rows; ++i)
      for (std::int64_t p = k; p <= last; ++p) subtract_row(&b(i, 0), &b(p, 0), a(i, p), b.columns);
    if (size == 1) {
      for (std::int64_t j = 0; j < b.columns; ++j) b(k, j) /= a(k, k);
      return;
    }
    const T below = a(k + 1, k), above = hermitian ? conjugate(below) : below;
    const T determinant = a(k, k) * a(k + 1, k + 1) - below * above;
    for (std::int64_t j = 0; j < b.columns; ++j) {
      const T x = b(k, j), y = b(k + 1, j);
      b(k, j) = (a(k + 1, k + 1) * x - above * y) / determinant;
      b(k + 1, j) = (a(k, k) * y - below * x) / determinant;
    }
  }
  template <class T>
  void backward(MatrixView<T> a, MatrixView<std::int64_t> pivots, MatrixView<T> b,
                std::int64_t k) const noexcept {
    const std::int64_t first = pivots[k] > 0 ? k : k - 1;
    for (std::int64_t p = first; p <= k; ++p)
      for (std::int64_t i = k + 1; i < a.rows; ++i)
        subtract_row(&b(p, 0), &b(i, 0), hermitian ? conjugate(a(i, p)) : a(i, p), b.columns);
    swap_rows(b, k, std::abs(pivots[k]) - 1);
  }
};

}  // namespace treadle::inline v0::cpu::detail
