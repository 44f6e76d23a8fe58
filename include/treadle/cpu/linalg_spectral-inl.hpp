// Definitions of the registries of linear algebra: orthogonal factors, spectra.
#pragma once

#include <treadle/cpu/linalg.hpp>
#include <treadle/cpu/linalg/general_eigen.hpp>
#include <treadle/cpu/linalg/matrix_exponential.hpp>
#include <treadle/cpu/linalg/matrix_registry.hpp>
#include <treadle/cpu/linalg/qr_kernels.hpp>
#include <treadle/cpu/linalg/singular_values.hpp>
#include <treadle/cpu/linalg/symmetric_eigen.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_spectral_kernels(KernelRegistry<Backend>& registry) {
  using namespace detail;
  add_matrix_kernel<QrAlgorithm>(registry, "aten::linalg_qr");
  add_matrix_kernel<GeqrfAlgorithm>(registry, "aten::geqrf");
  add_matrix_kernel<HouseholderProductAlgorithm>(registry, "aten::linalg_householder_product");
  add_matrix_kernel<EighAlgorithm>(registry, "aten::_linalg_eigh");
  add_matrix_kernel<EigAlgorithm>(registry, "aten::linalg_eig");
  add_matrix_kernel<OrthogonalProductAlgorithm>(registry, "aten::ormqr");
  add_matrix_kernel<SvdAlgorithm>(registry, "aten::_linalg_svd");
  add_matrix_kernel<MatrixExponentialAlgorithm>(registry, "aten::linalg_matrix_exp");
}

}  // namespace treadle::inline v0::cpu
