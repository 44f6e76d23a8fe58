// What a matrix product works on: operands, epilogue, plan, batch.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/core/dtype.hpp>
#include <treadle/core/scalar.hpp>
#include <treadle/cpu/simd/target.hpp>

namespace treadle::inline v0::cpu {

enum class Activation : std::uint8_t { none, relu, clamp };

/// What happens to a product before it is stored:
/// C = activation(alpha · A·B + beta · C + row_bias[i] + column_bias[j]).
struct GemmEpilogue {
  Scalar alpha = 1;
  Scalar beta = 0;                    ///< with 0 the old C is not read
  const void* row_bias = nullptr;     ///< m elements of the plan's dtype, or none
  const void* column_bias = nullptr;  ///< n elements of the plan's dtype, or none
  Activation activation = Activation::none;
  double low = 0;  ///< bounds of `Activation::clamp`; NaN passes through
  double high = 0;
};

/// One input matrix: element (i, j) lies at data + i · row_stride + j · column_stride, counted in
/// elements; strides may be zero or negative. Or a panel-packed copy made by `pack_a`/`pack_b`.
struct GemmOperand {
  /// Writes elements [first, first + count) along the free dimension (rows of A, columns of B) and
  /// [depth, depth + depth_count) along k, to out[d · width + f], zero for f in [count, width).
  using Pack = void (*)(const void* data, std::int64_t first, std::int64_t count,
                        std::int64_t depth, std::int64_t depth_count, std::int64_t width,
                        void* out);

  const void* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 1;
  bool is_packed = false;
  Pack pack = nullptr;  ///< makes panels from `data` in place of the strided copy

  [[nodiscard]] static constexpr GemmOperand packed(const void* data) noexcept {
    return {data, 0, 1, true, nullptr};
  }
};

/// What `make_gemm_plan` may assume.
struct GemmOptions {
  bool packed_a = false;  ///< A is given packed (a constant left factor, e.g. convolution weights)
  bool packed_b = false;  ///< B is given packed (a constant right factor, e.g. linear weights)
  simd::Target target = simd::detect();
};

/// Everything a product of one shape and dtype needs to know. A value: copy it freely, share it
/// between threads. Packed operands fit every plan with the same dtype, target and, for A, m and k,
/// for B, k and n.
struct GemmPlan {
  DType dtype = DType::float32;
  simd::Target target = simd::Target::baseline;
  bool packed_a = false;
  bool packed_b = false;
  bool is_supported = false;      ///< false for bool and the 8-bit floats
  const void* kernels = nullptr;  ///< table of micro-kernels, of static duration
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t panel_rows = 1;     ///< rows of an A panel (the micro-kernel's height)
  std::int64_t panel_columns = 1;  ///< columns of a B panel (the micro-kernel's width)
  std::int64_t block_rows = 0;     ///< rows of A packed at a time
  std::int64_t block_columns = 0;  ///< columns of B packed at a time
  std::int64_t block_depth = 0;    ///< k elements packed at a time
  std::size_t scratch_bytes = 0;   ///< workspace of one `gemm`, aligned to `gemm_alignment`
};

/// Alignment of scratch and of packed operands, in bytes.
inline constexpr std::size_t gemm_alignment = 64;

/// Products of a batch: matrix i of an operand starts `i · batch stride` elements behind its
/// `data` (0 shares it; a packed operand always is shared). `gemm` is one with batch 1.
struct GemmBatch {
  std::int64_t count = 1;
  std::int64_t a_stride = 0;
  std::int64_t b_stride = 0;
  std::int64_t c_stride = 0;
};

}  // namespace treadle::inline v0::cpu
