// Definitions of the registries of linear algebra: triangular factors.
#pragma once

#include <treadle/cpu/linalg.hpp>
#include <treadle/cpu/linalg/ldl_kernels.hpp>
#include <treadle/cpu/linalg/lu_kernels.hpp>
#include <treadle/cpu/linalg/matrix_registry.hpp>
#include <treadle/cpu/linalg/triangle_kernels.hpp>

namespace treadle::inline v0::cpu {
TREADLE_INLINE void add_factor_kernels(KernelRegistry<Backend>& registry) {
  using namespace detail;
  add_matrix_kernel<InverseAlgorithm>(registry, "aten::linalg_inv_ex");
  add_matrix_kernel<DeterminantAlgorithm<false>>(registry, "aten::_linalg_det");
  add_matrix_kernel<DeterminantAlgorithm<true>>(registry, "aten::_linalg_slogdet");
  add_matrix_kernel<LuFactorAlgorithm>(registry, "aten::linalg_lu_factor_ex");
  add_matrix_kernel<LuUnpackAlgorithm>(registry, "aten::lu_unpack");
  add_matrix_kernel<SolveAlgorithm>(registry, "aten::_linalg_solve_ex");
  add_matrix_kernel<LuSolveAlgorithm>(registry, "aten::linalg_lu_solve");
  add_matrix_kernel<LdlFactorAlgorithm>(registry, "aten::linalg_ldl_factor_ex");
  add_matrix_kernel<LdlSolveAlgorithm>(registry, "aten::linalg_ldl_solve");
  add_matrix_kernel<CholeskyAlgorithm>(registry, "aten::linalg_cholesky_ex");
  add_matrix_kernel<CholeskyAlgorithm>(registry, "aten::cholesky");
  add_matrix_kernel<TriangularAlgorithm>(registry, "aten::linalg_solve_triangular");
  add_matrix_kernel<TriangularAlgorithm>(registry, "aten::triangular_solve");
  add_matrix_kernel<CholeskySolveAlgorithm<false>>(registry, "aten::cholesky_solve");
  add_matrix_kernel<CholeskySolveAlgorithm<false>>(registry, "aten::_cholesky_solve_helper");
  add_matrix_kernel<CholeskySolveAlgorithm<true>>(registry, "aten::cholesky_inverse");
}

TREADLE_INLINE KernelRegistry<Backend> linalg_kernels() {
  KernelRegistry<Backend> registry;
  add_factor_kernels(registry);
  add_spectral_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
