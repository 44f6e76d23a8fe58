// Definitions of loops.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/cpu/loops.hpp>

namespace treadle::inline v0::cpu {

namespace detail {

TREADLE_INLINE Status broadcast_strides(const TensorMeta& meta, const Dims& sizes, Dims& strides) {
  const auto item = static_cast<std::int64_t>(size_of(meta.dtype));
  const std::size_t rank = sizes.size();
  bool fits = meta.rank() <= rank;
  strides = Dims(rank);
  for (std::size_t i = 0; fits && i < meta.rank(); ++i) {
    const std::size_t d = rank - meta.rank() + i;
    if (meta.sizes[i] == sizes[d])
      strides[d] = meta.strides[i] * item;
    else
      fits = meta.sizes[i] == 1;
  }
  if (fits) return {};
  return Error(ErrorCode::type_mismatch,
               concat("a tensor of sizes ", meta.sizes, " does not broadcast to ", sizes));
}

/// True if dimension `a` should be a more inner loop than `b`: smaller strides first, the output's
/// before the inputs'; what is left keeps the order of a row-major tensor.
inline bool is_more_inner(const LoopNest& nest, std::size_t a, std::size_t b) noexcept {
  for (std::size_t k = 0; k < nest.operands; ++k) {
    const std::int64_t sa = nest.strides[k][a], sb = nest.strides[k][b];
    if (sa == 0 || sb == 0 || sa == sb) continue;
    return sa < sb;
  }
  return a > b;
}

/// Rewrites every list of the nest by `order`.
inline void reorder(LoopNest& nest, const SmallVector<std::size_t, 6>& order) {
  const auto apply = [&](Dims& dims) {
    Dims moved(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) moved[i] = dims[order[i]];
    dims = std::move(moved);
  };
  apply(nest.sizes);
  for (std::size_t k = 0; k < nest.operands; ++k) apply(nest.strides[k]);
}

/// Merges each dimension into the one inside it where every operand allows that.
inline void collapse(LoopNest& nest) {
  std::size_t last = 0;
  for (std::size_t d = 1; d < nest.sizes.size(); ++d) {
    bool merges = true;
    for (std::size_t k = 0; k < nest.operands; ++k)
      merges &= nest.strides[k][d] == nest.strides[k][last] * nest.sizes[last];
    if (merges) {
      nest.sizes[last] *= nest.sizes[d];
      continue;
    }
    ++last;
    nest.sizes[last] = nest.sizes[d];
    for (std::size_t k = 0; k < nest.operands; ++k) nest.strides[k][last] = nest.strides[k][d];
  }
  nest.sizes.resize(last + 1);
  for (std::size_t k = 0; k < nest.operands; ++k) nest.strides[k].resize(last + 1);
}

TREADLE_INLINE RunWalk::RunWalk(const LoopNest& nest, std::byte* const* bases, std::int64_t begin,
                                std::int64_t end)
    : nest_(nest), position_(nest.sizes.size()), left_(end - begin) {
  std::int64_t rest = begin;
  for (std::size_t k = 0; k < nest.operands; ++k) pointers_[k] = bases[k];
  for (std::size_t d = 0; d < position_.size(); ++d) {
    position_[d] = rest % nest.sizes[d];
    rest /= nest.sizes[d];
    for (std::size_t k = 0; k < nest.operands; ++k)
      pointers_[k] += position_[d] * nest.strides[k][d];
  }
  length_ = std::min(nest.sizes[0] - position_[0], left_);
}

TREADLE_INLINE bool RunWalk::next() noexcept {
  left_ -= length_;
  if (left_ == 0) return false;
  const std::size_t operands = nest_.operands;
  // The run ended at the edge of the inner loop: go back to its start and step outwards.
  for (std::size_t k = 0; k < operands; ++k) pointers_[k] -= position_[0] * nest_.inner_strides[k];
  position_[0] = 0;
  length_ = std::min(nest_.sizes[0], left_);
  for (std::size_t d = 1; d < position_.size(); ++d) {
    for (std::size_t k = 0; k < operands; ++k) pointers_[k] += nest_.strides[k][d];
    if (++position_[d] < nest_.sizes[d]) break;
    for (std::size_t k = 0; k < operands; ++k) pointers_[k] -= nest_.sizes[d] * nest_.strides[k][d];
    position_[d] = 0;
  }
  return true;
}

}  // namespace detail

TREADLE_INLINE Result<LoopNest> make_nest(std::span<const TensorMeta* const> operands) {
  TREADLE_ASSERT(!operands.empty() && operands.size() <= LoopNest::max_operands,
                 "one to five operands");
  LoopNest nest;
  nest.operands = operands.size();
  nest.sizes = operands[0]->sizes;
  nest.count = element_count(nest.sizes);
  for (std::size_t k = 0; k < nest.operands; ++k)
    TREADLE_CHECK(detail::broadcast_strides(*operands[k], operands[0]->sizes, nest.strides[k]));
  SmallVector<std::size_t, 6> order;
  for (std::size_t d = nest.sizes.size(); d-- > 0;)
    if (nest.sizes[d] != 1) order.push_back(d);
  // Insertion sort: the comparison is not a strict weak order where strides are 0.
  for (std::size_t i = 1; i < order.size(); ++i)
    for (std::size_t j = i; j > 0 && detail::is_more_inner(nest, order[j], order[j - 1]); --j)
      std::swap(order[j], order[j - 1]);
  detail::reorder(nest, order);
  if (order.empty()) {
    nest.sizes = {1};
    for (std::size_t k = 0; k < nest.operands; ++k)
      nest.strides[k] = {static_cast<std::int64_t>(size_of(operands[k]->dtype))};
  }
  detail::collapse(nest);
  nest.contiguous = nest.sizes.size() == 1;
  for (std::size_t k = 0; k < nest.operands; ++k) {
    nest.inner_strides[k] = nest.strides[k][0];
    nest.contiguous &= nest.is_dense(k, operands[k]->dtype);
  }
  return nest;
}

}  // namespace treadle::inline v0::cpu
