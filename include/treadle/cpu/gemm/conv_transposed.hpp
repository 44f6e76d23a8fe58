// Scatters the columns of a product into the output of a transposed convolution.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <treadle/cpu/gemm/conv_plan.hpp>

namespace treadle::inline v0::cpu::detail {

/// The indices i in [begin, end) for which first + i · stride lies in [0, size).
struct StepRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
constexpr StepRange steps_inside(std::int64_t first, std::int64_t stride, std::int64_t count,
                                 std::int64_t size) noexcept {
  const std::int64_t begin = first >= 0 ? 0 : (-first + stride - 1) / stride;
  const std::int64_t end = first >= size ? 0 : (size - first + stride - 1) / stride;
  return {begin, std::max(begin, std::min(count, end))};
}

/// Adds the columns of one kernel position to one output plane.
template <class T>
void scatter_position(const ConvGeometry& g, const T* columns, std::int64_t kz, std::int64_t ky,
                      std::int64_t kx, T* out) {
  const std::int64_t first = kx * g.dilation[2] - g.padding[2];
  const StepRange xs = steps_inside(first, g.stride[2], g.input[2], g.output[2]);
  for (std::int64_t iz = 0; iz < g.input[0]; ++iz) {
    const std::int64_t z = iz * g.stride[0] - g.padding[0] + kz * g.dilation[0];
    if (z < 0 || z >= g.output[0]) continue;
    for (std::int64_t iy = 0; iy < g.input[1]; ++iy) {
      const std::int64_t y = iy * g.stride[1] - g.padding[1] + ky * g.dilation[1];
      if (y < 0 || y >= g.output[1]) continue;
      const T* from = columns + (iz * g.input[1] + iy) * g.input[2];
      T* line = out + (z * g.output[1] + y) * g.output[2];
      for (std::int64_t ix = xs.begin; ix < xs.end; ++ix)
        line[first + ix * g.stride[2]] += from[ix];
    }
  }
}

/// One output channel: bias, every kernel position in order, bounds. `columns` holds one row of
/// input positions for each kernel position.
template <class T>
void scatter_channel(const ConvGeometry& g, const T* columns, T bias, const ConvEpilogue& epilogue,
                     T* out) {
  const std::int64_t plane = g.output[0] * g.output[1] * g.output[2];
  const std::int64_t positions = g.input[0] * g.input[1] * g.input[2];
  std::fill_n(out, plane, bias);
  for (std::int64_t kz = 0; kz < g.kernel[0]; ++kz)
    for (std::int64_t ky = 0; ky < g.kernel[1]; ++ky)
      for (std::int64_t kx = 0; kx < g.kernel[2]; ++kx, columns += positions)
        scatter_position(g, columns, kz, ky, kx, out);
  if (epilogue.activation == Activation::none) return;
  const bool is_relu = epilogue.activation == Activation::relu;
  const T low = is_relu ? T{0} : static_cast<T>(epilogue.low);
  const T high = is_relu ? std::numeric_limits<T>::infinity() : static_cast<T>(epilogue.high);
  for (std::int64_t i = 0; i < plane; ++i) {
    if (out[i] < low) out[i] = low;
    if (out[i] > high) out[i] = high;
  }
}

}  // namespace treadle::inline v0::cpu::detail
