// Gathers panels of image patches for the product form of convolution.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <treadle/cpu/gemm/conv_plan.hpp>

namespace treadle::inline v0::cpu::detail {

/// The image of one group that `pack_patches` reads; row (channel, kernel position), column output
/// position of the matrix it stands for.
template <class Element>
struct PatchSource {
  const ConvGeometry* geometry;
  const Element* image;
};

/// Neighbouring columns of a panel that lie in one output row.
struct PatchRun {
  std::int64_t at = 0;  ///< first column in the panel
  std::int64_t count = 0;
  std::int64_t z = 0, y = 0, x = 0;  ///< of the first input element, kernel position 0
};

/// Copies a few elements without the cost of a library call; the last chunk overlaps the one
/// before.
template <std::int64_t Chunk, class T>
void copy_chunks(const T* from, std::int64_t count, T* to) {
  constexpr std::size_t bytes = static_cast<std::size_t>(Chunk) * sizeof(T);
  for (std::int64_t i = 0; i + Chunk <= count; i += Chunk) std::memcpy(to + i, from + i, bytes);
  std::memcpy(to + count - Chunk, from + count - Chunk, bytes);
}
template <class T>
void copy_short(const T* from, std::int64_t count, T* to) {
  if (count >= 8) return copy_chunks<8>(from, count, to);
  if (count >= 4) return copy_chunks<4>(from, count, to);
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

template <class Element, class T>
void copy_run(const PatchRun& run, const Element* row, std::int64_t x, std::int64_t width,
              std::int64_t stride, T* out) {
  std::int64_t i = 0;
  for (; i < run.count && x + i * stride < 0; ++i) out[i] = T{0};
  if (stride == 1) {
    const std::int64_t end = std::min(run.count, width - x);
    if constexpr (std::is_same_v<Element, T>) {
      if (i < end) copy_short(row + x + i, end - i, out + i);
      i = std::max(i, end);
    }
    for (; i < end; ++i) out[i] = static_cast<T>(row[x + i]);
  } else {
    for (; i < run.count && x + i * stride < width; ++i)
      out[i] = static_cast<T>(row[x + i * stride]);
  }
  for (; i < run.count; ++i) out[i] = T{0};
}

/// The runs of output positions [first, first + count).
inline std::int64_t find_runs(const ConvGeometry& g, std::int64_t first, std::int64_t count,
                              PatchRun* runs) {
  std::int64_t found = 0;
  for (std::int64_t at = 0; at < count;) {
    const std::int64_t p = first + at;
    const std::int64_t x = p % g.output[2], line = p / g.output[2];
    PatchRun run;
    run.at = at;
    run.count = std::min(count - at, g.output[2] - x);
    run.x = x * g.stride[2] - g.padding[2];
    run.y = line % g.output[1] * g.stride[1] - g.padding[1];
    run.z = line / g.output[1] * g.stride[0] - g.padding[0];
    runs[found++] = run;
    at += run.count;
  }
  return found;
}

/// A `GemmOperand::Pack`: `data` is a `PatchSource<Element>`; panels are at most 64 wide.
template <class Element, class T>
void pack_patches(const void* data, std::int64_t first, std::int64_t count, std::int64_t depth,
                  std::int64_t depth_count, std::int64_t width, void* out) {
  const auto& source = *static_cast<const PatchSource<Element>*>(data);
  const ConvGeometry& g = *source.geometry;
  PatchRun runs[64];
  const std::int64_t run_count = find_runs(g, first, count, runs);
  std::int64_t kx = depth % g.kernel[2], ky = depth / g.kernel[2] % g.kernel[1];
  std::int64_t kz = depth / (g.kernel[2] * g.kernel[1]) % g.kernel[0];
  std::int64_t channel = depth / (g.kernel[2] * g.kernel[1] * g.kernel[0]);
  T* to = static_cast<T*>(out);
  const std::int64_t plane = g.input[1] * g.input[2];
  for (std::int64_t d = 0; d < depth_count; ++d, to += width) {
    const Element* image = source.image + channel * g.input[0] * plane;
    for (std::int64_t r = 0; r < run_count; ++r) {
      const PatchRun& run = runs[r];
      const std::int64_t z = run.z + kz * g.dilation[0], y = run.y + ky * g.dilation[1];
      if (z < 0 || z >= g.input[0] || y < 0 || y >= g.input[1])
        std::fill_n(to + run.at, run.count, T{0});
      else
        copy_run(run, image + z * plane + y * g.input[2], run.x + kx * g.dilation[2], g.input[2],
                 g.stride[2], to + run.at);
    }
    std::fill(to + count, to + width, T{0});
    if (++kx < g.kernel[2]) continue;
    kx = 0;
    if (++ky < g.kernel[1]) continue;
    ky = 0;
    if (++kz < g.kernel[0]) continue;
    kz = 0;
    ++channel;
  }
}

}  // namespace treadle::inline v0::cpu::detail
