// Linear algebra: schemas, shape rules, definitions.
#pragma once

#include <treadle/ops/linalg/linalg_definitions.hpp>
#include <treadle/ops/linalg/linalg_rules.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef linalg_table[] = {
    {"aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor "
     "info)",
     &rules::square_factor_rule<true>},
    {"aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) "
     "-> (Tensor L, Tensor info)",
     &rules::square_factor_rule<true>},
    {"aten::cholesky(Tensor self, bool upper=False) -> Tensor",
     &rules::square_factor_rule<false>},
    {"aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
     &rules::square_factor_rule<false>},
    {"aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)",
     &rules::determinant_rule<false>},
    {"aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor "
     "pivots)",
     &rules::determinant_rule<true>},
    {"aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> "
     "(Tensor LU, Tensor pivots, Tensor info)",
     &rules::lu_factor_rule},
    {"aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool "
     "unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
     &rules::lu_unpack_rule},
    {"aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool "
     "check_errors=False) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)",
     &rules::solve_rule},
    {"aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool "
     "adjoint=False) -> Tensor",
     &rules::solution_rule<0, 2>},
    {"aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, "
     "bool unitriangular=False) -> Tensor",
     &rules::solution_rule<0, 1>},
    {"aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, "
     "bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
     &rules::triangular_solve_rule},
    {"aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
     &rules::solution_rule<1, 0>},
    {"aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor",
     &rules::solution_rule<1, 0>},
    {"aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)",
     &rules::qr_rule},
    {"aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)",
     &rules::geqrf_rule},
    {"aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
     &rules::householder_product_rule},
    {"aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor "
     "eigenvalues, Tensor eigenvectors)",
     &rules::eigh_rule},
    {"aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? "
     "driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
     &rules::svd_rule},
    {"aten::linalg_matrix_exp(Tensor self) -> Tensor",
     &rules::matrix_exponential_rule},

    {"aten::linalg_inv(Tensor A) -> Tensor",
     nullptr, {}, {}, &composite::inverse},
    {"aten::inverse(Tensor self) -> Tensor",
     nullptr, {}, {}, &composite::inverse},
    {"aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
     nullptr, {}, {}, &composite::cholesky_checked},
    {"aten::linalg_det(Tensor A) -> Tensor",
     nullptr, {}, {}, &composite::determinant},
    {"aten::det(Tensor self) -> Tensor",
     nullptr, {}, {}, &composite::determinant},
    {"aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)",
     nullptr, {}, {}, &composite::sign_and_logarithm},
    {"aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)",
     nullptr, {}, {}, &composite::sign_and_logarithm},
    {"aten::logdet(Tensor self) -> Tensor",
     nullptr, {}, {}, &composite::log_determinant},
    {"aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
     nullptr, {}, {}, &composite::solve},
    {"aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) "
     "-> (Tensor result, Tensor info)",
     nullptr, {}, {}, &composite::solve_with_info},
    {"aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
     nullptr, {}, {}, &composite::lu},
    {"aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)",
     nullptr, {}, {}, &composite::lu_factor},
    {"aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor "
     "LU, Tensor pivots, Tensor info)",
     nullptr, {}, {}, &composite::lu_with_info},
    {"aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor",
     nullptr, {}, {}, &composite::lu_solve},
    {"aten::orgqr(Tensor self, Tensor input2) -> Tensor",
     nullptr, {}, {}, &composite::orgqr},
    {"aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)",
     nullptr, {}, {}, &composite::qr},
    {"aten::matrix_exp(Tensor self) -> Tensor",
     nullptr, {}, {}, &composite::matrix_exponential},
    {"aten::linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor "
     "eigenvectors)",
     nullptr, {}, {}, &composite::eigh},
    {"aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor",
     nullptr, {}, {}, &composite::eigvalsh},
    {"aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor "
     "U, Tensor S, Tensor Vh)",
     nullptr, {}, {}, &composite::svd},
    {"aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, "
     "Tensor V)",
     nullptr, {}, {}, &composite::old_svd},
    {"aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
     nullptr, {}, {}, &composite::svdvals},
    {"aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor",
     nullptr, {}, {}, &composite::pinv},
    {"aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> "
     "Tensor",
     nullptr, {}, {}, &composite::pinv},
    {"aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor",
     nullptr, {}, {}, &composite::pinv},
    {"aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, "
     "bool hermitian=False) -> Tensor",
     nullptr, {}, {}, &composite::pinv_tolerances},
    {"aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? "
     "rtol=None, bool hermitian=False) -> Tensor",
     nullptr, {}, {}, &composite::pinv_tolerances},
    {"aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor",
     nullptr, {}, {}, &composite::matrix_rank},
    {"aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) "
     "-> Tensor",
     nullptr, {}, {}, &composite::matrix_rank},
    {"aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? "
     "rtol=None, bool hermitian=False) -> Tensor",
     nullptr, {}, {}, &composite::matrix_rank_tolerances},
    {"aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? "
     "rtol=None, bool hermitian=False) -> Tensor",
     nullptr, {}, {}, &composite::matrix_rank_tolerances},
    {"aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> "
     "(Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)",
     nullptr, {}, {}, &composite::least_squares},
    {"aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor",
     nullptr, {}, {}, &composite::condition},
};

}  // namespace treadle::inline v0::detail
