// Kernels around triangular matrices: Cholesky's factor, systems, inverses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <treadle/cpu/linalg/lu_kernels.hpp>

namespace treadle::inline v0::cpu::detail {

/// `linalg_cholesky_ex` and `cholesky`: the factor, info if the operator gives it.
struct CholeskyAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 2> out_ranks{2, 0};
  bool check = false, upper = false, has_info = true;

  Status prepare(const CallArguments& call) {
    has_info = call.result_count() > 1;
    check = !has_info || call.get<bool>("check_errors", false);
    upper = call.get<bool>("upper", false);
    return {};
  }
  static std::size_t work(const MatrixOperands& in, const MatrixOperands&) {
    return operand_size(in[0]);
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>& context) const {
    const auto a = problem.in<T>(0), factor = problem.out<T>(0);
    const MatrixView<T> lower{reinterpret_cast<T*>(problem.work), a.rows, a.columns};
    upper ? transpose_into(a, lower, true) : copy_matrix(a, lower);
    const std::int64_t info = factor_cholesky(lower);
    upper ? transpose_into(lower, factor, true) : copy_matrix(lower, factor);
    if (has_info) problem.out<std::int64_t>(1)[0] = info;
    return check_info(context, check, info,
                      "the matrix is not positive definite: leading minor of order");
  }
};

/// `linalg_solve_triangular` and `triangular_solve`, which also gives back the matrix.
struct TriangularAlgorithm {
  std::array<std::size_t, 2> in_ranks{2, 2};
  std::array<std::size_t, 2> out_ranks{2, 2};
  std::size_t matrix = 0;
  bool upper = true, left = true, unit = false, copies = false;
  MatrixForm form = MatrixForm::plain;

  Status prepare(const CallArguments& call) {
    copies = call.base_name() == "triangular_solve";
    matrix = copies ? 1 : 0;
    upper = call.get<bool>("upper", true);
    left = call.get<bool>("left", true);
    unit = call.get<bool>("unitriangular", false);
    if (call.get<bool>("transpose", false)) form = MatrixForm::transposed;
    return {};
  }
  static std::size_t work(const MatrixOperands&, const MatrixOperands& out) {
    return operand_size(out[0]);
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    const auto a = problem.in<T>(matrix), b = problem.in<T>(1 - matrix), x = problem.out<T>(0);
    if (left) {
      copy_matrix(b, x);
      solve_triangle(a, x, upper, unit, form);
    } else {
      const MatrixView<T> turned{reinterpret_cast<T*>(problem.work), b.columns, b.rows};
      transpose_into(b, turned);
      solve_triangle(a, turned, upper, unit, MatrixForm::transposed);
      transpose_into(turned, x);
    }
    if (copies) copy_matrix(a, problem.out<T>(1));
    return {};
  }
};

/// `cholesky_solve` (a right-hand side, a factor) and `cholesky_inverse` (a factor).
template <bool Inverse>
struct CholeskySolveAlgorithm {
  std::array<std::size_t, 2> in_ranks{2, 2};
  std::array<std::size_t, 1> out_ranks{2};
  bool upper = false;

  Status prepare(const CallArguments& call) {
    upper = call.get<bool>("upper", false);
    return {};
  }
  static std::size_t work(const MatrixOperands&, const MatrixOperands&) { return 0; }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    const auto factor = problem.in<T>(Inverse ? 0 : 1), x = problem.out<T>(0);
    if constexpr (Inverse)
      set_identity(x);
    else
      copy_matrix(problem.in<T>(0), x);
    // L L^H X = B, or U^H U X = B.
    solve_triangle(factor, x, upper, false, upper ? MatrixForm::adjoint : MatrixForm::plain);
    solve_triangle(factor, x, upper, false, upper ? MatrixForm::plain : MatrixForm::adjoint);
    return {};
  }
};

}  // namespace treadle::inline v0::cpu::detail
