// One run of blockwise attention.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <treadle/cpu/attention/attention_plan.hpp>
#include <treadle/cpu/attention/row_math.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu::detail {

/// First elements of the tensors of an attention. The mask is of the computation's dtype or bool;
/// `sums` takes the logarithms of the row sums, or is null.
struct AttentionTensors {
  const void* query = nullptr;
  const void* key = nullptr;
  const void* value = nullptr;
  const void* mask = nullptr;
  void* out = nullptr;
  void* sums = nullptr;
  bool mask_is_bool = false;
};

/// Attention in `T` (float or double).
template <class T>
class AttentionRun {
 public:
  AttentionRun(const AttentionPlan& plan, const AttentionTensors& tensors,
               const RowMath<T>& math) noexcept
      : plan_(plan), tensors_(tensors), math_(math) {}

  void run(std::byte* scratch, const ParallelFor& parallel_for) const {
    const std::int64_t pieces = plan_.pieces(), slots = plan_.slots();
    if (pieces == 0) return;
    const std::int64_t cost = plan_.query_block * plan_.keys *
                              (plan_.width + plan_.value_width + 16) *
                              ((pieces + slots - 1) / slots);
    parallel_for(slots, std::max<std::int64_t>(1, 400000 / std::max<std::int64_t>(cost, 1)),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t s = begin; s < end; ++s)
                     for (std::int64_t i = pieces * s / slots; i < pieces * (s + 1) / slots; ++i)
                       run_piece(i, scratch + s * plan_.slot_bytes);
                 });
  }

 private:
  static constexpr T infinity = std::numeric_limits<T>::infinity();

  /// A block of queries of one head, with its accumulators.
  struct Block {
    std::int64_t first = 0, count = 0;
    bool is_last = false;
    const T* query = nullptr;
    const T* key = nullptr;
    const T* value = nullptr;
    std::int64_t mask_at = 0;
    T* out = nullptr;  ///< sums of weighted values, dense
    T* scores = nullptr;
    T* maxima = nullptr;
    T* sums = nullptr;
    void* product = nullptr;
  };

  /// The offset of head `head` in an operand.
  [[nodiscard]] std::int64_t offset(const AttentionOperand& operand, std::int64_t head,
                                    std::int64_t group) const noexcept {
    std::int64_t at = 0;
    for (std::size_t d = plan_.batch.size(); d-- > 0;) {
      std::int64_t position = head % plan_.batch[d];
      head /= plan_.batch[d];
      if (d + 1 == plan_.batch.size()) position /= group;
      at += position * operand.batch[d];
    }
    return at;
  }

  void run_piece(std::int64_t piece, std::byte* scratch) const {
    const std::int64_t head = piece / plan_.query_blocks();
    const std::int64_t at = piece % plan_.query_blocks();
    T* const memory = reinterpret_cast<T*>(scratch);
    Block block;
    block.first = at * plan_.query_block;
    block.count = std::min(plan_.query_block, plan_.queries - block.first);
    block.is_last = at + 1 == plan_.query_blocks();
    block.query = static_cast<const T*>(tensors_.query) + offset(plan_.query, head, 1) +
                  block.first * plan_.query.row;
    block.key = static_cast<const T*>(tensors_.key) + offset(plan_.key, head, plan_.group);
    block.value = static_cast<const T*>(tensors_.value) + offset(plan_.value, head, plan_.group);
    if (tensors_.mask) block.mask_at = offset(plan_.mask, head, 1) + block.first * plan_.mask.row;
    block.out = memory;
    block.scores = memory + plan_.scores_at;
    block.maxima = memory + plan_.sums_at;
    block.sums = block.maxima + block.count;
    block.product = memory + plan_.product_at;
    std::fill(block.maxima, block.sums, -infinity);
    std::fill(block.sums, block.sums + block.count, T{0});
    std::int64_t end = plan_.keys;
    if (plan_.is_causal) end = std::min(end, block.first + block.count);
    if (end == 0) std::fill(block.out, block.out + block.count * plan_.value_width, T{0});
    for (std::int64_t k = 0; k < end; k += plan_.key_block) add_keys(block, k);
    store(block, head);
  }

  void add_keys(const Block& block, std::int64_t first) const {
    const std::int64_t count = std::min(plan_.key_block, plan_.keys - first);
    const std::size_t is_last = first + count == plan_.keys ? 1 : 0;
    const GemmPlan& product = plan_.scores[block.is_last ? 1 : 0][is_last];
    GemmEpilogue epilogue;
    epilogue.alpha = plan_.scale;
    const auto stride = plan_.key_block;
    gemm(product, {block.query, plan_.query.row, plan_.query.column, false, nullptr},
         {block.key + first * plan_.key.row, plan_.key.column, plan_.key.row, false, nullptr},
         block.scores, stride, 1, epilogue, block.product, ParallelFor());
    for (std::int64_t i = 0; i < block.count; ++i) {
      T* const row = block.scores + i * stride;
      apply_mask(block, i, first, count, row);
      weigh(block, i, row, count, first == 0);
    }
    epilogue.alpha = 1;
    epilogue.beta = first == 0 ? 0 : 1;
    gemm(plan_.values[block.is_last ? 1 : 0][is_last], {block.scores, stride, 1, false, nullptr},
         {block.value + first * plan_.value.row, plan_.value.row, plan_.value.column, false,
          nullptr},
         block.out, plan_.value_width, 1, epilogue, block.product, ParallelFor());
  }

  void apply_mask(const Block& block, std::int64_t i, std::int64_t first, std::int64_t count,
                  T* row) const {
    if (plan_.is_causal)
      for (std::int64_t j = std::max<std::int64_t>(0, block.first + i + 1 - first); j < count; ++j)
        row[j] = -infinity;
    if (!tensors_.mask) return;
    const std::int64_t at = block.mask_at + i * plan_.mask.row + first * plan_.mask.column;
    const std::int64_t step = plan_.mask.column;
    if (tensors_.mask_is_bool) {
      const auto* keep = static_cast<const bool*>(tensors_.mask) + at;
      for (std::int64_t j = 0; j < count; ++j) row[j] = keep[j * step] ? row[j] : -infinity;
      return;
    }
    const T* bias = static_cast<const T*>(tensors_.mask) + at;
    if (step == 1)
      math_.add(row, bias, static_cast<std::size_t>(count));
    else
      for (std::int64_t j = 0; j < count; ++j) row[j] += bias[j * step];
  }

  /// Turns scores into weights, against the largest score so far.
  void weigh(const Block& block, std::int64_t i, T* row, std::int64_t count, bool is_first) const {
    const auto n = static_cast<std::size_t>(count);
    const T old = block.maxima[i], here = math_.max(row, n);
    const T max = here <= old ? old : here;
    if (max == -infinity) {  // nothing allowed yet
      std::fill(row, row + count, T{0});
      return;
    }
    block.maxima[i] = max;
    const T sum = math_.exp_sum(row, max, n);
    if (is_first) {
      block.sums[i] = sum;
      return;
    }
    const T shrink = std::exp(old - max);
    block.sums[i] = block.sums[i] * shrink + sum;
    T* const out = block.out + i * plan_.value_width;
    if (shrink != T{1}) math_.scale(out, shrink, out, static_cast<std::size_t>(plan_.value_width));
  }

  void store(const Block& block, std::int64_t head) const {
    T* const out = static_cast<T*>(tensors_.out) + offset(plan_.out, head, 1);
    for (std::int64_t i = 0; i < block.count; ++i) {
      const T* from = block.out + i * plan_.value_width;
      T* to = out + (block.first + i) * plan_.out.row;
      // A row with nothing allowed gives zeros.
      const T factor = block.sums[i] == T{0} ? T{0} : T{1} / block.sums[i];
      if (plan_.out.column == 1) {
        math_.scale(from, factor, to, static_cast<std::size_t>(plan_.value_width));
      } else {
        for (std::int64_t j = 0; j < plan_.value_width; ++j)
          to[j * plan_.out.column] = from[j] * factor;
      }
      if (tensors_.sums)
        static_cast<T*>(
            tensors_.sums)[offset(plan_.sums, head, 1) + (block.first + i) * plan_.sums.row] =
            block.maxima[i] + std::log(block.sums[i]);
    }
  }

  const AttentionPlan& plan_;
  const AttentionTensors& tensors_;
  RowMath<T> math_;
};

}  // namespace treadle::inline v0::cpu::detail
