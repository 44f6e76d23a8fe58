// Plans for indexing by several tensors at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/index/slab_plan.hpp>

namespace treadle::inline v0::cpu {

/// `tensor[indices]` by the rules of NumPy: the sizes of the result, and which of its dimensions
/// come from where.
class AdvancedIndex {
 public:
  using Indices = std::span<const std::optional<TensorMeta>>;

  /// Integer indices, one a dimension of `indexed`, trailing ones left out; nothing for a
  /// dimension that is kept whole.
  [[nodiscard]] static Result<AdvancedIndex> make(const TensorMeta& indexed, Indices indices) {
    AdvancedIndex out(indexed);
    if (indices.size() > indexed.rank())
      return Error(ErrorCode::type_mismatch,
                   concat("expected at most ", indexed.rank(), " indices, found ", indices.size()));
    out.indices_.assign(indices.begin(), indices.end());
    out.indices_.resize(indexed.rank());
    for (const auto& index : out.indices_)
      if (index) TREADLE_CHECK(out.spread(index->sizes));
    out.place();
    return out;
  }

  [[nodiscard]] Dims sizes() const {
    Dims out;
    for (std::size_t i = 0; i <= indices_.size(); ++i) {
      if (i == first_)
        for (auto s : common_) out.push_back(s);
      if (i < indices_.size() && !indices_[i]) out.push_back(indexed_.sizes[i]);
    }
    return out;
  }

  /// The plan that moves between `indexed` and a tensor whose sizes broadcast to `sizes()`.
  [[nodiscard]] Result<SlabPlan> plan(const TensorMeta& dense, bool to_dense) const {
    const Dims wanted = sizes();
    Dims strides(wanted.size());
    TREADLE_CHECK(spread_strides(dense, wanted, strides));
    const Dims from = CopyPlan::byte_strides(indexed_);
    SlabPlan plan;
    plan.item = size_of(indexed_.dtype);
    std::size_t at = 0;
    for (std::size_t i = 0; i <= indices_.size(); ++i) {
      if (i == first_)
        for (auto s : common_) {
          plan.common.push_back(s);
          plan.common_dense.push_back(strides[at++]);
        }
      if (i == indices_.size() || indices_[i]) continue;
      (i < first_ ? plan.before : plan.after).push_back(indexed_.sizes[i]);
      (i < first_ ? plan.before_indexed : plan.after_indexed).push_back(from[i]);
      (i < first_ ? plan.before_dense : plan.after_dense).push_back(strides[at++]);
    }
    for (std::size_t i = 0; i < indices_.size(); ++i)
      if (indices_[i]) plan.readers.push_back(reader(i, from[i]));
    plan.finish(to_dense);
    return plan;
  }

 private:
  explicit AdvancedIndex(TensorMeta indexed) : indexed_(std::move(indexed)) {}

  Status spread(const Dims& sizes) {
    while (common_.size() < sizes.size()) common_.insert(common_.begin(), 1);
    const std::size_t lead = common_.size() - sizes.size();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      auto& size = common_[lead + i];
      if (size == 1) size = sizes[i];
      if (sizes[i] != 1 && sizes[i] != size)
        return Error(ErrorCode::type_mismatch,
                     concat("indices of sizes ", common_, " and ", sizes, " do not broadcast"));
    }
    return {};
  }

  /// Neighbouring indices leave their place to the common sizes; others move them to the front.
  void place() {
    const auto is_index = [](const auto& index) { return index.has_value(); };
    const auto first = std::find_if(indices_.begin(), indices_.end(), is_index);
    const auto end = std::find_if_not(first, indices_.end(), is_index);
    const bool adjacent = std::find_if(end, indices_.end(), is_index) == indices_.end();
    first_ = adjacent && first != indices_.end()
                 ? static_cast<std::size_t>(first - indices_.begin())
                 : 0;
  }

  [[nodiscard]] IndexReader reader(std::size_t dim, std::int64_t stride) const {
    const TensorMeta& index = *indices_[dim];
    IndexReader out{index.dtype, Dims(common_.size()), indexed_.sizes[dim], stride, dim, true};
    const std::size_t lead = common_.size() - index.rank();
    for (std::size_t i = 0; i < index.rank(); ++i)
      if (index.sizes[i] != 1) out.strides[lead + i] = index.strides[i];
    return out;
  }

  static Status spread_strides(const TensorMeta& dense, const Dims& wanted, Dims& strides) {
    const Dims own = CopyPlan::byte_strides(dense);
    bool fits = true;
    for (std::size_t i = 0; i < dense.rank(); ++i) {
      const std::size_t back = dense.rank() - i;
      if (back > wanted.size()) {
        fits = fits && dense.sizes[i] == 1;
        continue;
      }
      const std::size_t d = wanted.size() - back;
      fits = fits && (dense.sizes[i] == wanted[d] || dense.sizes[i] == 1);
      if (dense.sizes[i] != 1) strides[d] = own[i];
    }
    if (fits) return {};
    return Error(ErrorCode::type_mismatch,
                 concat("values of sizes ", dense.sizes, " do not fit indexed sizes ", wanted));
  }

  TensorMeta indexed_;
  std::vector<std::optional<TensorMeta>> indices_;
  Dims common_;
  std::size_t first_ = 0;
};

}  // namespace treadle::inline v0::cpu
