// Schemas of operators that others define: statistics, signals, layers, norms.
#pragma once

#include <treadle/ops/composite/composed.hpp>
#include <treadle/ops/composite/gradient.hpp>
#include <treadle/ops/composite/layers.hpp>
#include <treadle/ops/composite/renamed.hpp>
#include <treadle/ops/composite/signal.hpp>
#include <treadle/ops/composite/statistics.hpp>
#include <treadle/ops/composite/transformer.hpp>
#include <treadle/ops/linalg/matrix_norms.hpp>

namespace treadle::inline v0::detail::composite {

inline constexpr OpDef further_table[] = {
    composed("aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor",
             cast_to<DType::uint8>),
    composed("aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor",
             cast_to<DType::int8>),
    composed("aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor",
             cast_to<DType::float64>),
    composed("aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor",
             cast_to<DType::float32>),
    composed("aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor",
             cast_to<DType::float16>),
    composed("aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor",
             cast_to<DType::int32>),
    composed("aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor",
             cast_to<DType::int64>),
    composed("aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor",
             cast_to<DType::int16>),
    composed("aten::_stack(Tensor[] tensors, int dim=0) -> Tensor", stack),
    composed("aten::matrix_H(Tensor(a) self) -> Tensor(a)", matrix_adjoint),
    composed("aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)", same_tensor,
             true),
    composed("aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? "
             "storage_offset=None) -> Tensor(a!)",
             as_strided_),
    composed("aten::where(Tensor condition) -> Tensor[]", where_places),
    composed(
        "aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, "
        "Device? device=None, bool? pin_memory=None) -> Tensor",
        range),
    composed("aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, "
             "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
             range_step),
    // PyTorch's marks a view as negated; a copy holds the same numbers.
    composed("aten::_neg_view(Tensor(a) self) -> Tensor(a)", negated, true),
    composed("aten::_neg_view_copy(Tensor self) -> Tensor", negated),
    composed("aten::_conj_copy(Tensor self) -> Tensor", conjugated),
    composed("aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> "
             "Tensor(a!)",
             fill_diagonal, true),
    composed("aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor",
             combinations),
    composed("aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float "
             "padding_value=0., str padding_side=\"right\") -> Tensor",
             pad_sequence),
    composed("aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", vander),
    composed("aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor", linalg_vander),
    composed("aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor",
             max_unpool2d),
    composed(
        "aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, "
        "int[3] padding) -> Tensor",
        max_unpool3d),
    composed("aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
             cumulative_trapezoid_dx),
    composed("aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
             cumulative_trapezoid_x),
    composed("aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
             "interpolation=\"linear\") -> Tensor",
             quantile),
    composed(
        "aten::quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
        "interpolation=\"linear\") -> Tensor",
        quantile),
    composed("aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
             "interpolation=\"linear\") -> Tensor",
             nanquantile),
    composed("aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, "
             "str interpolation=\"linear\") -> Tensor",
             nanquantile),
    composed("aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? "
             "aweights=None) -> Tensor",
             covariance),
    composed("aten::corrcoef(Tensor self) -> Tensor", correlation),
    composed("aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
             histogram_counts),
    composed("aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", renorm),
    {"aten::renorm_(Tensor(a!) self, Scalar p, int dim, Scalar maxnorm) -> Tensor(a!)",
     nullptr,
     {},
     "aten::renorm"},
    composed("aten::pdist(Tensor self, float p=2.) -> Tensor", row_distances),
    composed("aten::_pdist_forward(Tensor self, float p=2.) -> Tensor", row_distances),
    composed("aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, "
             "Generator? generator=None) -> Tensor",
             multinomial),
    composed("aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
             "Tensor? window=None, bool normalized=False, bool? onesided=None, bool? "
             "return_complex=None, bool? align_to_window=None) -> Tensor",
             stft),
    composed(
        "aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
        "Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool "
        "normalized=False, bool? onesided=None, bool? return_complex=None, bool? "
        "align_to_window=None) -> Tensor",
        stft_center),
    composed("aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
             "Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, "
             "int? length=None, bool return_complex=False) -> Tensor",
             istft),
    composed(
        "aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, "
        "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
        "pin_memory=None) -> Tensor",
        hamming_window_alpha),
    composed("aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float "
             "alpha, float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? "
             "device=None, bool? pin_memory=None) -> Tensor",
             hamming_window_alpha_beta),
    composed("aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? "
             "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
             bartlett_window),
    composed(
        "aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        bartlett_window_periodic),
    composed("aten::kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? "
             "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
             kaiser_window),
    composed(
        "aten::kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        kaiser_window_periodic),
    composed(
        "aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        kaiser_window_beta),
    composed(
        "aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, "
        "Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> "
        "(Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)",
        batch_norm_functional),
    composed("aten::_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) "
             "running_mean, Tensor(b!) running_var, float momentum, float eps) -> (Tensor, Tensor, "
             "Tensor, Tensor)",
             batch_norm_with_update),
    composed("aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, "
             "Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, "
             "Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)",
             batch_norm_with_update_functional),
    composed("aten::_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
             "running_mean, Tensor? running_var, float momentum, float eps) -> (Tensor, Tensor, "
             "Tensor, Tensor)",
             batch_norm_no_update),
    composed("aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor",
             conv_tbc),
    composed("aten::thnn_conv2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? "
             "bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0]) -> Tensor",
             plain_conv2d),
    composed(
        "aten::_slow_conv2d_forward(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? "
        "bias, SymInt[2] stride, SymInt[2] padding) -> Tensor",
        plain_conv2d),
    composed("aten::slow_conv3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? "
             "bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0]) -> Tensor",
             plain_conv3d),
    composed("aten::slow_conv3d_forward(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? "
             "bias, SymInt[3] stride, SymInt[3] padding) -> Tensor",
             plain_conv3d),
    composed("aten::slow_conv_dilated2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? "
             "bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, "
             "1]) -> Tensor",
             dilated_conv2d),
    composed("aten::slow_conv_dilated3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? "
             "bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] "
             "dilation=[1, 1, 1]) -> Tensor",
             dilated_conv3d),
    composed("aten::_conv_depthwise2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? "
             "bias, SymInt[2] stride, SymInt[2] padding, SymInt[2] dilation) -> Tensor",
             depthwise_conv2d),
    composed("aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", mm_as),
    composed("aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", bmm_as),
    composed("aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, "
             "Scalar beta=1, Scalar alpha=1) -> Tensor",
             addmm_as),
    composed("aten::baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, "
             "*, Scalar beta=1, Scalar alpha=1) -> Tensor",
             baddbmm_as),
    composed("aten::_int_mm(Tensor self, Tensor mat2) -> Tensor", int_mm),
    composed("aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor",
             int8_weight_mm),
    composed("aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, "
             "Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor? "
             "dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor)",
             attention_math),
    composed(
        "aten::_scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor value, "
        "Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0., bool is_causal=False, "
        "*, float? scale=None) -> (Tensor output, Tensor log_sumexp, Tensor philox_seed, "
        "Tensor philox_offset)",
        attention_efficient),
    composed("aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool "
             "keepdim=False, *, ScalarType? dtype=None) -> Tensor",
             matrix_norm),
    composed("aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], "
             "bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
             matrix_norm_text),
    composed("aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool "
             "keepdim=False, *, ScalarType? dtype=None) -> Tensor",
             any_norm),
    composed(
        "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, "
        "*, ScalarType? dtype=None) -> Tensor",
        matrix_norm_text),
    composed("aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", nuclear_norm),
    composed("aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor",
             nuclear_norm_dims),
    composed("aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int "
             "edge_order=1) -> Tensor[]",
             gradient_scalar),
    composed("aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int "
             "edge_order=1) -> Tensor[]",
             gradient_scalar),
    composed("aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]",
             gradient_dims),
    composed("aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int "
             "edge_order=1) -> Tensor[]",
             gradient_scalars),
    composed("aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int "
             "edge_order=1) -> Tensor[]",
             gradient_scalars),
    composed("aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> "
             "(Tensor, Tensor, Tensor)",
             split_projection),
    composed("aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int "
             "embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, "
             "Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool "
             "average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)",
             multi_head_attention),
    composed(
        "aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor "
        "qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, "
        "bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor "
        "norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor "
        "ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor",
        encoder_layer),
    composed("aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) "
             "-> Tensor",
             masked_softmax),
};

}  // namespace treadle::inline v0::detail::composite
