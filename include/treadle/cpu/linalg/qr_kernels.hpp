// Kernels of orthogonal factors made of reflections.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <treadle/cpu/linalg/householder.hpp>
#include <treadle/cpu/linalg/lu_kernels.hpp>

namespace treadle::inline v0::cpu::detail {

/// `linalg_qr`: Q (empty if not wanted), R.
struct QrAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 2> out_ranks{2, 2};

  static Status prepare(const CallArguments&) { return {}; }
  static std::size_t work(const MatrixOperands& in, const MatrixOperands&) {
    return operand_size(in[0]) + static_cast<std::size_t>(std::min(in[0].rows, in[0].columns));
  }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    const auto a = problem.in<T>(0), q = problem.out<T>(0), r = problem.out<T>(1);
    const MatrixView<T> factor{reinterpret_cast<T*>(problem.work), a.rows, a.columns};
    T* taus = factor.data + factor.count();
    copy_matrix(a, factor);
    factor_qr(factor, taus);
    for (std::int64_t i = 0; i < r.rows; ++i)
      for (std::int64_t j = 0; j < r.columns; ++j) r(i, j) = i <= j ? factor(i, j) : T(0);
    if (q.count() > 0) make_product(factor, taus, std::min(a.rows, a.columns), q);
    return {};
  }
};

/// `geqrf`: the factors in one matrix, taus.
struct GeqrfAlgorithm {
  std::array<std::size_t, 1> in_ranks{2};
  std::array<std::size_t, 2> out_ranks{2, 1};

  static Status prepare(const CallArguments&) { return {}; }
  static std::size_t work(const MatrixOperands&, const MatrixOperands&) { return 0; }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    copy_matrix(problem.in<T>(0), problem.out<T>(0));
    factor_qr(problem.out<T>(0), problem.out<T>(1).data);
    return {};
  }
};

/// `linalg_householder_product`: reflections, taus.
struct HouseholderProductAlgorithm {
  std::array<std::size_t, 2> in_ranks{2, 1};
  std::array<std::size_t, 1> out_ranks{2};

  static Status prepare(const CallArguments&) { return {}; }
  static std::size_t work(const MatrixOperands&, const MatrixOperands&) { return 0; }
  template <class T>
  Status run(const MatrixProblem& problem, RunContext<Backend>&) const {
    const auto taus = problem.in<T>(1);
    const auto vectors = problem.in<T>(0);
    make_product(vectors, taus.data, std::min(taus.rows, vectors.columns), problem.out<T>(0));
    return {};
  }
};

}  // namespace treadle::inline v0::cpu::detail
