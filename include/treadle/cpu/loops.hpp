// Strided loops over several tensors at once: broadcast, collapsed, splittable.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu {

/// A nest of loops over one output and up to four inputs that broadcast to it. Made when a kernel
/// prepares; knows no addresses. Dimension 0 is the innermost one, where the output's stride is the
/// smallest. Dimensions of size 1 are gone, and neighbours that every operand steps through evenly
/// are one. Order the elements of a nest by its own index, [0, count): any split of that range is
/// allowed.
struct LoopNest {
  static constexpr std::size_t max_operands = 5;

  std::size_t operands = 0;
  Dims sizes;                              ///< at least one; innermost first
  std::array<Dims, max_operands> strides;  ///< in bytes, one list an operand, innermost first
  std::array<std::int64_t, max_operands> inner_strides{};  ///< `strides[k][0]`
  std::int64_t count = 0;                                  ///< elements of the output
  bool contiguous = false;  ///< one loop, and every operand is dense in it

  /// True if operand `k` is dense in the inner loop.
  [[nodiscard]] bool is_dense(std::size_t k, DType dtype) const noexcept {
    return inner_strides[k] == static_cast<std::int64_t>(size_of(dtype));
  }
  /// True if operand `k` stays in place in the inner loop.
  [[nodiscard]] bool is_constant(std::size_t k) const noexcept { return inner_strides[k] == 0; }
};

namespace detail {

/// Strides of `meta` in bytes, aligned to `sizes` from the right, 0 where it broadcasts.
inline Status broadcast_strides(const TensorMeta& meta, const Dims& sizes, Dims& strides) {
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

}  // namespace detail

/// The loops over `operands`, the output first; the inputs broadcast to its sizes. Fails if one
/// does not. At most `LoopNest::max_operands`.
[[nodiscard]] inline Result<LoopNest> make_nest(std::span<const TensorMeta* const> operands) {
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
[[nodiscard]] inline Result<LoopNest> make_nest(std::initializer_list<const TensorMeta*> operands) {
  return make_nest(std::span<const TensorMeta* const>(operands.begin(), operands.size()));
}

namespace detail {

/// Whole rows [first, last) of a nest of two loops.
template <class Function>
void for_each_row(const LoopNest& nest, std::byte* const* bases, std::int64_t first,
                  std::int64_t last, Function& function) {
  std::array<std::byte*, LoopNest::max_operands> pointers{};
  std::array<std::int64_t, LoopNest::max_operands> steps{};
  for (std::size_t k = 0; k < nest.operands; ++k) {
    steps[k] = nest.strides[k][1];
    pointers[k] = bases[k] + first * steps[k];
  }
  const std::int64_t n = nest.sizes[0];
  for (std::int64_t row = first; row < last; ++row) {
    function(static_cast<std::byte* const*>(pointers.data()), nest.inner_strides.data(), n);
    for (std::size_t k = 0; k < nest.operands; ++k) pointers[k] += steps[k];
  }
}

}  // namespace detail

/// Calls `function(pointers, strides, n)` for each inner run of elements [begin, end) of the nest:
/// `pointers[k]` is operand k's first element of the run, `strides[k]` its step in bytes, `n >= 1`.
/// `bases[k]` is the first element of operand k. Allocates nothing up to six dimensions.
template <class Function>
void for_each_run(const LoopNest& nest, std::byte* const* bases, std::int64_t begin,
                  std::int64_t end, Function&& function) {
  if (begin >= end) return;
  if (nest.sizes.size() == 2 && begin % nest.sizes[0] == 0 && end % nest.sizes[0] == 0)
    return detail::for_each_row(nest, bases, begin / nest.sizes[0], end / nest.sizes[0], function);
  const std::size_t rank = nest.sizes.size(), operands = nest.operands;
  std::array<std::byte*, LoopNest::max_operands> pointers{};
  Dims position(rank);
  std::int64_t rest = begin;
  for (std::size_t k = 0; k < operands; ++k) pointers[k] = bases[k];
  for (std::size_t d = 0; d < rank; ++d) {
    position[d] = rest % nest.sizes[d];
    rest /= nest.sizes[d];
    for (std::size_t k = 0; k < operands; ++k) pointers[k] += position[d] * nest.strides[k][d];
  }
  while (true) {
    const std::int64_t n = std::min(nest.sizes[0] - position[0], end - begin);
    function(static_cast<std::byte* const*>(pointers.data()), nest.inner_strides.data(), n);
    begin += n;
    if (begin >= end) return;
    // The run ended at the edge of the inner loop: go back to its start and step outwards.
    for (std::size_t k = 0; k < operands; ++k) pointers[k] -= position[0] * nest.inner_strides[k];
    position[0] = 0;
    for (std::size_t d = 1; d < rank; ++d) {
      for (std::size_t k = 0; k < operands; ++k) pointers[k] += nest.strides[k][d];
      if (++position[d] < nest.sizes[d]) break;
      for (std::size_t k = 0; k < operands; ++k) pointers[k] -= nest.sizes[d] * nest.strides[k][d];
      position[d] = 0;
    }
  }
}

/// The same over all elements, split by `parallel_for` in pieces of at least `grain` elements.
template <class Function>
void for_each_run(const LoopNest& nest, std::byte* const* bases, const ParallelFor& parallel_for,
                  std::int64_t grain, const Function& function) {
  parallel_for(nest.count, grain, [&](std::int64_t begin, std::int64_t end) {
    for_each_run(nest, bases, begin, end, function);
  });
}

}  // namespace treadle::inline v0::cpu
