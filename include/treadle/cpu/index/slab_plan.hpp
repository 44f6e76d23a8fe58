// Moves blocks of elements between computed places of one tensor and consecutive places of another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/cpu/index/combine.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>

namespace treadle::inline v0::cpu {

/// One tensor of indices, spread over the common sizes of all.
struct IndexReader {
  DType dtype = DType::int64;
  Dims strides;             ///< elements, over the common sizes
  std::int64_t bound = 0;   ///< size of the dimension that it indexes
  std::int64_t stride = 0;  ///< bytes from one position of that dimension to the next
  std::size_t dim = 0;      ///< which dimension that is, for messages
  bool wraps = true;        ///< negative indices count from the end
};

/// An index that is out of its dimension.
struct BadIndex {
  std::int64_t index = 0, bound = 0;
  std::size_t dim = 0;
};

/// Reads an integer of any dtype.
[[nodiscard]] inline std::int64_t read_index(const std::byte* from, DType dtype) noexcept {
  const auto as = [from](auto value) {
    std::memcpy(&value, from, sizeof(value));
    return static_cast<std::int64_t>(value);
  };
  switch (dtype) {
    case DType::int64: return as(std::int64_t{});
    case DType::int32: return as(std::int32_t{});
    case DType::int16: return as(std::int16_t{});
    case DType::int8: return as(std::int8_t{});
    case DType::uint16: return as(std::uint16_t{});
    case DType::uint32: return as(std::uint32_t{});
    default: return as(std::uint8_t{});
  }
}

/// Elements [before][indexed places][after]: `after` is a block that moves as one.
class SlabPlan {
 public:
  std::size_t item = 0;
  Dims before, before_indexed, before_dense;  ///< sizes and byte strides
  Dims common, common_dense;                  ///< sizes of the indices, dense byte strides
  Dims after, after_indexed, after_dense;
  std::vector<IndexReader> readers;

  /// Call after the members are set. `to_dense`: gathers into the dense tensor, else scatters.
  void finish(bool to_dense) {
    places_ = element_count(common);
    blocks_ = element_count(before);
    slab_ = to_dense ? CopyPlan(item, after, after_indexed, after_dense)
                     : CopyPlan(item, after, after_dense, after_indexed);
    dense_ = slab_.dense_bytes();
    block_count_ = element_count(after);
    even_ = true;
    place_stride_ = common.empty() ? 0 : common_dense.back();
    std::int64_t step = place_stride_;
    for (std::size_t i = common.size(); i-- > 0;) {
      if (common[i] != 1 && common_dense[i] != step) even_ = false;
      step *= common[i];
    }
    // A last size of 1 has a stride of no meaning.
    if (!common.empty() && common.back() == 1) even_ = places_ == 1;
  }
  /// Bytes for the offsets that `locate` writes.
  [[nodiscard]] std::size_t scratch_bytes() const noexcept {
    return static_cast<std::size_t>(places_) * sizeof(std::int64_t);
  }
  [[nodiscard]] std::int64_t places() const noexcept { return places_; }

  /// Turns indices into byte offsets; false, and `bad`, if one is out of range.
  bool locate(std::span<const std::byte* const> indices, std::int64_t* offsets,
              BadIndex& bad) const {
    std::fill(offsets, offsets + places_, 0);
    for (std::size_t k = 0; k < readers.size(); ++k)
      if (!locate_one(readers[k], indices[k], offsets, bad)) return false;
    return true;
  }

  /// True if there is no element at any place, whatever the indices are.
  [[nodiscard]] bool moves_nothing() const noexcept { return block_count_ == 0 || blocks_ == 0; }

  /// Copies from the places in `indexed` to `dense`.
  void gather(const ParallelFor& parallel_for, const std::byte* indexed, std::byte* dense,
              const std::int64_t* offsets) const {
    if (block_count_ == 0) return;
    const auto bytes = std::max<std::int64_t>(block_count_ * static_cast<std::int64_t>(item), 8);
    parallel_for(blocks_ * places_, std::max<std::int64_t>(1, 65536 / bytes),
                 [&](std::int64_t begin, std::int64_t end) {
                   walk(begin, end, offsets, [&](std::int64_t at, std::int64_t place) {
                     move(indexed + at, dense + place);
                   });
                 });
  }
  /// Copies from `dense` to the places in `indexed`, in order: the last of equal ones stays.
  void scatter(std::byte* indexed, const std::byte* dense, const std::int64_t* offsets) const {
    if (block_count_ == 0) return;
    walk(0, blocks_ * places_, offsets,
         [&](std::int64_t at, std::int64_t place) { move(dense + place, indexed + at); });
  }
  /// Combines elements of `dense` into the places in `indexed`, in order.
  void combine(std::byte* indexed, const std::byte* dense, const std::int64_t* offsets,
               CombineRow row) const {
    if (block_count_ == 0) return;
    walk(0, blocks_ * places_, offsets, [&](std::int64_t at, std::int64_t place) {
      combine_block(indexed + at, dense + place, row, 0);
    });
  }

 private:
  bool locate_one(const IndexReader& reader, const std::byte* index, std::int64_t* offsets,
                  BadIndex& bad) const {
    const auto size = static_cast<std::int64_t>(size_of(reader.dtype));
    Dims at(common.size());
    for (std::int64_t j = 0; j < places_; ++j) {
      const std::int64_t found = read_index(index, reader.dtype);
      const std::int64_t wrapped = found < 0 && reader.wraps ? found + reader.bound : found;
      if (wrapped < 0 || wrapped >= reader.bound) {
        bad = {found, reader.bound, reader.dim};
        return false;
      }
      offsets[j] += wrapped * reader.stride;
      for (std::size_t i = common.size(); i-- > 0;) {
        index += reader.strides[i] * size;
        if (++at[i] < common[i]) break;
        index -= reader.strides[i] * size * common[i];
        at[i] = 0;
      }
    }
    return true;
  }

  [[nodiscard]] std::int64_t place_offset(std::int64_t j) const noexcept {
    if (even_) return j * place_stride_;
    std::int64_t offset = 0;
    for (std::size_t i = common.size(); i-- > 0;) {
      offset += j % common[i] * common_dense[i];
      j /= common[i];
    }
    return offset;
  }

  /// Calls `function(offset in indexed, offset in dense)` for units [begin, end).
  template <class Function>
  void walk(std::int64_t begin, std::int64_t end, const std::int64_t* offsets,
            Function&& function) const {
    std::int64_t unit = begin;
    while (unit < end) {
      std::int64_t block = unit / places_, from = 0, to = 0;
      const std::int64_t first = unit % places_;
      for (std::size_t i = before.size(); i-- > 0;) {
        from += block % before[i] * before_indexed[i];
        to += block % before[i] * before_dense[i];
        block /= before[i];
      }
      const std::int64_t last = std::min(places_, first + (end - unit));
      for (std::int64_t j = first; j < last; ++j) function(from + offsets[j], to + place_offset(j));
      unit += last - first;
    }
  }

  void move(const std::byte* from, std::byte* to) const {
    switch (dense_) {
      case 0: slab_.run(from, to); return;
      case 4: std::memcpy(to, from, 4); return;
      case 8: std::memcpy(to, from, 8); return;
      default: std::memcpy(to, from, dense_);
    }
  }

  void combine_block(std::byte* to, const std::byte* from, CombineRow row, std::size_t d) const {
    if (after.empty()) return row(to, 0, from, 0, 1);
    if (d + 1 == after.size()) return row(to, after_indexed[d], from, after_dense[d], after[d]);
    for (std::int64_t i = 0; i < after[d]; ++i)
      combine_block(to + i * after_indexed[d], from + i * after_dense[d], row, d + 1);
  }

  CopyPlan slab_;
  std::size_t dense_ = 0;
  std::int64_t places_ = 0, blocks_ = 0, block_count_ = 0, place_stride_ = 0;
  bool even_ = true;
};

}  // namespace treadle::inline v0::cpu
