// A strided copy that converts dtypes where source and target differ.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>

namespace treadle::inline v0::cpu {

/// Copies and converts. Immutable; knows no addresses.
class ConvertCopy {
 public:
  /// Copies nothing.
  ConvertCopy() noexcept = default;

  /// Both metas have the same sizes; the offset into the target is in bytes.
  [[nodiscard]] static Result<ConvertCopy> make(const TensorMeta& from, const TensorMeta& to,
                                                std::int64_t to_offset = 0) {
    ConvertCopy copy;
    if (from.dtype == to.dtype) {
      copy.plan_ = CopyPlan(from, to, 0, to_offset);
      return copy;
    }
    const ComputeType type = std::max(compute_type(from.dtype), compute_type(to.dtype));
    copy.load_ = load_loop(from.dtype, type);
    copy.store_ = store_loop(type, to.dtype);
    if (!copy.load_ || !copy.store_)
      return Error(ErrorCode::type_mismatch,
                   concat("can't convert ", name(from.dtype), " to ", name(to.dtype)));
    copy.item_ = size_of(type);
    copy.to_offset_ = to_offset;
    copy.sizes_ = from.sizes;
    copy.from_ = CopyPlan::byte_strides(from);
    copy.to_ = CopyPlan::byte_strides(to);
    if (copy.sizes_.empty()) {
      copy.sizes_ = {1};
      copy.from_ = copy.to_ = {0};
    }
    copy.rows_ = 1;
    for (std::size_t i = 0; i + 1 < copy.sizes_.size(); ++i) copy.rows_ *= copy.sizes_[i];
    return copy;
  }

  /// Copies; the pointers are to the first elements of the tensors, which do not overlap.
  void run(const ParallelFor& parallel_for, const std::byte* from, std::byte* to) const {
    if (!load_) return plan_.run(parallel_for, from, to);
    const std::int64_t grain =
        std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(sizes_.back(), 1));
    parallel_for(rows_, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) run_row(row, from, to + to_offset_);
    });
  }

 private:
  void run_row(std::int64_t row, const std::byte* from, std::byte* to) const {
    const std::size_t last = sizes_.size() - 1;
    for (std::size_t i = last; i-- > 0;) {
      from += row % sizes_[i] * from_[i];
      to += row % sizes_[i] * to_[i];
      row /= sizes_[i];
    }
    alignas(16) std::byte chunk[256 * 16];
    for (std::int64_t at = 0; at < sizes_[last]; at += 256) {
      const std::int64_t n = std::min<std::int64_t>(256, sizes_[last] - at);
      const auto step = static_cast<std::int64_t>(item_);
      load_(from + at * from_[last], from_[last], chunk, step, n);
      store_(chunk, step, to + at * to_[last], to_[last], n);
    }
  }

  CopyPlan plan_;
  ConvertLoop load_ = nullptr, store_ = nullptr;
  std::size_t item_ = 0;
  std::int64_t to_offset_ = 0, rows_ = 0;
  Dims sizes_, from_, to_;
};

}  // namespace treadle::inline v0::cpu
