// The geometry of a convolution, from the arguments of its operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/cpu/gemm/conv_plan.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>

namespace treadle::inline v0::cpu::detail {

/// Number `d` of a list argument in which a single one stands for all.
inline std::int64_t conv_number(const cpu::CallArguments& call, std::string_view argument,
                                std::size_t d, std::int64_t otherwise) {
  const std::vector<std::int64_t> list = call.integers(argument);
  if (list.empty()) return otherwise;
  return d < list.size() ? list[d] : list.back();
}

/// The geometry; sizes that `padding="same"` adds only at the end become part of the input's.
inline ConvGeometry conv_geometry(const cpu::CallArguments& call, const TensorMeta& input,
                                  const TensorMeta& weight, const TensorMeta& output) {
  ConvGeometry g;
  g.rank = weight.rank() - 2;
  const std::size_t first = input.rank() - g.rank;
  g.batch = first == 2 ? input.sizes[0] : 1;
  g.in_channels = input.sizes[first - 1];
  g.out_channels = output.sizes[first - 1];
  g.groups = call.get<std::int64_t>("groups", 1);
  g.transposed =
      call.get<bool>("transposed", call.base_name().find("transpose") != std::string_view::npos);
  const bool is_same = call.get<std::string>("padding", "") == "same";
  for (std::size_t d = 0; d < g.rank; ++d) {
    g.input[d] = input.sizes[first + d];
    g.kernel[d] = weight.sizes[2 + d];
    g.output[d] = output.sizes[first + d];
    g.stride[d] = conv_number(call, "stride", d, 1);
    g.dilation[d] = conv_number(call, "dilation", d, 1);
    g.output_padding[d] = g.transposed ? conv_number(call, "output_padding", d, 0) : 0;
    g.padding[d] = conv_number(call, "padding", d, 0);
    if (!is_same) continue;
    const std::int64_t total = g.dilation[d] * (g.kernel[d] - 1);
    g.padding[d] = total / 2;
    g.input[d] += total % 2;
  }
  return g;
}

/// Why a geometry can't be computed, or null.
inline const char* conv_problem(const ConvGeometry& g, const TensorMeta& weight) noexcept {
  if (g.groups <= 0) return "groups must be positive";
  if (g.in_channels % g.groups != 0 || g.out_channels % g.groups != 0)
    return "groups must divide the numbers of channels";
  const std::int64_t ins = g.in_channels / g.groups, outs = g.out_channels / g.groups;
  const bool fits = g.transposed ? weight.sizes[0] == g.in_channels && weight.sizes[1] == outs
                                 : weight.sizes[0] == g.out_channels && weight.sizes[1] == ins;
  if (!fits) return "the weight does not fit the numbers of channels";
  for (std::size_t d = 0; d < g.rank; ++d) {
    if (g.stride[d] <= 0 || g.dilation[d] <= 0) return "strides and dilations must be positive";
    if (g.padding[d] < 0 || g.output_padding[d] < 0) return "padding must not be negative";
    if (conv_output_size(g, d) != g.output[d]) return "the result has other sizes than declared";
  }
  return nullptr;
}

}  // namespace treadle::inline v0::cpu::detail
