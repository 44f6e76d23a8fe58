// Walks a tensor of indices along one dimension of another tensor, row by row.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/core/tensor_meta.hpp>
#include <treadle/cpu/index/combine.hpp>
#include <treadle/cpu/index/slab_plan.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu {

/// For each position p of `index`: the element of `indexed` at p, but at `index[p]` in dimension
/// `dim`, meets the element of `dense` at p.
class AlongPlan {
 public:
  AlongPlan() noexcept = default;
  /// All have the same rank, at least 1; `index` is nowhere larger, but for `dim` of `indexed`.
  AlongPlan(const TensorMeta& indexed, const TensorMeta& index, const TensorMeta& dense,
            std::size_t dim)
      : dim_(dim) {
    const std::size_t last = index.rank() - 1;
    const Dims a = CopyPlan::byte_strides(indexed), b = CopyPlan::byte_strides(index),
               c = CopyPlan::byte_strides(dense);
    row_.n = index.sizes[last];
    row_.index_stride = b[last];
    row_.from_stride = c[last];
    row_.place_stride = a[dim];
    row_.row_stride = dim == last ? 0 : a[last];
    row_.bound = indexed.sizes[dim];
    row_.narrow = index.dtype == DType::int32;
    for (std::size_t i = 0; i < last; ++i) {
      if (i == dim) continue;
      outer_.push_back({index.sizes[i], a[i], b[i], c[i]});
      units_ *= index.sizes[i];
    }
    if (dim != last) along_ = {index.sizes[dim], 0, b[dim], c[dim]};
    if (element_count(index) == 0) units_ = 0;
  }

  /// Calls `function(row, dense)` → position of a bad index or -1, for all rows; rows that meet the
  /// same elements of `indexed` come in order on one thread. False if an index was bad.
  template <class Function>
  bool run(const ParallelFor& parallel_for, std::byte* indexed, const std::byte* index,
           std::byte* dense, BadIndex& bad, Function&& function) const {
    std::atomic<const std::byte*> failed{nullptr};
    const std::int64_t grain = std::max<std::int64_t>(1, 16384 / (row_.n * along_.size + 1));
    parallel_for(units_, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t unit = begin; unit < end; ++unit)
        if (const auto* at = run_unit(unit, indexed, index, dense, function))
          return failed.store(at, std::memory_order_relaxed);
    });
    const auto* at = failed.load(std::memory_order_relaxed);
    if (!at) return true;
    bad = {read_index(at, row_.narrow ? DType::int32 : DType::int64), row_.bound, dim_};
    return false;
  }

 private:
  struct Loop {
    std::int64_t size = 1, indexed = 0, index = 0, dense = 0;
  };

  template <class Function>
  const std::byte* run_unit(std::int64_t unit, std::byte* indexed, const std::byte* index,
                            std::byte* dense, Function& function) const {
    for (std::size_t i = outer_.size(); i-- > 0;) {
      const std::int64_t at = unit % outer_[i].size;
      unit /= outer_[i].size;
      indexed += at * outer_[i].indexed;
      index += at * outer_[i].index;
      dense += at * outer_[i].dense;
    }
    ScatterRow row = row_;
    row.to = indexed;
    for (std::int64_t i = 0; i < along_.size; ++i) {
      row.index = index + i * along_.index;
      row.from = dense + i * along_.dense;
      const std::int64_t wrong = function(row, dense + i * along_.dense);
      if (wrong >= 0) return row.index + wrong * row.index_stride;
    }
    return nullptr;
  }

  SmallVector<Loop, 4> outer_;
  Loop along_;
  ScatterRow row_;
  std::int64_t units_ = 1;
  std::size_t dim_ = 0;
};

}  // namespace treadle::inline v0::cpu
