// Kernels that factor a matrix into triangles: inverses, determinants, linear systems.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <treadle/cpu/linalg/factor.hpp>

namespace treadle::inline v0::cpu::detail {

using MatrixOperands = std::vector<MatrixOperand>;

[[nodiscard]] inline std::size_t operand_size(const MatrixOperand& operand) noexcept {
  return static_cast<std::size_t>(operand.rows * operand.columns);
}

/// PyTorch factors the transpose of a row-major real matrix, whose columns lie together.
[[nodiscard]] inline bool factors_transpose(const TensorMeta& meta) noexcept {
  return is_contiguous(meta) && !is_complex(meta.dtype);
}

/// What a call with `check_errors` answers to a problem that has no solution.
inline Status check_info(const RunContext<Backend>& context, bool check, std::int64_t info,
                         std::string_view what) {
  if (!check || info == 0) return {};
  return context.fail(what, " ", info);
}

/// `linalg_inv_ex`: inverse, info.
struct InverseAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 2> out_ranks{2, 0};
  bool check = false;

  Status prepare(const CallArguments& call) {
    check = call.get<bool>("check_errors", false);
    return {};
  }
  static std::size_t work(const MatrixOperands& in, const MatrixOperands&) {
    return operand_size(in[0]) + static_cast<std::size_t>(in[0].rows);
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    const auto a = problem.in<T>(0), inverse = problem.out<T>(0);
    const MatrixView<T> lu{reinterpret_cast<T*>(problem.work), a.rows, a.columns};
    auto* pivots = reinterpret_cast<std::int64_t*>(lu.data + lu.count());
    copy_matrix(a, lu);
    const std::int64_t info = factor_lu(lu, pivots);
    problem.out<std::int64_t>(1)[0] = info;
    TREADLE_CHECK(check_info(context, check, info,
                             "the matrix is singular: no inverse; zero on the diagonal at"));
    set_identity(inverse);
    solve_lu(lu, pivots, inverse);
    return {};
  }
};

/// `_linalg_det`: det, LU, pivots; `_linalg_slogdet`: sign, log |det|, LU, pivots.
template <bool Logarithm>
struct DeterminantAlgorithm {
  static constexpr std::size_t lu_at = Logarithm ? 2 : 1;
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 4> out_ranks =
      Logarithm ? std::array<std::size_t, 4>{0, 0, 2, 1} : std::array<std::size_t, 4>{0, 2, 1, 0};
  bool transposes = false;

  Status prepare(const CallArguments& call) {
    transposes = factors_transpose(call.tensor("A").meta());
    return {};
  }
  static std::size_t work(const MatrixOperands&, const MatrixOperands&) { return 0; }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    const auto a = problem.in<T>(0), lu = problem.out<T>(lu_at);
    const auto pivots = problem.out<std::int64_t>(lu_at + 1);
    transposes ? transpose_into(a, lu) : copy_matrix(a, lu);
    factor_lu(lu, pivots.data);
    T sign = 1, product = 1;
    RealNumber<T> logarithm = 0;
    for (std::int64_t i = 0; i < lu.rows; ++i) {
      const T x = lu(i, i);
      const auto size = std::abs(x);
      sign *= (pivots[i] != i + 1 ? T(-1) : T(1)) * (size == 0 ? T(0) : x / size);
      product *= pivots[i] != i + 1 ? -x : x;
      logarithm += std::log(size);
    }
    if constexpr (Logarithm) problem.out<RealNumber<T>>(1)[0] = logarithm;
    problem.out<T>(0)[0] = Logarithm ? sign : product;
    return {};
  }
};

/// `linalg_lu_factor_ex`: LU, pivots, info.
struct LuFactorAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 3> out_ranks{2, 1, 0};
  bool check = false, exchange = true;

  Status prepare(const CallArguments& call) {
    check = call.get<bool>("check_errors", false);
    exchange = call.get<bool>("pivot", true);
    return {};
  }
  static std::size_t work(const MatrixOperands&, const MatrixOperands&) { return 0; }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    const auto lu = problem.out<T>(0);
    copy_matrix(problem.in<T>(0), lu);
    const std::int64_t info = factor_lu(lu, problem.out<std::int64_t>(1).data, exchange);
    problem.out<std::int64_t>(2)[0] = info;
    return check_info(context, check, info, "the factor U has a zero on its diagonal at");
  }
};

/// `lu_unpack`: P, L, U.
struct LuUnpackAlgorithm {
  std::array<std::size_t, 2> in_ranks{2, 1};
  std::array<std::size_t, 3> out_ranks{2, 2, 2};

  static Status prepare(const CallArguments&) { return {}; }
  static std::size_t work(const MatrixOperands&, const MatrixOperands&) { return 0; }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    const auto lu = problem.in<T>(0), p = problem.out<T>(0), l = problem.out<T>(1),
               u = problem.out<T>(2);
    const auto pivots = problem.in<std::int64_t>(1);
    for (std::int64_t i = 0; i < l.rows; ++i)
      for (std::int64_t j = 0; j < l.columns; ++j)
        l(i, j) = i == j ? T(1) : i > j ? lu(i, j) : T(0);
    for (std::int64_t i = 0; i < u.rows; ++i)
      for (std::int64_t j = 0; j < u.columns; ++j) u(i, j) = i <= j ? lu(i, j) : T(0);
    if (p.count() == 0) return {};
    set_identity(p);
    exchange_rows(p, pivots.data, pivots.rows, true);
    return {};
  }
};

/// A system whose matrix is given, or given by its factors, on the left or right of X.
struct SystemSide {
  bool left = true;

  /// Solves op(A) X = B, or X op(A) = B by way of op(A)^T X^T = B^T.
  template <class T>
  void solve(MatrixView<T> lu, const std::int64_t* pivots, MatrixView<T> b, MatrixForm form,
             T* work) const noexcept {
    if (left) return solve_lu(lu, pivots, b, form);
    const MatrixView<T> turned{work, b.columns, b.rows};
    transpose_into(b, turned);
    if (form == MatrixForm::adjoint) {  // conj(A) y = c: conjugate both sides
      for (std::int64_t i = 0; i < turned.count(); ++i) turned[i] = conjugate(turned[i]);
      solve_lu(lu, pivots, turned, MatrixForm::plain);
      for (std::int64_t i = 0; i < turned.count(); ++i) turned[i] = conjugate(turned[i]);
    } else {
      solve_lu(lu, pivots, turned,
               form == MatrixForm::plain ? MatrixForm::transposed : MatrixForm::plain);
    }
    transpose_into(turned, b);
  }
};

/// `_linalg_solve_ex`: result, LU, pivots, info.
struct SolveAlgorithm {
  std::array<std::size_t, 2> in_ranks{2, 2};
  std::array<std::size_t, 4> out_ranks{2, 2, 1, 0};
  bool check = false;
  SystemSide side;

  Status prepare(const CallArguments& call) {
    const TensorMeta &a = call.tensor("A").meta(), &b = call.tensor("B").meta();
    check = call.get<bool>("check_errors", false);
    side.left = call.get<bool>("left", true);
    if (b.rank() < a.rank() && call.result(0).rank() + 1 == a.rank())
      in_ranks[1] = out_ranks[0] = 1;
    return {};
  }
  static std::size_t work(const MatrixOperands&, const MatrixOperands& out) {
    return operand_size(out[0]);
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    const auto a = problem.in<T>(0), x = problem.out<T>(0), lu = problem.out<T>(1);
    const auto pivots = problem.out<std::int64_t>(2);
    copy_matrix(a, lu);
    const std::int64_t info = factor_lu(lu, pivots.data);
    problem.out<std::int64_t>(3)[0] = info;
    TREADLE_CHECK(check_info(context, check, info,
                             "the matrix is singular: no solution; zero on the diagonal at"));
    copy_matrix(problem.in<T>(1), x);
    side.solve(lu, pivots.data, x, MatrixForm::plain, reinterpret_cast<T*>(problem.work));
    return {};
  }
};

/// `linalg_lu_solve`.
struct LuSolveAlgorithm {
  std::array<std::size_t, 3> in_ranks{2, 1, 2};
  std::array<std::size_t, 1> out_ranks{2};
  MatrixForm form = MatrixForm::plain;
  SystemSide side;

  Status prepare(const CallArguments& call) {
    side.left = call.get<bool>("left", true);
    if (call.get<bool>("adjoint", false)) form = MatrixForm::adjoint;
    return {};
  }
  static std::size_t work(const MatrixOperands&, const MatrixOperands& out) {
    return operand_size(out[0]);
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    const auto x = problem.out<T>(0);
    copy_matrix(problem.in<T>(2), x);
    side.solve(problem.in<T>(0), problem.in<std::int64_t>(1).data, x, form,
               reinterpret_cast<T*>(problem.work));
    return {};
  }
};

}  // namespace treadle::inline v0::cpu::detail
