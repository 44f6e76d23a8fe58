// Definition of the table of composite operators.
#pragma once

#include <string_view>

#include <treadle/ops/composite/composed.hpp>
#include <treadle/ops/decomposition_losses.hpp>
#include <treadle/ops/decomposition_products.hpp>
#include <treadle/ops/decomposition_shapes.hpp>
#include <treadle/ops/decompositions.hpp>

namespace treadle::inline v0 {
namespace detail::composite {

inline constexpr OpDef table[] = {
    composed("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", einsum,
             true),
    composed(
        "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
        tensordot),
    composed("aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", squeeze_dims_),
    composed("aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor", sum_to_size, true),
    composed("aten::inner(Tensor self, Tensor other) -> Tensor", inner),
    composed("aten::outer(Tensor self, Tensor vec2) -> Tensor", outer),
    composed("aten::ger(Tensor self, Tensor vec2) -> Tensor", outer),
    composed("aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) "
             "-> Tensor",
             addr),
    composed(
        "aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
        bilinear),
    composed("aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", vecdot),
    composed("aten::vdot(Tensor self, Tensor other) -> Tensor", vdot),
    composed("aten::kron(Tensor self, Tensor other) -> Tensor", kron),
    composed("aten::chain_matmul(Tensor[] matrices) -> Tensor", chain, true),
    composed("aten::linalg_multi_dot(Tensor[] tensors) -> Tensor", chain, true),
    composed("aten::matrix_power(Tensor self, int n) -> Tensor", matrix_power),
    composed("aten::linalg_matrix_power(Tensor self, int n) -> Tensor", matrix_power),
    composed("aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
             linalg_cross),
    composed("aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor", plain_cross),
    composed("aten::trace(Tensor self) -> Tensor", trace),
    composed("aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
             "Scalar alpha=1, bool use_gelu=False) -> Tensor",
             addmm_activation),
    composed("aten::t_(Tensor(a!) self) -> Tensor(a!)", t_),
    composed("aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", transpose_),
    composed("aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)", transpose_),
    composed("aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", transpose_),
    composed("aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", squeeze_),
    composed("aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", squeeze_dim_),
    composed("aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", unsqueeze_),
    composed("aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> "
             "Tensor(a)",
             linalg_diagonal),
    composed("aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? "
             "append=None) -> Tensor",
             diff),
    composed("aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", trapezoid_dx),
    composed("aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", trapezoid_x),
    composed("aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor", fftshift),
    composed("aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor", ifftshift),
    composed("aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor", dist),
    composed("aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
             frobenius_norm),
    composed("aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
             "Device? device=None, bool? pin_memory=None) -> Tensor",
             hann_window),
    composed(
        "aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
        "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        hann_window_periodic),
    composed("aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? "
             "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
             hamming_window),
    composed(
        "aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        hamming_window_periodic),
    composed("aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? "
             "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
             blackman_window),
    composed(
        "aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        blackman_window_periodic),
    composed("aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float "
             "margin=0., int reduction=1) -> Tensor",
             margin_ranking_loss),
    composed("aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int "
             "reduction=1) -> Tensor",
             hinge_embedding_loss),
    composed("aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float "
             "eps, int reduction) -> Tensor",
             poisson_nll_loss),
    composed("aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float "
             "margin=0., int reduction=1) -> Tensor",
             cosine_embedding_loss),
    composed("aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float "
             "margin=1., float p=2., float eps=9.9999999999999995e-07, bool swap=False, int "
             "reduction=1) -> Tensor",
             triplet_margin_loss),
    composed("aten::mvlgamma(Tensor self, int p) -> Tensor", mvlgamma),
    composed("aten::special_multigammaln(Tensor self, int p) -> Tensor", mvlgamma),
    composed("aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor", trapezoid_dx),
    composed("aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", trapezoid_x),
    composed("aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor", norm_except_dim),
    composed("aten::isreal(Tensor self) -> Tensor", isreal),
    composed("aten::diagflat(Tensor self, int offset=0) -> Tensor", diagflat),
};

}  // namespace detail::composite

TREADLE_INLINE std::span<const OpDef> composite_ops() { return detail::composite::table; }

}  // namespace treadle::inline v0
