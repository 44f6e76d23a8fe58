// Strided loops over several tensors at once: broadcast, collapsed, splittable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include <treadle/config.hpp>
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
Status broadcast_strides(const TensorMeta& meta, const Dims& sizes, Dims& strides);

}  // namespace detail

/// The loops over `operands`, the output first; the inputs broadcast to its sizes. Fails if one
/// does not. At most `LoopNest::max_operands`.
[[nodiscard]] Result<LoopNest> make_nest(std::span<const TensorMeta* const> operands);
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

/// Goes through the inner runs of elements [begin, end) of a nest; there is at least one. Allocates
/// nothing up to six dimensions.
class RunWalk {
 public:
  RunWalk(const LoopNest& nest, std::byte* const* bases, std::int64_t begin, std::int64_t end);

  /// Each operand's first element of the run.
  [[nodiscard]] std::byte* const* pointers() const noexcept { return pointers_.data(); }
  [[nodiscard]] std::int64_t length() const noexcept { return length_; }
  /// False if this run was the last one.
  bool next() noexcept;

 private:
  const LoopNest& nest_;
  std::array<std::byte*, LoopNest::max_operands> pointers_{};
  Dims position_;
  std::int64_t left_, length_;  ///< elements from here to the end, and those of this run
};

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
  detail::RunWalk walk(nest, bases, begin, end);
  do {
    function(walk.pointers(), nest.inner_strides.data(), walk.length());
  } while (walk.next());
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

#if !TREADLE_COMPILED
#include <treadle/cpu/loops-inl.hpp>
#endif
