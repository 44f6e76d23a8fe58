// What micro-kernels of matrix multiplication work on, and their table.
#pragma once

#include <array>
#include <cstdint>

#include <treadle/config.hpp>
#include <treadle/cpu/simd/target.hpp>

namespace treadle::inline v0::cpu::simd {

/// One tile of C: rows × columns at `c`, from `depth` columns of A and rows of B.
template <class T>
struct GemmTile {
  const T* a = nullptr;  ///< element (r, d) at a[r · a_row + d · a_depth]
  std::int64_t a_row = 0;
  std::int64_t a_depth = 0;
  const T* b = nullptr;     ///< panel kernels: a whole panel row at b[d · b_step];
  std::int64_t b_step = 0;  ///< dot kernels: element (d, j) at b[j · b_step + d]
  T* c = nullptr;
  std::int64_t c_row = 0;
  std::int64_t depth = 0;
  std::int64_t columns = 0;  ///< 1 to panel_columns
  T alpha = 1;
  T beta = 0;  ///< C is not read when 0
  const T* row_bias = nullptr;
  const T* column_bias = nullptr;
  bool has_bounds = false;
  T low = 0;
  T high = 0;
};

/// Micro-kernels for float or double. `tile[r - 1][v]` computes r rows; v = 0 where the columns fit
/// in one vector, 1 up to a whole panel. `dot` computes up to `max_dot_rows` rows with B
/// transposed, its columns contiguous along the depth; the products need A contiguous along the
/// depth, too.
template <class T>
struct GemmKernels {
  using Function = void (*)(const GemmTile<T>&);
  static constexpr int max_dot_rows = 4;
  std::int64_t max_rows = 0;
  std::int64_t panel_columns = 0;
  std::int64_t vector_columns = 0;
  std::array<std::array<Function, 2>, 12> tile = {};
  void (*dot)(const GemmTile<T>&, std::int64_t rows) = nullptr;
  /// out[d · width + f] = in[f · stride + d] for f < count (zero to `width`) and d < depth: packs
  /// vectors that are contiguous along the depth.
  void (*transpose)(const T* in, std::int64_t stride, std::int64_t count, std::int64_t depth,
                    std::int64_t width, T* out) = nullptr;
  /// out[d · width + f] = in[d · stride + f] for f < count (zero to `width`) and d < depth: packs
  /// vectors whose neighbours are contiguous.
  void (*copy)(const T* in, std::int64_t stride, std::int64_t count, std::int64_t depth,
               std::int64_t width, T* out) = nullptr;
};

}  // namespace treadle::inline v0::cpu::simd
