// Convolution by plain loops, for every dtype and geometry.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <treadle/cpu/gemm/conv_plan.hpp>
#include <treadle/cpu/gemm/gemm_any.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu::detail {

/// The input coordinate that meets output coordinate `out` at kernel position `k`, or -1.
inline std::int64_t met_input(const ConvGeometry& g, std::size_t d, std::int64_t out,
                              std::int64_t k) noexcept {
  if (!g.transposed) {
    const std::int64_t in = out * g.stride[d] - g.padding[d] + k * g.dilation[d];
    return in < g.input[d] ? in : -1;
  }
  const std::int64_t scaled = out + g.padding[d] - k * g.dilation[d];
  if (scaled < 0 || scaled % g.stride[d] != 0) return -1;
  return scaled / g.stride[d] < g.input[d] ? scaled / g.stride[d] : -1;
}

template <class T>
struct DirectConv {
  const ConvGeometry& g;
  const T* input;   ///< of one image
  const T* weight;  ///< as the geometry describes it
  using Math = GemmArithmetic<T>;
  using Sum = typename Math::Sum;

  /// Sum over one kernel's worth of one input channel.
  [[nodiscard]] Sum channel_sum(const T* image, const T* kernel,
                                const std::int64_t (&at)[3]) const {
    Sum sum{};
    for (std::int64_t kz = 0; kz < g.kernel[0]; ++kz) {
      const std::int64_t z = met_input(g, 0, at[0], kz);
      if (z < 0) continue;
      for (std::int64_t ky = 0; ky < g.kernel[1]; ++ky) {
        const std::int64_t y = met_input(g, 1, at[1], ky);
        if (y < 0) continue;
        const T* row = image + (z * g.input[1] + y) * g.input[2];
        const T* weights = kernel + (kz * g.kernel[1] + ky) * g.kernel[2];
        for (std::int64_t kx = 0; kx < g.kernel[2]; ++kx)
          if (const std::int64_t x = met_input(g, 2, at[2], kx); x >= 0)
            sum = sum + Math::load(row[x]) * Math::load(weights[kx]);
      }
    }
    return sum;
  }

  [[nodiscard]] Sum element(std::int64_t channel, const std::int64_t (&at)[3]) const {
    const std::int64_t ins = g.in_channels / g.groups, outs = g.out_channels / g.groups;
    const std::int64_t group = channel / outs;
    const std::int64_t taps = g.kernel[0] * g.kernel[1] * g.kernel[2];
    const std::int64_t plane = g.input[0] * g.input[1] * g.input[2];
    Sum sum{};
    for (std::int64_t c = 0; c < ins; ++c) {
      const std::int64_t kernel =
          g.transposed ? (group * ins + c) * outs + channel % outs : channel * ins + c;
      sum = sum + channel_sum(input + (group * ins + c) * plane, weight + kernel * taps, at);
    }
    return sum;
  }
};

/// Everything, in parallel over rows of the output.
template <class T>
void convolve_direct(const ConvPlan& plan, const void* input, const void* weight, void* output,
                     const ConvEpilogue& epilogue, ParallelFor parallel_for) {
  using Math = GemmArithmetic<T>;
  const ConvGeometry& g = plan.geometry;
  const std::int64_t lines = g.output[0] * g.output[1], width = g.output[2];
  const std::int64_t image = g.in_channels * g.input[0] * g.input[1] * g.input[2];
  const std::int64_t cost =
      width * (g.in_channels / g.groups) * g.kernel[0] * g.kernel[1] * g.kernel[2];
  const T* bias = static_cast<const T*>(epilogue.bias);
  const bool is_relu = epilogue.activation == Activation::relu;
  const auto row = [&](std::int64_t r) {
    const std::int64_t line = r % lines, channel = r / lines % g.out_channels;
    const DirectConv<T> conv{g, static_cast<const T*>(input) + r / lines / g.out_channels * image,
                             static_cast<const T*>(weight)};
    T* out = static_cast<T*>(output) + r * width;
    for (std::int64_t x = 0; x < width; ++x) {
      auto sum = conv.element(channel, {line / g.output[1], line % g.output[1], x});
      if (bias) sum = sum + Math::load(bias[channel]);
      if (epilogue.activation != Activation::none)
        sum = Math::bounded(sum, is_relu ? 0.0 : epilogue.low,
                            is_relu ? std::numeric_limits<double>::infinity() : epilogue.high);
      out[x] = Math::store(sum);
    }
  };
  parallel_for(g.batch * g.out_channels * lines,
               std::max<std::int64_t>(1, 10000 / std::max<std::int64_t>(cost, 1)),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t r = begin; r < end; ++r) row(r);
               });
}

}  // namespace treadle::inline v0::cpu::detail
