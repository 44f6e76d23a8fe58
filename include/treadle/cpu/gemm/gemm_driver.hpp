// The loops around the micro-kernels: which block of which matrix is packed and multiplied when.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <treadle/cpu/gemm/gemm_pack.hpp>
#include <treadle/cpu/gemm/gemm_plan.hpp>
#include <treadle/cpu/simd/gemm_tile.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu::detail {

/// Multiplies matrices of `Element` with micro-kernels for `T` (float or double). Where the two
/// differ, panels are converted when packed and tiles when stored, and k is not blocked.
template <class Element, class T>
class GemmDriver {
 public:
  GemmDriver(const GemmPlan& plan, const GemmOperand& a, const GemmOperand& b, void* c,
             std::int64_t c_row, std::int64_t c_column, const GemmEpilogue& epilogue,
             void* scratch) noexcept
      : plan_(plan),
        kernels_(*static_cast<const simd::GemmKernels<T>*>(plan.kernels)),
        epilogue_(epilogue),
        a_(rows_of(a)),
        b_(columns_of(b)),
        c_(static_cast<Element*>(c)),
        c_row_(c_row),
        c_column_(c_column),
        alpha_(static_cast<T>(epilogue.alpha.to_double())),
        beta_(static_cast<T>(epilogue.beta.to_double())),
        // Without scratch nothing is packed, but addresses may be counted: any will do.
        b_block_(scratch ? static_cast<T*>(scratch) : &alpha_),
        a_block_(scratch ? b_block_ + b_block_elements(plan) : b_block_) {
    choose_access(a.is_packed, b.is_packed);
  }

  void run(ParallelFor parallel_for) {
    if (plan_.m == 0 || plan_.n == 0) return;
    for (std::int64_t j = 0; j < plan_.n; j += plan_.block_columns)
      for (std::int64_t k = 0; k == 0 || k < plan_.k; k += plan_.block_depth) {
        block_.column = j;
        block_.columns = std::min(plan_.block_columns, plan_.n - j);
        block_.depth = k;
        block_.depths = std::min(plan_.block_depth, plan_.k - k);
        prepare_b(parallel_for);
        for (std::int64_t i = 0; i < plan_.m; i += plan_.block_rows) {
          block_.row = i;
          block_.rows = std::min(plan_.block_rows, plan_.m - i);
          prepare_a(parallel_for);
          multiply_block(parallel_for);
        }
      }
  }

  /// Elements of the packed block of B, rounded so that the block of A is aligned.
  static std::int64_t b_block_elements(const GemmPlan& plan) noexcept {
    if (plan.packed_b) return 0;
    const std::int64_t panels = (plan.n + plan.panel_columns - 1) / plan.panel_columns;
    const std::int64_t columns = std::min(panels * plan.panel_columns, plan.block_columns);
    return round_up(columns * std::min(plan.k, plan.block_depth));
  }
  static std::int64_t a_block_elements(const GemmPlan& plan) noexcept {
    if (plan.packed_a) return 0;
    const std::int64_t panels = (plan.m + plan.panel_rows - 1) / plan.panel_rows;
    const std::int64_t rows = std::min(panels * plan.panel_rows, plan.block_rows);
    return round_up(rows * std::min(plan.k, plan.block_depth));
  }

 private:
  static constexpr std::int64_t few_rows = 120;
  static constexpr bool converts = !std::is_same_v<Element, T>;
  enum class Access : std::uint8_t { packed, block, direct, dot };
  struct Block {
    std::int64_t row = 0, rows = 0, column = 0, columns = 0, depth = 0, depths = 0;
  };

  static constexpr std::int64_t round_up(std::int64_t count) noexcept {
    return (count + 63) / 64 * 64;
  }

  void choose_access(bool packed_a, bool packed_b) noexcept {
    const bool plain_a = !converts && !a_.pack && !packed_a;
    const bool plain_b = !converts && !b_.pack && !packed_b;
    a_access_ = packed_a ? Access::packed : Access::block;
    b_access_ = packed_b ? Access::packed : Access::block;
    const std::int64_t few = simd::GemmKernels<T>::max_dot_rows;
    if (plain_a && (plan_.m <= few || plan_.n <= 4 * plan_.panel_columns))
      a_access_ = Access::direct;
    if (!plain_b) return;
    if (plan_.m <= few && b_.depth_stride == 1 && a_access_ == Access::direct &&
        a_.depth_stride == 1)
      b_access_ = Access::dot;
    else if (plan_.m <= 2 * kernels_.max_rows && b_.free_stride == 1)
      b_access_ = Access::direct;
  }

  /// Whether the panels of B are packed one by one where they are used: one piece of work then
  /// takes all rows, so that no panel is packed twice.
  [[nodiscard]] bool packs_late() const noexcept {
    return b_access_ == Access::block &&
           (plan_.m <= few_rows || (plan_.m <= 4 * few_rows && plan_.n >= 4096));
  }

  void prepare_b(ParallelFor parallel_for) {
    if (packs_late()) return;
    PanelRange range{block_.column, block_.columns, block_.depth, block_.depths,
                     plan_.panel_columns};
    if (b_access_ == Access::direct) {  // only a last, narrow panel is copied
      range.count = block_.columns % range.width;
      range.first = block_.column + block_.columns - range.count;
    } else if (b_access_ != Access::block) {
      return;
    }
    if (range.count > 0) pack_panels<Element, T>(kernels_, b_, range, b_block_, parallel_for);
  }

  void prepare_a(ParallelFor parallel_for) {
    if (a_access_ != Access::block) return;
    const PanelRange range{block_.row, block_.rows, block_.depth, block_.depths, plan_.panel_rows};
    pack_panels<Element, T>(kernels_, a_, range, a_block_, parallel_for);
  }

  /// Splits the block of C into pieces of about a quarter million multiplications or more.
  void multiply_block(ParallelFor parallel_for) const {
    const std::int64_t width = plan_.panel_columns, height = plan_.panel_rows;
    const std::int64_t few = std::max<std::int64_t>(1, few_rows / height) * height;
    const std::int64_t piece_rows = packs_late() ? block_.rows : few;
    const std::int64_t piece_columns = 4 * width;
    const std::int64_t down = (block_.rows + piece_rows - 1) / piece_rows;
    const std::int64_t across = (block_.columns + piece_columns - 1) / piece_columns;
    const std::int64_t cost = std::min(piece_rows, block_.rows) *
                              std::min(piece_columns, block_.columns) *
                              std::max<std::int64_t>(block_.depths, 1);
    parallel_for(down * across, std::max<std::int64_t>(1, 500000 / cost),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t p = begin; p < end; ++p)
                     multiply_piece(p / across * piece_rows, piece_rows, p % across * piece_columns,
                                    piece_columns);
                 });
  }

  void multiply_piece(std::int64_t row, std::int64_t rows, std::int64_t column,
                      std::int64_t columns) const {
    const std::int64_t last_row = std::min(row + rows, block_.rows);
    const std::int64_t last_column = std::min(column + columns, block_.columns);
    simd::GemmTile<T> tile;
    tile.depth = block_.depths;
    tile.alpha = alpha_;
    for (std::int64_t j = column; j < last_column; j += plan_.panel_columns) {
      tile.columns = std::min(plan_.panel_columns, last_column - j);
      place_b(tile, j);
      if (packs_late()) {
        T* const panel = b_block_ + column * block_.depths;  // one for the whole piece, still warm
        const PanelRange range{block_.column + j, tile.columns, block_.depth, block_.depths,
                               plan_.panel_columns};
        pack_panel<Element, T>(kernels_, b_, range, panel);
        tile.b = panel;
      }
      for (std::int64_t i = row; i < last_row; i += plan_.panel_rows) {
        const std::int64_t height = std::min(plan_.panel_rows, last_row - i);
        place_a(tile, i);
        if (!converts && (c_column_ == 1 || plan_.n == 1))
          multiply_tile(tile, height, block_.row + i, block_.column + j);
        else
          multiply_apart(tile, height, block_.row + i, block_.column + j);
      }
    }
  }

  void place_b(simd::GemmTile<T>& tile, std::int64_t j) const noexcept {
    tile.b_step = plan_.panel_columns;
    const T* data = static_cast<const T*>(b_.data);
    if (b_access_ == Access::packed) {
      tile.b = data + (block_.column + j) * plan_.k + block_.depth * plan_.panel_columns;
    } else if (b_access_ == Access::block) {
      tile.b = b_block_ + j * block_.depths;
    } else if (b_access_ == Access::dot) {
      tile.b = data + (block_.column + j) * b_.free_stride + block_.depth;
      tile.b_step = b_.free_stride;
    } else if (tile.columns == plan_.panel_columns) {
      tile.b = data + block_.column + j + block_.depth * b_.depth_stride;
      tile.b_step = b_.depth_stride;
    } else {
      tile.b = b_block_;
    }
  }

  void place_a(simd::GemmTile<T>& tile, std::int64_t i) const noexcept {
    tile.a_row = 1;
    tile.a_depth = plan_.panel_rows;
    const T* data = static_cast<const T*>(a_.data);
    if (a_access_ == Access::packed) {
      tile.a = data + (block_.row + i) * plan_.k + block_.depth * plan_.panel_rows;
    } else if (a_access_ == Access::block) {
      tile.a = a_block_ + i * block_.depths;
    } else {
      tile.a = data + (block_.row + i) * a_.free_stride + block_.depth * a_.depth_stride;
      tile.a_row = a_.free_stride;
      tile.a_depth = a_.depth_stride;
    }
  }

  [[nodiscard]] T block_beta() const noexcept { return block_.depth == 0 ? beta_ : T{1}; }
  [[nodiscard]] bool is_last_depth() const noexcept {
    return block_.depth + block_.depths >= plan_.k;
  }

  void call_kernel(const simd::GemmTile<T>& tile, std::int64_t height) const {
    if (b_access_ == Access::dot) return kernels_.dot(tile, height);
    kernels_.tile[static_cast<std::size_t>(height - 1)]
                 [tile.columns > kernels_.vector_columns ? 1 : 0](tile);
  }

  void multiply_tile(simd::GemmTile<T>& tile, std::int64_t height, std::int64_t row,
                     std::int64_t column) const {
    tile.c = reinterpret_cast<T*>(c_) + row * c_row_ + column;
    tile.c_row = c_row_;
    tile.beta = block_beta();
    if (is_last_depth()) {
      const T* row_bias = static_cast<const T*>(epilogue_.row_bias);
      const T* column_bias = static_cast<const T*>(epilogue_.column_bias);
      tile.row_bias = row_bias ? row_bias + row : nullptr;
      tile.column_bias = column_bias ? column_bias + column : nullptr;
      tile.has_bounds = epilogue_.activation != Activation::none;
      tile.low = low();
      tile.high = high();
    }
    call_kernel(tile, height);
  }

  [[nodiscard]] T low() const noexcept {
    return epilogue_.activation == Activation::relu ? T{0} : static_cast<T>(epilogue_.low);
  }
  [[nodiscard]] T high() const noexcept {
    return epilogue_.activation == Activation::relu ? std::numeric_limits<T>::infinity()
                                                    : static_cast<T>(epilogue_.high);
  }

  /// Computes a tile on the stack and stores it element by element: for strided C and conversions.
  void multiply_apart(simd::GemmTile<T> tile, std::int64_t height, std::int64_t row,
                      std::int64_t column) const {
    alignas(64) T sums[12 * 64];
    tile.c = sums;
    tile.c_row = plan_.panel_columns;
    call_kernel(tile, height);
    const T beta = block_beta();
    const Element* row_bias = static_cast<const Element*>(epilogue_.row_bias);
    const Element* column_bias = static_cast<const Element*>(epilogue_.column_bias);
    for (std::int64_t i = 0; i < height; ++i)
      for (std::int64_t j = 0; j < tile.columns; ++j) {
        Element* out = c_ + (row + i) * c_row_ + (column + j) * c_column_;
        T x = sums[i * tile.c_row + j];
        if (beta != T{0}) x += beta * static_cast<T>(*out);
        if (is_last_depth()) {
          if (row_bias) x += static_cast<T>(row_bias[row + i]);
          if (column_bias) x += static_cast<T>(column_bias[column + j]);
          if (epilogue_.activation != Activation::none) {
            if (x < low()) x = low();
            if (x > high()) x = high();
          }
        }
        *out = static_cast<Element>(x);
      }
  }

  const GemmPlan& plan_;
  const simd::GemmKernels<T>& kernels_;
  const GemmEpilogue& epilogue_;
  PanelSource a_, b_;
  Access a_access_ = Access::block, b_access_ = Access::block;
  Element* c_;
  std::int64_t c_row_, c_column_;
  T alpha_, beta_;
  T* b_block_;
  T* a_block_;
  Block block_;
};

}  // namespace treadle::inline v0::cpu::detail
