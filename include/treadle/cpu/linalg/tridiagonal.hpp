// Eigenvalues of symmetric tridiagonal matrices, with the signs that LAPACK's steqr gives.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <treadle/cpu/linalg/matrix_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

/// A plane rotation of columns `j` and `j + 1`.
template <class T>
void rotate_columns(MatrixView<T> m, std::int64_t j, double c, double s) noexcept {
  for (std::int64_t i = 0; i < m.rows; ++i) {
    const T next = m(i, j + 1), own = m(i, j);
    m(i, j + 1) = c * next - s * own;
    m(i, j) = s * next + c * own;
  }
}

/// A symmetric tridiagonal matrix while it is made diagonal by implicit QL or QR steps (Golub and
/// Van Loan, section 8.3); the columns of `q` are turned with it.
template <class T>
class TridiagonalSolver {
 public:
  /// Elements below the diagonal are negligible by the rounding error `epsilon`.
  TridiagonalSolver(double* d, double* e, std::int64_t n, MatrixView<T> q, double epsilon) noexcept
      : d_(d), e_(e), n_(n), q_(q), steps_(60 * n), epsilon_(epsilon) {}

  /// False if it does not converge.
  bool run() noexcept {
    for (std::int64_t first = 0; first < n_;) {
      std::int64_t last = first;
      while (last + 1 < n_ && !is_negligible(last)) ++last;
      if (last + 1 < n_) e_[last] = 0;
      // From the end where the elements are larger towards the other.
      const bool forward = std::abs(d_[last]) >= std::abs(d_[first]);
      if (!(forward ? solve_by_ql(first, last) : solve_by_qr(first, last))) return false;
      first = last + 1;
    }
    return true;
  }

 private:
  [[nodiscard]] bool is_negligible(std::int64_t i) const noexcept {
    return std::abs(e_[i]) <=
           std::sqrt(std::abs(d_[i])) * std::sqrt(std::abs(d_[i + 1])) * epsilon_ +
               std::numeric_limits<double>::min();
  }

  /// The eigenvalues of a 2 × 2 block, the one of larger size first, and the vector of that.
  struct PairSolution {
    double large = 0, small = 0, c = 1, s = 0;
  };
  static PairSolution solve_pair(double a, double b, double c) noexcept {
    PairSolution out;
    const double sum = a + c, difference = a - c, twice = 2 * b;
    const double root = std::hypot(difference, twice);
    const double big = std::abs(a) > std::abs(c) ? a : c, other = big == a ? c : a;
    double sign = sum < 0 ? -1 : 1;
    out.large = 0.5 * (sum + sign * root);
    out.small = sum == 0 ? -0.5 * root : (big / out.large) * other - (b / out.large) * b;
    if (sum == 0) out.large = 0.5 * root;
    const double side = difference >= 0 ? 1 : -1, cs = difference + side * root;
    if (std::abs(cs) > std::abs(twice)) {
      const double t = -twice / cs;
      out.s = 1 / std::sqrt(1 + t * t);
      out.c = t * out.s;
    } else if (twice != 0) {
      const double t = -cs / twice;
      out.c = 1 / std::sqrt(1 + t * t);
      out.s = t * out.c;
    }
    if (sign == side) {
      const double t = out.c;
      out.c = -out.s;
      out.s = t;
    }
    return out;
  }

  bool solve_by_ql(std::int64_t first, std::int64_t last) noexcept {
    while (first <= last) {
      std::int64_t m = first;
      while (m < last && !is_negligible(m)) ++m;
      if (m < last) e_[m] = 0;
      if (m == first) {
        ++first;
      } else if (m == first + 1) {
        const auto pair = solve_pair(d_[first], e_[first], d_[first + 1]);
        rotate_columns(q_, first, pair.c, pair.s);
        d_[first] = pair.large;
        d_[first + 1] = pair.small;
        e_[first] = 0;
        first += 2;
      } else {
        if (steps_-- == 0) return false;
        ql_step(first, m);
      }
    }
    return true;
  }

  bool solve_by_qr(std::int64_t first, std::int64_t last) noexcept {
    while (last >= first) {
      std::int64_t m = last;
      while (m > first && !is_negligible(m - 1)) --m;
      if (m > first) e_[m - 1] = 0;
      if (m == last) {
        --last;
      } else if (m == last - 1) {
        const auto pair = solve_pair(d_[last - 1], e_[last - 1], d_[last]);
        rotate_columns(q_, last - 1, pair.c, pair.s);
        d_[last - 1] = pair.large;
        d_[last] = pair.small;
        e_[last - 1] = 0;
        last -= 2;
      } else {
        if (steps_-- == 0) return false;
        qr_step(m, last);
      }
    }
    return true;
  }

  /// The first element of a step's chase: Wilkinson's shift at `at`, seen from `from`.
  [[nodiscard]] double start(std::int64_t at, std::int64_t beside, double e,
                             std::int64_t from) const noexcept {
    const double g = (d_[beside] - d_[at]) / (2 * e);
    return d_[from] - d_[at] + e / (g + std::copysign(std::hypot(g, 1.0), g));
  }

  void ql_step(std::int64_t low, std::int64_t high) noexcept {
    double g = start(low, low + 1, e_[low], high), c = 1, s = 1, p = 0;
    for (std::int64_t i = high; i-- > low;) {
      const double f = s * e_[i], b = c * e_[i];
      const double r = rotate(g, f, c, s);
      if (i + 1 != high) e_[i + 1] = r;
      g = d_[i + 1] - p;
      const double t = (d_[i] - g) * s + 2 * c * b;
      p = s * t;
      d_[i + 1] = g + p;
      g = c * t - b;
      rotate_columns(q_, i, c, -s);
    }
    d_[low] -= p;
    e_[low] = g;
  }

  void qr_step(std::int64_t low, std::int64_t high) noexcept {
    double g = start(high, high - 1, e_[high - 1], low), c = 1, s = 1, p = 0;
    for (std::int64_t i = low; i < high; ++i) {
      const double f = s * e_[i], b = c * e_[i];
      const double r = rotate(g, f, c, s);
      if (i != low) e_[i - 1] = r;
      g = d_[i] - p;
      const double t = (d_[i + 1] - g) * s + 2 * c * b;
      p = s * t;
      d_[i] = g + p;
      g = c * t - b;
      rotate_columns(q_, i, c, s);
    }
    d_[high] -= p;
    e_[high - 1] = g;
  }

  /// The rotation of (g, f) into (r, 0), as LAPACK's lartg up to 3.9.
  static double rotate(double g, double f, double& c, double& s) noexcept {
    if (f == 0) {
      c = 1;
      s = 0;
      return g;
    }
    double r = std::hypot(g, f);
    // Of two numbers the larger keeps its sign.
    if (g < 0 && std::abs(g) > std::abs(f)) r = -r;
    c = g / r;
    s = f / r;
    return r;
  }

  double *d_, *e_;
  std::int64_t n_;
  MatrixView<T> q_;
  std::int64_t steps_;
  double epsilon_;
};

}  // namespace treadle::inline v0::cpu::detail
