// Kernels that copy and cast.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/loops.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// Copies a tensor to another that it broadcasts to, any strides on both sides, converting the
/// dtype. Immutable; knows no addresses.
class CastPlan {
 public:
  /// Fails if the sizes do not broadcast or no conversion exists.
  [[nodiscard]] static Result<CastPlan> make(const TensorMeta& from, const TensorMeta& to);
  /// The pointers are to the first elements, which do not overlap, or are the same memory.
  void run(const ParallelFor& parallel_for, const std::byte* from, std::byte* to) const {
    if (from == to && same_layout_) return;
    if (!first_) return move_.run(parallel_for, from, to);
    std::byte* bases[] = {to, const_cast<std::byte*>(from)};
    for_each_run(nest_, bases, parallel_for, 32768,
                 [this](std::byte* const* p, const std::int64_t* strides, std::int64_t n) {
                   convert(p, strides, n);
                 });
  }

 private:
  void convert(std::byte* const* pointers, const std::int64_t* strides, std::int64_t n) const;

  CopyPlan move_;  ///< used if there is nothing to convert
  LoopNest nest_;
  ConvertLoop first_ = nullptr;
  ConvertLoop second_ = nullptr;  ///< from what `first_` gives, if one step is not enough
  std::int64_t middle_size_ = 0;
  bool same_layout_ = false;
};

/// The kernel of an operator that copies tensor argument `source` to its one result.
/// `schema` is the whole constant text of the operator's schema.
void add_cast_kernel(KernelRegistry<Backend>& registry, std::string_view schema,
                     std::size_t source = 0);

/// The operators of `copy_ops()`.
[[nodiscard]] KernelRegistry<Backend> copy_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/copy-inl.hpp>
#endif
