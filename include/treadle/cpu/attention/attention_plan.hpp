// Sizes, layouts and matrix products of one attention.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <treadle/core/dtype.hpp>
#include <treadle/core/small_vector.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/cpu/gemm/gemm.hpp>

namespace treadle::inline v0::cpu {

/// A tensor [batch…, rows, columns] as attention sees it; strides in elements, 0 where it
/// broadcasts.
struct AttentionOperand {
  Dims batch;
  std::int64_t row = 0, column = 0;
};

/// Attention in blocks of queries times blocks of keys, with running row maxima and sums after
/// Dao et al. (2022). Block sizes depend on the sizes alone.
struct AttentionPlan {
  static constexpr std::int64_t max_queries = 64;
  static constexpr std::int64_t max_keys = 512;
  static constexpr std::int64_t max_slots = 16;

  DType dtype = DType::float32;  ///< of the computation
  Dims batch;
  std::int64_t queries = 0, keys = 0, width = 0, value_width = 0;
  std::int64_t query_block = 1, key_block = 1;
  double scale = 1;
  bool is_causal = false;
  std::int64_t group = 1;  ///< neighbouring heads of queries that share a head of keys
  AttentionOperand query, key, value, mask, out, sums;

  /// Products by [last block of queries][last block of keys].
  std::array<std::array<GemmPlan, 2>, 2> scores, values;
  std::int64_t scores_at = 0, sums_at = 0, product_at = 0;  ///< in elements of a slot's scratch
  std::int64_t slot_bytes = 0;

  [[nodiscard]] std::int64_t query_blocks() const noexcept {
    return (queries + query_block - 1) / query_block;
  }
  [[nodiscard]] std::int64_t heads() const noexcept { return element_count(batch); }
  [[nodiscard]] std::int64_t pieces() const noexcept { return heads() * query_blocks(); }
  [[nodiscard]] std::int64_t slots() const noexcept { return std::min(pieces(), max_slots); }

  /// Evenly filled blocks of at most `most`.
  [[nodiscard]] static std::int64_t even_block(std::int64_t count, std::int64_t most) noexcept {
    const std::int64_t blocks = std::max<std::int64_t>(1, (count + most - 1) / most);
    return std::max<std::int64_t>(1, (count + blocks - 1) / blocks);
  }

  /// Chooses blocks and plans products; sizes and layouts are set.
  void plan_products() {
    query_block = even_block(queries, max_queries);
    key_block = even_block(keys, max_keys);
    const std::int64_t rows[] = {query_block, queries - (query_blocks() - 1) * query_block};
    const std::int64_t key_blocks = std::max<std::int64_t>(1, (keys + key_block - 1) / key_block);
    const std::int64_t columns[] = {key_block, keys - (key_blocks - 1) * key_block};
    std::size_t product_bytes = 0;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        scores[i][j] = make_gemm_plan(dtype, rows[i], columns[j], width);
        values[i][j] = make_gemm_plan(dtype, rows[i], value_width, columns[j]);
        product_bytes =
            std::max({product_bytes, scores[i][j].scratch_bytes, values[i][j].scratch_bytes});
      }
    const auto item = static_cast<std::int64_t>(size_of(dtype));
    scores_at = round_up(query_block * value_width);
    sums_at = scores_at + round_up(query_block * key_block);
    product_at = sums_at + round_up(2 * query_block);
    slot_bytes = product_at * item + static_cast<std::int64_t>(product_bytes + 63) / 64 * 64;
  }

 private:
  static std::int64_t round_up(std::int64_t n) noexcept { return (n + 15) / 16 * 16; }
};

}  // namespace treadle::inline v0::cpu
