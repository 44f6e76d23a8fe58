// Eigenvalues and eigenvectors of square matrices, in complex arithmetic.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <treadle/cpu/linalg/householder.hpp>
#include <treadle/cpu/linalg/lu_kernels.hpp>

namespace treadle::inline v0::cpu::detail {

using ComplexMatrix = MatrixView<std::complex<double>>;

/// A rotation that turns (a, b) into (r, 0): [c, s; -conj(s), c] with real c.
struct ComplexRotation {
  double c = 1;
  std::complex<double> s;

  ComplexRotation(std::complex<double> a, std::complex<double> b) noexcept {
    const double size = std::hypot(std::abs(a), std::abs(b));
    if (size == 0 || b == std::complex<double>(0)) return;
    c = std::abs(a) / size;
    s = std::abs(a) == 0 ? std::conj(b) / size : a / std::abs(a) * std::conj(b) / size;
  }
  void turn(std::complex<double>& x, std::complex<double>& y) const noexcept {
    const auto kept = x;
    x = c * x + s * y;
    y = c * y - std::conj(s) * kept;
  }
  void turn_back(std::complex<double>& x, std::complex<double>& y) const noexcept {
    const auto kept = x;
    x = c * x + std::conj(s) * y;
    y = c * y - s * kept;
  }
};

/// Makes A = Q T Q^H with triangular T in place of A: reflections to Hessenberg form, then QR steps
/// with one shift (Golub and Van Loan, section 7.5).
class ComplexSchur {
 public:
  /// `q` is written, `taus` has a number a row.
  ComplexSchur(ComplexMatrix a, ComplexMatrix q, std::complex<double>* taus) noexcept
      : a_(a), q_(q), taus_(taus) {}

  /// False if the steps do not converge.
  [[nodiscard]] bool run() noexcept {
    make_hessenberg();
    std::int64_t last = a_.rows - 1;
    for (int step = 0; last > 0;) {
      const std::int64_t first = block_start(last);
      if (first == last) {
        --last;
        step = 0;
        continue;
      }
      if (++step > 60) return false;
      qr_step(first, last, shift(last, step));
    }
    return true;
  }

 private:
  using Number = std::complex<double>;

  void make_hessenberg() noexcept {
    const std::int64_t n = a_.rows;
    for (std::int64_t i = 0; i + 1 < n; ++i) {
      const auto v = column_from(a_, i + 1, i);
      taus_[i] = make_reflection(v);
      reflect_rows(v, conjugate(taus_[i]), a_, i + 1, i + 1);
      reflect_columns(v, taus_[i], a_, 0, i + 1);
    }
    make_product(a_, taus_, n - 1, q_, 1);
    for (std::int64_t i = 2; i < n; ++i)
      for (std::int64_t j = 0; j + 1 < i; ++j) a_(i, j) = 0;
  }

  /// Where the block that ends with row `last` starts: below a zero, which is made exact.
  std::int64_t block_start(std::int64_t last) noexcept {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    std::int64_t i = last;
    for (; i > 0; --i) {
      double near = std::abs(a_(i, i)) + std::abs(a_(i - 1, i - 1));
      if (near == 0) near = scale();
      if (std::abs(a_(i, i - 1)) > epsilon * near) continue;
      a_(i, i - 1) = 0;
      break;
    }
    return i;
  }
  [[nodiscard]] double scale() const noexcept {
    double largest = 0;
    for (std::int64_t i = 0; i < a_.count(); ++i) largest = std::max(largest, std::abs(a_[i]));
    return largest;
  }

  /// The eigenvalue of the last two rows that is nearer to the last; now and then another number.
  [[nodiscard]] Number shift(std::int64_t last, int step) const noexcept {
    const Number d = a_(last, last);
    if (step % 11 == 10) return d + std::abs(a_(last, last - 1));
    const Number a = a_(last - 1, last - 1), b = a_(last - 1, last), c = a_(last, last - 1);
    const Number half = (a - d) / 2.0, root = std::sqrt(half * half + b * c);
    const Number plus = half + root, minus = half - root;
    const Number far = std::abs(plus) > std::abs(minus) ? plus : minus;
    return far == Number(0) ? d : d - b * c / far;
  }

  /// Chases a bulge through the block, rows and columns of the whole matrix along with it.
  void qr_step(std::int64_t first, std::int64_t last, Number shift) noexcept {
    const std::int64_t n = a_.rows;
    for (std::int64_t k = first; k < last; ++k) {
      const Number x = k == first ? a_(k, k) - shift : a_(k, k - 1);
      const Number y = k == first ? a_(k + 1, k) : a_(k + 1, k - 1);
      const ComplexRotation rotation(x, y);
      for (std::int64_t j = std::max<std::int64_t>(k - 1, 0); j < n; ++j)
        rotation.turn(a_(k, j), a_(k + 1, j));
      if (k > first) a_(k + 1, k - 1) = 0;
      for (std::int64_t i = 0; i <= std::min(k + 2, last); ++i)
        rotation.turn_back(a_(i, k), a_(i, k + 1));
      for (std::int64_t i = 0; i < n; ++i) rotation.turn_back(q_(i, k), q_(i, k + 1));
    }
  }

  ComplexMatrix a_, q_;
  Number* taus_;
};

/// Columns x with T x = T(k, k) x, of norm 1 after the basis `q`; the largest element is real.
inline void triangle_vectors(ComplexMatrix t, ComplexMatrix q, ComplexMatrix vectors,
                             std::complex<double>* x) noexcept {
  const std::int64_t n = t.rows;
  double size = 0;
  for (std::int64_t i = 0; i < t.count(); ++i) size = std::max(size, std::abs(t[i]));
  const double least = std::max(size * std::numeric_limits<double>::epsilon(), 1e-290);
  for (std::int64_t k = 0; k < n; ++k) {
    x[k] = 1;
    for (std::int64_t i = k; i-- > 0;) {
      std::complex<double> sum = 0;
      for (std::int64_t j = i + 1; j <= k; ++j) sum += t(i, j) * x[j];
      auto gap = t(i, i) - t(k, k);
      if (std::abs(gap) < least) gap = least;
      x[i] = -sum / gap;
    }
    double norm = 0, most = -1;
    std::complex<double> largest = 1;
    for (std::int64_t i = 0; i < n; ++i) {
      std::complex<double> sum = 0;
      for (std::int64_t j = 0; j <= k; ++j) sum += q(i, j) * x[j];
      vectors(i, k) = sum;
      norm = std::hypot(norm, std::abs(sum));
      // Of equal ones the first, whatever rounding says.
      if (std::abs(sum) > most * (1 + 1e-9)) {
        most = std::abs(sum);
        largest = sum;
      }
    }
    const auto factor = std::abs(largest) > 0 ? std::conj(largest) / std::abs(largest) : 1;
    for (std::int64_t i = 0; i < n; ++i) vectors(i, k) *= factor / norm;
  }
}

/// `linalg_eig`: eigenvalues, eigenvectors.
struct EigAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 2> out_ranks{1, 2};

  static Status prepare(const CallArguments&) { return {}; }
  static std::size_t work(const MatrixOperands& in, const MatrixOperands&) {
    // Complex numbers also for a real matrix, whose elements are half as large.
    return 2 * (2 * operand_size(in[0]) + 2 * static_cast<std::size_t>(in[0].rows));
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    using Number = std::complex<double>;
    const auto given = problem.in<T>(0);
    const auto values = problem.out<Number>(0);
    const auto vectors = problem.out<Number>(1);
    const std::int64_t n = given.rows;
    const ComplexMatrix a{reinterpret_cast<Number*>(problem.work), n, n};
    const ComplexMatrix q{a.data + n * n, n, n};
    Number* const taus = q.data + n * n;
    for (std::int64_t i = 0; i < given.count(); ++i) {
      a[i] = given[i];
      if (!std::isfinite(std::abs(a[i])))
        return context.fail("a matrix with elements that are not finite has no eigenvalues");
    }
    if (!ComplexSchur(a, q, taus).run())
      return context.fail("the eigenvalues of a matrix of ", n, " rows do not converge");
    for (std::int64_t i = 0; i < n; ++i) values[i] = a(i, i);
    triangle_vectors(a, q, vectors, taus + n);
    if constexpr (std::is_same_v<T, double>) tidy_real(values, vectors);
    return {};
  }

  /// Of a real matrix real eigenvalues are exactly real, and so are their vectors.
  static void tidy_real(MatrixView<std::complex<double>> values, ComplexMatrix vectors) noexcept {
    double size = 0;
    for (std::int64_t i = 0; i < values.count(); ++i) size = std::max(size, std::abs(values[i]));
    for (std::int64_t k = 0; k < values.count(); ++k) {
      if (std::abs(values[k].imag()) > 1e-13 * size) continue;
      values[k] = values[k].real();
      for (std::int64_t i = 0; i < vectors.rows; ++i) vectors(i, k) = vectors(i, k).real();
    }
  }
};

/// `ormqr(self, tau, other, left, transpose)`: the product with Q or its adjoint on a side.
struct OrthogonalProductAlgorithm {
  std::array<std::size_t, 3> in_ranks{2, 1, 2};
  std::array<std::size_t, 1> out_ranks{2};
  bool left = true, adjoint = false;

  Status prepare(const CallArguments& call) {
    left = call.get<bool>("left", true);
    adjoint = call.get<bool>("transpose", false);
    return {};
  }
  static std::size_t work(const MatrixOperands& in, const MatrixOperands&) {
    return operand_size(in[0]);
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    const auto given = problem.in<T>(0), taus = problem.in<T>(1), out = problem.out<T>(0);
    const MatrixView<T> vectors{reinterpret_cast<T*>(problem.work), given.rows, given.columns};
    copy_matrix(given, vectors);
    copy_matrix(problem.in<T>(2), out);
    // Q = H(0) H(1) …: the factor next to the matrix comes first.
    for (std::int64_t step = 0; step < taus.rows; ++step) {
      const std::int64_t i = left != adjoint ? taus.rows - 1 - step : step;
      const T tau = adjoint ? conjugate(taus[i]) : taus[i];
      const auto v = column_from(vectors, i, i);
      left ? reflect_rows(v, tau, out, i, 0) : reflect_columns(v, tau, out, 0, i);
    }
    return {};
  }
};

}  // namespace treadle::inline v0::cpu::detail
