// Copies strips of strided matrices into the panels that micro-kernels read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <treadle/cpu/gemm/gemm_plan.hpp>
#include <treadle/cpu/simd/gemm_tile.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu::detail {

/// A matrix seen from its panels: `free` counts rows of A or columns of B, `depth` counts k.
struct PanelSource {
  const void* data = nullptr;
  std::int64_t free_stride = 0;
  std::int64_t depth_stride = 0;
  GemmOperand::Pack pack = nullptr;
};

/// Matrices without elements may have no address; what is counted from theirs is never read.
constexpr const void* address_of(const GemmOperand& operand) noexcept {
  return operand.data ? operand.data : &operand;
}
constexpr PanelSource rows_of(const GemmOperand& a) noexcept {
  return {address_of(a), a.row_stride, a.column_stride, a.pack};
}
constexpr PanelSource columns_of(const GemmOperand& b) noexcept {
  return {address_of(b), b.column_stride, b.row_stride, b.pack};
}

/// The part of a source that becomes one panel.
struct PanelRange {
  std::int64_t first = 0;  ///< along the free dimension
  std::int64_t count = 0;  ///< at most `width`
  std::int64_t depth = 0;  ///< along k
  std::int64_t depth_count = 0;
  std::int64_t width = 0;  ///< of the panel; positions from `count` are zeroed
};

template <class Element, class T>
void pack_strided(const Element* from, const PanelSource& source, const PanelRange& range, T* out) {
  for (std::int64_t d = 0; d < range.depth_count; ++d, out += range.width) {
    const Element* row = from + d * source.depth_stride;
    std::int64_t f = 0;
    if (source.free_stride == 1)
      for (; f < range.count; ++f) out[f] = static_cast<T>(row[f]);
    else
      for (; f < range.count; ++f) out[f] = static_cast<T>(row[f * source.free_stride]);
    for (; f < range.width; ++f) out[f] = T{0};
  }
}

/// Packs one panel of elements of type `Element` as `T`.
template <class Element, class T>
void pack_panel(const simd::GemmKernels<T>& kernels, const PanelSource& source,
                const PanelRange& range, T* out) {
  if (source.pack)
    return source.pack(source.data, range.first, range.count, range.depth, range.depth_count,
                       range.width, out);
  const Element* from = static_cast<const Element*>(source.data) +
                        range.first * source.free_stride + range.depth * source.depth_stride;
  if constexpr (std::is_same_v<Element, T>) {
    if (source.free_stride == 1)
      return kernels.copy(from, source.depth_stride, range.count, range.depth_count, range.width,
                          out);
    if (source.depth_stride == 1)
      return kernels.transpose(from, source.free_stride, range.count, range.depth_count,
                               range.width, out);
  }
  pack_strided(from, source, range, out);
}

/// Packs `total` rows or columns from `first`, `width` to a panel, for `depth_count` elements of k.
/// Panel i starts at out + i · width · depth_count.
template <class Element, class T>
void pack_panels(const simd::GemmKernels<T>& kernels, const PanelSource& source,
                 const PanelRange& block, T* out, ParallelFor parallel_for) {
  const std::int64_t panels = (block.count + block.width - 1) / block.width;
  const std::int64_t panel_elements = block.width * std::max<std::int64_t>(block.depth_count, 1);
  parallel_for(panels, std::max<std::int64_t>(1, 65536 / panel_elements),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   PanelRange range = block;
                   range.first = block.first + i * block.width;
                   range.count = std::min(block.width, block.count - i * block.width);
                   pack_panel<Element, T>(kernels, source, range,
                                          out + i * block.width * block.depth_count);
                 }
               });
}

}  // namespace treadle::inline v0::cpu::detail
