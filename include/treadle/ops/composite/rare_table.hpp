// Schemas of operators that others define and that few programs have.
#pragma once

#include <treadle/ops/composite/composed.hpp>
#include <treadle/ops/composite/gradient.hpp>
#include <treadle/ops/composite/histograms.hpp>
#include <treadle/ops/composite/layers.hpp>
#include <treadle/ops/composite/margin_losses.hpp>
#include <treadle/ops/composite/questions.hpp>
#include <treadle/ops/composite/random_slopes.hpp>
#include <treadle/ops/composite/rare.hpp>

namespace treadle::inline v0::detail::composite {

/// A definition that draws from the random state.
constexpr OpDef random(std::string_view schema, OpDef::Decompose by) {
  OpDef definition = composed(schema, by);
  definition.traits.random = true;
  return definition;
}

inline constexpr OpDef rare_table[] = {
    composed("aten::equal(Tensor self, Tensor other) -> bool", equal),
    composed("aten::allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float "
             "atol=1e-08, bool equal_nan=False) -> bool",
             all_close),
    composed("aten::is_nonzero(Tensor self) -> bool", is_nonzero),
    composed("aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor "
             "tensor_indices_or_sections, int dim=0) -> Tensor(a)[]",
             split_at_places),
    composed("aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, "
             "Tensor? weight=None, int reduction=1) -> Tensor",
             multi_margin_loss),
    composed("aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
             multilabel_margin_loss),
    composed("aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> "
             "(Tensor output, Tensor is_target)",
             multilabel_margin_loss_forward),
    composed("aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? "
             "weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)",
             histogram_counted),
    composed("aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool "
             "density=False) -> (Tensor hist, Tensor bin_edges)",
             histogram_between),
    composed("aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, "
             "bool density=False) -> (Tensor hist, Tensor[] bin_edges)",
             histogram_dims_both),
    composed("aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? "
             "weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)",
             histogram_dims_equal),
    composed("aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, "
             "Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)",
             histogram_dims_given_both),
    composed("aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, "
             "Tensor? weight=None, bool density=False) -> Tensor[]",
             histogram_dims_edges),
    composed("aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, "
             "Tensor? weight=None, bool density=False) -> Tensor",
             histogram_dims_counts),
    composed("aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? "
             "weight=None, bool density=False) -> Tensor",
             histogram_dims_given),
    composed("aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int "
             "edge_order=1) -> Tensor[]",
             gradient_tensors),
    composed("aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int "
             "edge_order=1) -> Tensor[]",
             gradient_tensors),
    composed("aten::_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, "
             "float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, float? "
             "scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, "
             "SymInt max_q, SymInt max_k, Tensor rng_state, Tensor unused, Tensor debug_attn_mask)",
             attention_flash),
    composed("aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, "
             "int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor",
             trilinear),
    composed("aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor", chunk_cat),
    composed("aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) "
             "-> Tensor",
             masked_index),
    composed("aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] "
             "indices, Tensor values) -> Tensor",
             masked_index_add),
    composed("aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) "
             "-> Tensor",
             embedding_renorm),
    composed("aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float "
             "norm_type) -> Tensor(a!)",
             embedding_renorm_),
    composed("aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) "
             "-> Tensor(a!)",
             resize, true),
    composed("aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? "
             "memory_format=None) -> Tensor(a!)",
             resize_as, true),
    composed("aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType "
             "input_dtype) -> Tensor",
             softmax_backward),
    composed("aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] "
             "kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor "
             "indices) -> Tensor",
             max_pool_backward),
    composed("aten::fft_hfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) "
             "-> Tensor",
             hfftn),
    composed("aten::fft_hfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> "
             "Tensor",
             hfftn),
    composed("aten::fft_ihfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? "
             "norm=None) -> Tensor",
             ihfftn),
    composed("aten::fft_ihfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) "
             "-> Tensor",
             ihfftn),
    composed("aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
             to_half_complex, true),
    composed("aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!)", polygamma_in_place),
    composed("aten::mvlgamma(Tensor self, int p) -> Tensor", multivariate_log_gamma),
    composed("aten::special_multigammaln(Tensor self, int p) -> Tensor", multivariate_log_gamma),
    random("aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool "
           "training=False, Generator? generator=None) -> Tensor",
           random_rectifier),
    random("aten::rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar "
           "upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor",
           random_rectifier_noise),
    random("aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, "
           "Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> "
           "(Tensor, Tensor noise_out)",
           random_rectifier_noise_functional),
    random("aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", dirichlet),
    {"aten::mvlgamma_(Tensor(a!) self, int p) -> Tensor(a!)", nullptr, {}, "aten::mvlgamma"},
    {"aten::rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool "
     "training=False, Generator? generator=None) -> Tensor(a!)",
     nullptr,
     {.random = true},
     "aten::rrelu"},
};

}  // namespace treadle::inline v0::detail::composite
