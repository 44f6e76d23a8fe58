// An elementwise call made ready: loops, conversions and the function for its layout.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/elementwise/element_op.hpp>
#include <treadle/cpu/loops.hpp>
#include <treadle/cpu/tensor.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu {

/// Everything about an elementwise call but addresses. `nest` holds the output, then the operands
/// that are tensors; operands that are numbers are kept in the compute type.
struct ElementwisePlan {
  static constexpr std::size_t max_arity = 3;
  static constexpr std::int64_t chunk_bytes = 4096;

  /// One operand of the function.
  struct Operand {
    std::uint8_t nest_index = 0;                    ///< its place in the nest, or 0 for a number
    ConvertLoop load = nullptr;                     ///< null: dense and of the compute type already
    ConvertLoop narrow = nullptr, widen = nullptr;  ///< to the common dtype and back, or null
    alignas(16) std::array<std::byte, 16> number{};
  };
  /// Computes elements [begin, end) of the nest; false after a division by zero.
  using Range = bool (*)(const ElementwisePlan& plan, std::byte* const* bases, std::int64_t begin,
                         std::int64_t end);

  LoopNest nest;
  Range range = nullptr;
  std::int64_t grain = 0;
  std::array<std::uint8_t, LoopNest::max_operands> slots{};  ///< tensor of the call, by nest index
  std::array<std::int64_t, LoopNest::max_operands> offsets{};  ///< bytes from the tensor's start
  DenseLoop loop = nullptr;
  ElementParameters parameters;
  std::array<Operand, max_arity> operands{};
  ConvertLoop store = nullptr;  ///< null: dense and of the computed type already
  std::uint8_t arity = 0;
  bool check_zero = false;
  std::uint8_t operand_size = 0;  ///< bytes of the compute type
  std::uint8_t result_size = 0;   ///< bytes of the computed type
  std::uint8_t narrow_size = 0;   ///< bytes of the common dtype
  std::int64_t chunk = INT64_MAX;
  float number = 0;  ///< the constant operand of `scalar`

  simd::UnaryFunction<float> unary = nullptr;
  simd::BinaryFunction<float> binary = nullptr;
  simd::ScalarFunction<float> scalar = nullptr;

  /// Sets `range` and `chunk` for any layout; call it when everything else is set.
  void choose_range();
  /// Runs on the tensors of a call.
  Status run(const ParallelFor& parallel_for, Tensor* const* tensors) const {
    std::array<std::byte*, LoopNest::max_operands> bases;
    for (std::size_t k = 0; k < nest.operands; ++k)
      bases[k] = tensors[slots[k]]->bytes() + offsets[k];
    if (nest.count <= grain) [[likely]] {
      if (range(*this, bases.data(), 0, nest.count)) [[likely]]
        return {};
      return zero_division();
    }
    return run_split(parallel_for, bases.data());
  }

 private:
  static Status zero_division() { return Error(ErrorCode::kernel_failed, "division by zero"); }
  Status run_split(const ParallelFor& parallel_for, std::byte* const* bases) const {
    std::atomic<bool> good = true;
    parallel_for(nest.count, grain, [&](std::int64_t begin, std::int64_t end) {
      if (!range(*this, bases, begin, end)) good.store(false, std::memory_order_relaxed);
    });
    if (good.load(std::memory_order_relaxed)) return {};
    return zero_division();
  }
};

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/elementwise/plan-inl.hpp>
#endif
