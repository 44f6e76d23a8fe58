// A strided copy whose loops are worked out ahead of the run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <treadle/core/dtype.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu {

namespace detail {

/// Copies `n` items from one evenly spaced row to another; strides in bytes.
using CopyRow = void (*)(const std::byte* from, std::int64_t from_stride, std::byte* to,
                         std::int64_t to_stride, std::int64_t n, std::size_t item);

inline void copy_dense_row(const std::byte* from, std::int64_t, std::byte* to, std::int64_t,
                           std::int64_t n, std::size_t item) {
  std::memcpy(to, from, static_cast<std::size_t>(n) * item);
}

template <std::size_t Item>
void copy_spaced_row(const std::byte* from, std::int64_t from_stride, std::byte* to,
                     std::int64_t to_stride, std::int64_t n, std::size_t) {
  struct Element {
    std::byte bytes[Item];
  };
  if (from_stride == 0) {
    Element value;
    std::memcpy(&value, from, Item);
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, &value, Item);
    return;
  }
  if (to_stride == static_cast<std::int64_t>(Item)) {
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(to + i * static_cast<std::int64_t>(Item), from + i * from_stride, Item);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, Item);
}

inline void copy_any_row(const std::byte* from, std::int64_t from_stride, std::byte* to,
                         std::int64_t to_stride, std::int64_t n, std::size_t item) {
  for (std::int64_t i = 0; i < n; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, item);
}

[[nodiscard]] inline CopyRow choose_row(std::size_t item, bool dense) noexcept {
  if (dense) return &copy_dense_row;
  switch (item) {
    case 1: return &copy_spaced_row<1>;
    case 2: return &copy_spaced_row<2>;
    case 4: return &copy_spaced_row<4>;
    case 8: return &copy_spaced_row<8>;
    case 16: return &copy_spaced_row<16>;
    default: return &copy_any_row;
  }
}

}  // namespace detail

/// Copies the elements of one layout to another of the same sizes. Strides may be zero (source
/// only) or negative. Immutable; knows no addresses.
class CopyPlan {
 public:
  /// Copies nothing.
  CopyPlan() noexcept = default;
  /// Strides and offsets in bytes; both layouts have `sizes` and items of `item` bytes.
  CopyPlan(std::size_t item, const Dims& sizes, const Dims& from_strides, const Dims& to_strides,
           std::int64_t from_offset = 0, std::int64_t to_offset = 0)
      : item_(item), from_offset_(from_offset), to_offset_(to_offset) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == 0) return;
      if (sizes[i] != 1) loops_.push_back({sizes[i], from_strides[i], to_strides[i]});
    }
    order_loops();
    merge_loops();
    widen_items();
    if (loops_.empty()) loops_.push_back({1, 0, 0});
    find_tiles();
    finish();
  }
  /// Between two metas of the same sizes and item size; their storage offsets do not count, the
  /// byte offsets do.
  CopyPlan(const TensorMeta& from, const TensorMeta& to, std::int64_t from_offset = 0,
           std::int64_t to_offset = 0)
      : CopyPlan(size_of(from.dtype), from.sizes, byte_strides(from), byte_strides(to), from_offset,
                 to_offset) {}

  [[nodiscard]] static Dims byte_strides(const TensorMeta& meta) {
    Dims strides = meta.strides;
    for (auto& s : strides) s *= static_cast<std::int64_t>(size_of(meta.dtype));
    return strides;
  }

  [[nodiscard]] bool empty() const noexcept { return units_ == 0; }
  /// Bytes of the run if the whole copy is one dense run, else 0.
  [[nodiscard]] std::size_t dense_bytes() const noexcept {
    return units_ == 1 && row_ == &detail::copy_dense_row
               ? item_ * static_cast<std::size_t>(loops_[0].size)
               : 0;
  }

  /// Copies. The pointers are to the first elements of the tensors; they may not overlap.
  void run(const ParallelFor& parallel_for, const std::byte* from, std::byte* to) const {
    from += from_offset_;
    to += to_offset_;
    if (units_ == 1 && !tiled_) {
      const Loop& loop = loops_[0];
      if (loop.size <= row_grain_) {
        row_(from, loop.from, to, loop.to, loop.size, item_);
        return;
      }
      parallel_for(loop.size, row_grain_, [&](std::int64_t begin, std::int64_t end) {
        row_(from + begin * loop.from, loop.from, to + begin * loop.to, loop.to, end - begin,
             item_);
      });
      return;
    }
    if (units_ == 0) return;
    if (units_ <= unit_grain_) {
      run_units(from, to, 0, units_);
      return;
    }
    parallel_for(units_, unit_grain_,
                 [&](std::int64_t begin, std::int64_t end) { run_units(from, to, begin, end); });
  }
  /// Copies on the calling thread.
  void run(const std::byte* from, std::byte* to) const { run(ParallelFor{}, from, to); }

 private:
  struct Loop {
    std::int64_t size = 1, from = 0, to = 0;
  };
  static constexpr std::int64_t tile = 16;
  static constexpr std::int64_t grain_bytes = 128 * 1024;

  static std::int64_t magnitude(std::int64_t stride) noexcept {
    return stride < 0 ? -stride : stride;
  }

  /// Innermost first, by the target's strides.
  void order_loops() {
    std::reverse(loops_.begin(), loops_.end());
    // Stable, and there are few: each loop moves in front of the first wider one.
    for (auto at = loops_.begin(); at != loops_.end(); ++at) {
      const auto wider = std::find_if(loops_.begin(), at, [&](const Loop& loop) {
        return magnitude(loop.to) > magnitude(at->to);
      });
      std::rotate(wider, at, at + 1);
    }
  }
  void merge_loops() {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < loops_.size(); ++i) {
      Loop& inner = loops_[kept];
      if (loops_[i].from == inner.from * inner.size && loops_[i].to == inner.to * inner.size)
        inner.size *= loops_[i].size;
      else
        loops_[++kept] = loops_[i];
    }
    if (!loops_.empty()) loops_.resize(kept + 1);
  }
  [[nodiscard]] bool dense_inside() const noexcept {
    const auto item = static_cast<std::int64_t>(item_);
    return loops_[0].size == 1 || (loops_[0].from == item && loops_[0].to == item);
  }
  /// A short dense run counts as one item.
  void widen_items() {
    if (loops_.size() < 2 || !dense_inside()) return;
    const std::size_t wide = item_ * static_cast<std::size_t>(loops_[0].size);
    if (wide != 2 && wide != 4 && wide != 8 && wide != 16) return;
    item_ = wide;
    loops_.erase(loops_.begin());
    merge_loops();
  }
  /// Where the target is dense along one dimension, the source along another, both go in tiles.
  void find_tiles() {
    const auto item = static_cast<std::int64_t>(item_);
    if (loops_[0].to != item || loops_[0].from == item || loops_[0].from == 0) return;
    for (std::size_t i = 1; i < loops_.size(); ++i) {
      if (loops_[i].from != item || loops_[i].size < 4 || loops_[0].size < 4) continue;
      std::rotate(loops_.begin() + 1, loops_.begin() + static_cast<std::ptrdiff_t>(i),
                  loops_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      tiled_ = true;
      return;
    }
  }
  void finish() {
    row_ = detail::choose_row(item_, dense_inside());
    units_ = 1;
    for (std::size_t i = 1; i < loops_.size(); ++i)
      units_ *= tiled_ && i == 1 ? (loops_[1].size + tile - 1) / tile : loops_[i].size;
    const auto item = static_cast<std::int64_t>(item_);
    const std::int64_t cost =
        row_ == &detail::copy_dense_row ? item : std::max<std::int64_t>(item, 8);
    row_grain_ = std::max<std::int64_t>(grain_bytes / cost, 1);
    const std::int64_t unit_cost = loops_[0].size * cost * (tiled_ ? tile : 1);
    unit_grain_ = std::max<std::int64_t>(grain_bytes / std::max<std::int64_t>(unit_cost, 1), 1);
  }

  void run_tile(const std::byte* from, std::byte* to, std::int64_t first) const {
    const Loop &inner = loops_[0], &outer = loops_[1];
    const std::int64_t last = std::min(first + tile, outer.size);
    for (std::int64_t block = 0; block < inner.size; block += tile) {
      const std::int64_t n = std::min(tile, inner.size - block);
      for (std::int64_t j = first; j < last; ++j)
        row_(from + j * outer.from + block * inner.from, inner.from,
             to + j * outer.to + block * inner.to, inner.to, n, item_);
    }
  }

  void run_units(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const {
    const std::size_t first = tiled_ ? 2 : 1;
    const std::int64_t strips = tiled_ ? (loops_[1].size + tile - 1) / tile : 1;
    Dims at(loops_.size());
    std::int64_t rest = begin / strips, strip = begin % strips;
    for (std::size_t i = first; i < loops_.size(); ++i) {
      at[i] = rest % loops_[i].size;
      rest /= loops_[i].size;
      from += at[i] * loops_[i].from;
      to += at[i] * loops_[i].to;
    }
    for (std::int64_t unit = begin; unit < end; ++unit) {
      if (tiled_)
        run_tile(from, to, strip * tile);
      else
        row_(from, loops_[0].from, to, loops_[0].to, loops_[0].size, item_);
      if (++strip < strips) continue;
      strip = 0;
      for (std::size_t i = first; i < loops_.size(); ++i) {
        from += loops_[i].from;
        to += loops_[i].to;
        if (++at[i] < loops_[i].size) break;
        from -= loops_[i].size * loops_[i].from;
        to -= loops_[i].size * loops_[i].to;
        at[i] = 0;
      }
    }
  }

  SmallVector<Loop, 4> loops_;
  std::size_t item_ = 1;
  std::int64_t from_offset_ = 0, to_offset_ = 0;
  std::int64_t units_ = 0;
  std::int64_t row_grain_ = 1, unit_grain_ = 1;
  detail::CopyRow row_ = nullptr;
  bool tiled_ = false;
};

}  // namespace treadle::inline v0::cpu
