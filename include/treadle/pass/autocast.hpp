// What PyTorch's autocast does to operators inside its region.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/result.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0::detail {

/// A region of mixed precision on the CPU: the dtype that products are computed in.
struct Autocast {
  DType dtype = DType::bfloat16;
};

/// Operators whose tensors become the region's dtype.
inline constexpr std::string_view autocast_lowered[] = {"conv1d",
                                                        "conv2d",
                                                        "conv3d",
                                                        "bmm",
                                                        "mm",
                                                        "linalg_vecdot",
                                                        "baddbmm",
                                                        "addmm",
                                                        "_addmm_activation",
                                                        "addbmm",
                                                        "linear",
                                                        "_convolution",
                                                        "matmul",
                                                        "conv_tbc",
                                                        "mkldnn_rnn_layer",
                                                        "conv_transpose1d",
                                                        "conv_transpose2d",
                                                        "conv_transpose3d",
                                                        "prelu",
                                                        "scaled_dot_product_attention",
                                                        "_native_multi_head_attention"};

/// Operators that are made of lowered ones: they are lowered where the program says that their
/// result has the region's dtype.
inline constexpr std::string_view autocast_composed[] = {
    "einsum",        "tensordot",     "inner",        "linalg_multi_dot",
    "linalg_matmul", "chain_matmul",  "bilinear",     "lstm",
    "gru",           "rnn_tanh",      "rnn_relu",     "lstm_cell",
    "gru_cell",      "rnn_tanh_cell", "rnn_relu_cell"};

/// Operators whose tensors become float32.
inline constexpr std::string_view autocast_raised[] = {"avg_pool3d",
                                                       "binary_cross_entropy",
                                                       "grid_sampler",
                                                       "polar",
                                                       "prod",
                                                       "quantile",
                                                       "nanquantile",
                                                       "stft",
                                                       "cdist",
                                                       "grid_sampler_2d",
                                                       "_grid_sampler_2d_cpu_fallback",
                                                       "grid_sampler_3d",
                                                       "trace",
                                                       "view_as_complex",
                                                       "cholesky",
                                                       "cholesky_inverse",
                                                       "cholesky_solve",
                                                       "inverse",
                                                       "lu_solve",
                                                       "orgqr",
                                                       "ormqr",
                                                       "pinverse",
                                                       "max_pool3d",
                                                       "max_unpool2d",
                                                       "max_unpool3d",
                                                       "adaptive_avg_pool3d",
                                                       "reflection_pad1d",
                                                       "reflection_pad2d",
                                                       "replication_pad1d",
                                                       "replication_pad2d",
                                                       "replication_pad3d",
                                                       "mse_loss",
                                                       "cosine_embedding_loss",
                                                       "nll_loss",
                                                       "nll_loss2d",
                                                       "hinge_embedding_loss",
                                                       "poisson_nll_loss",
                                                       "smooth_l1_loss",
                                                       "cross_entropy_loss",
                                                       "l1_loss",
                                                       "huber_loss",
                                                       "margin_ranking_loss",
                                                       "soft_margin_loss",
                                                       "triplet_margin_loss",
                                                       "multi_margin_loss",
                                                       "ctc_loss",
                                                       "kl_div",
                                                       "multilabel_margin_loss",
                                                       "multilabel_margin_loss_forward",
                                                       "binary_cross_entropy_with_logits",
                                                       "fft_fft",
                                                       "fft_ifft",
                                                       "fft_fft2",
                                                       "fft_ifft2",
                                                       "fft_fftn",
                                                       "fft_ifftn",
                                                       "fft_rfft",
                                                       "fft_irfft",
                                                       "fft_rfft2",
                                                       "fft_irfft2",
                                                       "fft_rfftn",
                                                       "fft_irfftn",
                                                       "fft_hfft",
                                                       "fft_ihfft",
                                                       "linalg_cond",
                                                       "linalg_matrix_rank",
                                                       "linalg_solve",
                                                       "linalg_cholesky",
                                                       "linalg_svdvals",
                                                       "linalg_eigvals",
                                                       "linalg_eigvalsh",
                                                       "linalg_inv",
                                                       "linalg_householder_product",
                                                       "linalg_tensorinv",
                                                       "linalg_tensorsolve",
                                                       "fake_quantize_per_tensor_affine",
                                                       "geqrf",
                                                       "_lu_with_info",
                                                       "qr",
                                                       "svd",
                                                       "triangular_solve",
                                                       "fractional_max_pool2d",
                                                       "fractional_max_pool3d",
                                                       "adaptive_max_pool3d",
                                                       "linalg_qr",
                                                       "linalg_cholesky_ex",
                                                       "linalg_svd",
                                                       "linalg_eig",
                                                       "linalg_eigh",
                                                       "linalg_lstsq",
                                                       "linalg_inv_ex"};

/// `conv2d` of `aten::conv2d.padding`; empty outside of aten.
[[nodiscard]] constexpr std::string_view aten_base_name(std::string_view target) noexcept {
  constexpr std::string_view aten = "aten::";
  if (!target.starts_with(aten)) return {};
  target.remove_prefix(aten.size());
  return target.substr(0, target.find('.'));
}

/// A tensor that autocast may convert: a CPU float of at most 32 bits.
[[nodiscard]] inline bool is_castable(const GraphValue& value) {
  return value.kind == ValueKind::tensor && value.tensor &&
         value.tensor->device.type == DeviceType::cpu &&
         (value.tensor->dtype == DType::float16 || value.tensor->dtype == DType::bfloat16 ||
          value.tensor->dtype == DType::float32);
}

/// The dtype that the node's tensors are converted to, if any.
[[nodiscard]] inline std::optional<DType> autocast_dtype(const GraphBody& graph, const Node& node,
                                                         const Autocast& region) {
  const std::string_view name = aten_base_name(node.target);
  const auto listed = [&](const auto& names) {
    return !name.empty() && std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  if (listed(autocast_lowered)) return region.dtype;
  if (listed(autocast_raised)) return DType::float32;
  if (listed(autocast_composed) && !node.outputs.empty() && node.outputs[0].valid()) {
    const auto& result = graph.value(node.outputs[0]).tensor;
    if (result && result->dtype == region.dtype) return region.dtype;
  }
  if (name != "index_copy") return std::nullopt;
  // Operands of mixed precision meet in the widest of them.
  DType widest = region.dtype;
  for (const auto& argument : node.arguments)
    argument.value.for_each_value([&](ValueId id) {
      if (id.valid() && is_castable(graph.value(id)) &&
          graph.value(id).tensor->dtype == DType::float32)
        widest = DType::float32;
    });
  return widest;
}

/// `aten::to.dtype` of `value` before `before`.
inline ValueId add_cast(GraphBody& graph, ValueId value, DType dtype, NodeId before) {
  GraphValue made;
  made.name = concat(graph.value(value).name, "_cast");
  made.tensor = graph.value(value).tensor;
  made.tensor->dtype = dtype;
  made.tensor->storage_offset = 0;
  Node cast;
  cast.target = "aten::to.dtype";
  cast.arguments = {{"self", value}, {"dtype", Constant(dtype)}};
  cast.metadata = graph.node(before).metadata;
  const ValueId out = graph.add_value(std::move(made));
  cast.name = graph.value(out).name;
  cast.outputs.push_back(out);
  cast.result_lengths.push_back(Node::single);
  graph.add_node(std::move(cast), before);
  return out;
}

/// Writes the conversions of a region into the graph as nodes before `node`.
inline void apply_autocast(GraphBody& graph, NodeId node, const Autocast& region) {
  const auto dtype = autocast_dtype(graph, graph.node(node), region);
  if (!dtype) return;
  auto arguments = graph.node(node).arguments;
  std::vector<std::pair<ValueId, ValueId>> casts;
  for (auto& argument : arguments)
    argument.value.for_each_value([&](ValueId& id) {
      if (!id.valid() || !is_castable(graph.value(id))) return;
      if (graph.value(id).tensor->dtype == *dtype) return;
      const auto known = std::find_if(casts.begin(), casts.end(),
                                      [&](const auto& cast) { return cast.first == id; });
      if (known == casts.end()) {
        casts.emplace_back(id, add_cast(graph, id, *dtype, node));
        id = casts.back().second;
      } else {
        id = known->second;
      }
    });
  if (!casts.empty()) graph.set_arguments(node, std::move(arguments));
}

}  // namespace treadle::inline v0::detail
