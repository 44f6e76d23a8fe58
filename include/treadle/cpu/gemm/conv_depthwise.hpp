// Depthwise convolution: each output plane is a weighted sum of shifted copies of one input plane.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <treadle/cpu/gemm/conv_plan.hpp>
#include <treadle/cpu/simd/tap_sum.hpp>

namespace treadle::inline v0::cpu::detail {

/// Depthwise kernels have at most this many positions.
inline constexpr std::int64_t max_taps = 121;

/// The workspace of one plane. A stride of s splits the padded plane into s·s planes of every s-th
/// row and column, so that each kernel position reads neighbours only.
struct DepthwiseLayout {
  std::int64_t rows = 0;   ///< of one split plane
  std::int64_t pitch = 0;  ///< columns of one split plane
  std::int64_t splits = 0;
  std::int64_t in_elements = 0;
  std::int64_t out_elements = 0;  ///< of the output at the same pitch
};

inline DepthwiseLayout depthwise_layout(const ConvGeometry& g) noexcept {
  const auto reach = [&](std::size_t d) {
    return g.output[d] + (g.kernel[d] - 1) * g.dilation[d] / g.stride[d];
  };
  DepthwiseLayout layout;
  layout.rows = reach(1);
  layout.pitch = reach(2);
  layout.splits = g.stride[1] * g.stride[2];
  layout.in_elements = (layout.splits * layout.rows * layout.pitch + 63) / 64 * 64;
  layout.out_elements = (g.output[1] * layout.pitch + 63) / 64 * 64;
  return layout;
}

/// Copies a plane, padded and split, into `out`.
template <class T>
void split_plane(const ConvGeometry& g, const DepthwiseLayout& layout, const T* plane, T* out) {
  for (std::int64_t split = 0; split < layout.splits; ++split)
    for (std::int64_t r = 0; r < layout.rows; ++r, out += layout.pitch) {
      const std::int64_t y = r * g.stride[1] + split / g.stride[2] - g.padding[1];
      const std::int64_t x = split % g.stride[2] - g.padding[2], step = g.stride[2];
      if (y < 0 || y >= g.input[1]) {
        std::fill_n(out, layout.pitch, T{0});
        continue;
      }
      const T* row = plane + y * g.input[2];
      const std::int64_t begin = x >= 0 ? 0 : std::min((-x + step - 1) / step, layout.pitch);
      const std::int64_t end =
          std::clamp<std::int64_t>((g.input[2] - x + step - 1) / step, begin, layout.pitch);
      std::fill_n(out, begin, T{0});
      if (step == 1)
        std::copy(row + x + begin, row + x + end, out + begin);
      else
        for (std::int64_t i = begin; i < end; ++i) out[i] = row[x + i * step];
      std::fill(out + end, out + layout.pitch, T{0});
    }
}

template <class T>
class DepthwiseConv {
 public:
  DepthwiseConv(const ConvPlan& plan, simd::TapFunction<T> tap_sum) noexcept
      : g_(plan.geometry), layout_(depthwise_layout(plan.geometry)), tap_sum_(tap_sum) {
    const std::int64_t taps = g_.kernel[1] * g_.kernel[2];
    for (std::int64_t t = 0; t < taps; ++t) {
      const std::int64_t y = t / g_.kernel[2] * g_.dilation[1];
      const std::int64_t x = t % g_.kernel[2] * g_.dilation[2];
      const std::int64_t split = y % g_.stride[1] * g_.stride[2] + x % g_.stride[2];
      offsets_[t] = (split * layout_.rows + y / g_.stride[1]) * layout_.pitch + x / g_.stride[2];
    }
    sum_.offsets = offsets_;
    sum_.taps = taps;
  }
  DepthwiseConv(const DepthwiseConv&) = delete;
  DepthwiseConv& operator=(const DepthwiseConv&) = delete;

  void set_bounds(const ConvEpilogue& epilogue) noexcept {
    const bool is_relu = epilogue.activation == Activation::relu;
    sum_.has_bounds = epilogue.activation != Activation::none;
    sum_.low = is_relu ? T{0} : static_cast<T>(epilogue.low);
    sum_.high = is_relu ? std::numeric_limits<T>::infinity() : static_cast<T>(epilogue.high);
  }

  /// All output planes of one input plane; `weights` and `bias` (or null) are those of its group.
  void run(const T* plane, const T* weights, const T* bias, T* out, T* workspace) const {
    split_plane(g_, layout_, plane, workspace);
    const std::int64_t outs = g_.out_channels / g_.groups;
    for (std::int64_t c = 0; c < outs; ++c, out += g_.output[1] * g_.output[2]) {
      simd::TapSum<T> sum = sum_;
      sum.in = workspace;
      sum.weights = weights + c * sum.taps;
      sum.bias = bias ? bias[c] : T{0};
      one_plane(sum, out, workspace + layout_.in_elements);
    }
  }

 private:
  /// Short rows are summed together at the pitch of the workspace, then copied apart.
  void one_plane(simd::TapSum<T>& sum, T* out, T* workspace) const {
    const std::int64_t height = g_.output[1], width = g_.output[2];
    if (width >= 64 || width == layout_.pitch || height == 1) {
      const bool is_dense = width == layout_.pitch;
      const std::int64_t count = is_dense ? height * width : width;
      for (std::int64_t y = 0; y < (is_dense ? 1 : height); ++y, sum.in += layout_.pitch)
        tap_sum_(sum, out + y * width, count);
      return;
    }
    tap_sum_(sum, workspace, (height - 1) * layout_.pitch + width);
    for (std::int64_t y = 0; y < height; ++y)
      std::copy_n(workspace + y * layout_.pitch, width, out + y * width);
  }

  const ConvGeometry& g_;
  DepthwiseLayout layout_;
  simd::TapFunction<T> tap_sum_;
  simd::TapSum<T> sum_;
  std::int64_t offsets_[max_taps];
};

}  // namespace treadle::inline v0::cpu::detail
