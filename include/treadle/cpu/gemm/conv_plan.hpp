// What a convolution works on: geometry, plan, epilogue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <treadle/core/dtype.hpp>
#include <treadle/cpu/gemm/gemm_plan.hpp>
#include <treadle/cpu/simd/target.hpp>

namespace treadle::inline v0::cpu {

/// Sizes of a convolution. Arrays hold `rank` numbers, outermost dimension first. Input is
/// [batch, in_channels, input…], output [batch, out_channels, output…], both contiguous; weights
/// are [out_channels, in_channels / groups, kernel…], or, transposed,
/// [in_channels, out_channels / groups, kernel…].
struct ConvGeometry {
  std::int64_t batch = 1;
  std::int64_t in_channels = 1;
  std::int64_t out_channels = 1;
  std::int64_t groups = 1;  ///< divides both numbers of channels
  std::size_t rank = 2;     ///< spatial dimensions, 1 to 3
  std::array<std::int64_t, 3> input = {1, 1, 1};
  std::array<std::int64_t, 3> kernel = {1, 1, 1};
  std::array<std::int64_t, 3> stride = {1, 1, 1};
  std::array<std::int64_t, 3> padding = {0, 0, 0};
  std::array<std::int64_t, 3> dilation = {1, 1, 1};
  std::array<std::int64_t, 3> output_padding = {0, 0, 0};
  std::array<std::int64_t, 3> output = {1, 1, 1};
  bool transposed = false;
};

/// The size of one output dimension; may be 0 or less where the kernel does not fit.
[[nodiscard]] constexpr std::int64_t conv_output_size(const ConvGeometry& geometry,
                                                      std::size_t dimension) noexcept {
  const auto d = dimension;
  const std::int64_t reach = geometry.dilation[d] * (geometry.kernel[d] - 1) + 1;
  if (geometry.transposed)
    return (geometry.input[d] - 1) * geometry.stride[d] - 2 * geometry.padding[d] + reach +
           geometry.output_padding[d];
  const std::int64_t room = geometry.input[d] + 2 * geometry.padding[d] - reach;
  return room < 0 ? 0 : room / geometry.stride[d] + 1;
}

/// How a convolution is computed.
enum class ConvStrategy : std::uint8_t {
  pointwise,   ///< 1×1: a product of the weights with the image as it lies
  im2col,      ///< a product whose right panels are gathered from the image
  depthwise,   ///< one input channel a group: sums of shifted rows
  transposed,  ///< a product scattered into the output
  direct,      ///< plain loops: any dtype
};

/// Everything a convolution of one geometry and dtype needs to know; a value.
struct ConvPlan {
  ConvGeometry geometry;  ///< with rank 3: leading dimensions of size 1 put in front
  DType dtype = DType::float32;
  ConvStrategy strategy = ConvStrategy::direct;
  bool is_supported = false;  ///< false for bool and the 8-bit floats
  simd::Target target = simd::Target::baseline;
  GemmPlan product;               ///< of one image and group, where the strategy has one
  std::size_t slot_bytes = 0;     ///< workspace of one piece of work
  std::size_t scratch_bytes = 0;  ///< workspace of one `convolve`, aligned to `gemm_alignment`
};

/// What a convolution adds and clips; `bias` has out_channels elements of the plan's dtype, or is
/// null.
struct ConvEpilogue {
  const void* bias = nullptr;
  Activation activation = Activation::none;
  double low = 0;
  double high = 0;
};

}  // namespace treadle::inline v0::cpu
