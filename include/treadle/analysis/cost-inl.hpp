// Definition of the cost estimate: operators by class, classes by formula.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include <treadle/analysis/cost.hpp>
#include <treadle/config.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {
namespace detail {

/// What an operator's time grows with.
enum class CostClass : std::uint8_t {
  elements,        ///< elements read and written
  transcendental,  ///< results, each a polynomial or two
  product,         ///< results times the inner size
  convolution,     ///< results times the filter's size
  attention,       ///< queries times keys times width
  recurrent,       ///< weights times rows
  sorting,         ///< elements times their logarithm
  unknown,
};

/// `sigmoid` of `aten::sigmoid_.default`; empty for operators that are not PyTorch's.
inline std::string_view base_name(std::string_view target) {
  constexpr std::string_view prefix = "aten::";
  if (!target.starts_with(prefix)) return {};
  target.remove_prefix(prefix.size());
  target = target.substr(0, target.find('.'));
  while (!target.empty() && target.front() == '_') target.remove_prefix(1);
  while (!target.empty() && target.back() == '_') target.remove_suffix(1);
  return target;
}

inline bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}
inline bool contains_any(std::string_view name, std::span<const std::string_view> pieces) {
  return std::ranges::any_of(
      pieces, [&](std::string_view piece) { return name.find(piece) != std::string_view::npos; });
}

inline CostClass cost_class(std::string_view target) {
  constexpr std::string_view products[] = {
      "mm",    "bmm",   "matmul", "linear",    "addmm",    "baddbmm",      "addbmm",
      "addmv", "mv",    "dot",    "vdot",      "bilinear", "inner",        "einsum",
      "addr",  "outer", "cdist",  "tensordot", "ger",      "chain_matmul", "trilinear"};
  constexpr std::string_view recurrent[] = {"lstm", "gru", "rnn_tanh", "rnn_relu", "mkldnn_rnn"};
  constexpr std::string_view curves[] = {"exp",       "log",
                                         "sin",       "cos",
                                         "tan",       "sigmoid",
                                         "gelu",      "silu",
                                         "mish",      "erf",
                                         "pow",       "elu",
                                         "gamma",     "special",
                                         "softmax",   "rand",
                                         "norm",      "uniform",
                                         "bessel",    "i0",
                                         "polar",     "acos",
                                         "atan",      "ndtr",
                                         "logit",     "upsample_bicubic",
                                         "bernoulli", "dropout"};
  constexpr std::string_view sorts[] = {"sort", "topk",   "kthvalue", "median",
                                        "mode", "unique", "fft"};
  const std::string_view name = base_name(target);
  if (name.empty()) return CostClass::unknown;
  if (is_one_of(name, products) || name.starts_with("linalg")) return CostClass::product;
  if (name.starts_with("conv")) return CostClass::convolution;
  if (name.starts_with("scaled_dot_product")) return CostClass::attention;
  if (std::ranges::any_of(recurrent, [&](auto piece) { return name.starts_with(piece); }))
    return CostClass::recurrent;
  if (contains_any(name, sorts)) return CostClass::sorting;
  if (name != "relu" && contains_any(name, curves)) return CostClass::transcendental;
  return CostClass::elements;
}

inline double count_elements(std::span<const TensorMeta* const> metas) {
  double n = 0;
  for (const auto* meta : metas)
    if (meta) n += static_cast<double>(element_count(*meta));
  return n;
}
inline double last_size(const TensorMeta* meta) {
  return meta && meta->rank() > 0 ? static_cast<double>(meta->sizes[meta->rank() - 1]) : 1;
}

/// The size that a product sums over: the one that is in the operands but not in the result.
inline double inner_size(std::span<const TensorMeta* const> inputs) {
  for (std::size_t i = 0; i + 1 < inputs.size(); ++i)  // `addmm` begins with what it adds to
    if (inputs[i] && inputs[i + 1] && inputs[i]->rank() >= 2 && inputs[i + 1]->rank() >= 1) {
      const auto& right = *inputs[i + 1];
      const double k = last_size(inputs[i]);
      const bool fits = std::ranges::any_of(
          right.sizes, [&](std::int64_t size) { return static_cast<double>(size) == k; });
      if (fits) return k;
    }
  return inputs.empty() ? 1 : last_size(inputs[0]);
}

inline double filter_size(std::span<const TensorMeta* const> inputs) {
  if (inputs.size() < 2 || !inputs[1] || inputs[1]->rank() == 0) return 1;
  const double all = static_cast<double>(element_count(*inputs[1]));
  return all / std::max(1.0, static_cast<double>(inputs[1]->sizes[0]));
}

}  // namespace detail

TREADLE_INLINE double estimate_nanoseconds(std::string_view target,
                                           std::span<const TensorMeta* const> inputs,
                                           std::span<const TensorMeta* const> outputs) {
  constexpr double call = 10, element = 0.12, curve = 0.9, multiply_add = 0.04, compare = 3;
  const double in = detail::count_elements(inputs), out = detail::count_elements(outputs);
  const double moved = call + element * (in + out);
  switch (detail::cost_class(target)) {
    case detail::CostClass::elements: return moved;
    case detail::CostClass::transcendental: return moved + curve * out;
    case detail::CostClass::product: return moved + multiply_add * out * detail::inner_size(inputs);
    case detail::CostClass::convolution:
      return moved + multiply_add * out * detail::filter_size(inputs);
    case detail::CostClass::attention: {
      const auto* keys = inputs.size() > 1 ? inputs[1] : nullptr;
      const double rows =
          keys && keys->rank() >= 2 ? static_cast<double>(keys->sizes[keys->rank() - 2]) : 1;
      return moved + 2 * multiply_add * out * rows;
    }
    case detail::CostClass::recurrent: {
      const double rows = inputs.empty() || !inputs[0]
                              ? 1
                              : static_cast<double>(element_count(*inputs[0])) /
                                    std::max(1.0, detail::last_size(inputs[0]));
      return moved + 2 * multiply_add * in * rows + curve * out;
    }
    case detail::CostClass::sorting: return moved + compare * in * std::log2(in + 2);
    case detail::CostClass::unknown: return 3000 + curve * (in + out);
  }
  return moved;
}

}  // namespace treadle::inline v0
