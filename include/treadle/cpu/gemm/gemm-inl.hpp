// Planning, packing and running of matrix products.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <treadle/config.hpp>
#include <treadle/core/dtype_visit.hpp>
#include <treadle/cpu/gemm/gemm.hpp>
#include <treadle/cpu/gemm/gemm_any.hpp>
#include <treadle/cpu/gemm/gemm_driver.hpp>
#include <treadle/cpu/gemm/gemm_dtypes.hpp>
#include <treadle/cpu/gemm/gemm_pack.hpp>
#include <treadle/cpu/simd/gemm_kernels.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// Panels of equal height, so that a few rows beyond a multiple do not cost a whole panel.
constexpr std::int64_t even_panel(std::int64_t rows, std::int64_t max_rows) noexcept {
  const std::int64_t panels = std::max<std::int64_t>(1, (rows + max_rows - 1) / max_rows);
  return std::max<std::int64_t>(1, (rows + panels - 1) / panels);
}

inline constexpr std::int64_t block_elements = std::int64_t{1} << 18;
inline constexpr std::int64_t least_span = 256;  ///< rows or columns of a block
inline constexpr std::int64_t most_depth = 384;

/// The micro-kernels that compute in `T`.
template <class T>
const simd::GemmKernels<T>& micro_kernels(simd::Target target) {
  if constexpr (std::is_same_v<T, double>)
    return simd::gemm_kernels_f64(target);
  else
    return simd::gemm_kernels_f32(target);
}

template <class Element, class T>
void plan_blocks(GemmPlan& plan, const simd::GemmKernels<T>& kernels) {
  constexpr bool converts = !std::is_same_v<Element, T>;
  plan.kernels = &kernels;
  plan.panel_rows = even_panel(plan.m, kernels.max_rows);
  plan.panel_columns = kernels.panel_columns;
  const std::int64_t depth = std::max<std::int64_t>(plan.k, 1);
  plan.block_depth = converts ? depth : even_panel(depth, most_depth);
  const std::int64_t span = std::max(block_elements / plan.block_depth, least_span);
  plan.block_columns = span / plan.panel_columns * plan.panel_columns;
  plan.block_rows = std::max<std::int64_t>(span / plan.panel_rows, 1) * plan.panel_rows;
  using Driver = GemmDriver<Element, T>;
  plan.scratch_bytes = sizeof(T) * static_cast<std::size_t>(Driver::b_block_elements(plan) +
                                                            Driver::a_block_elements(plan));
}

/// Elements of `count` rows or columns as panels of `width`.
constexpr std::size_t panel_elements(std::int64_t count, std::int64_t width,
                                     std::int64_t depth) noexcept {
  return static_cast<std::size_t>((count + width - 1) / width * width * depth);
}

}  // namespace detail

TREADLE_INLINE GemmPlan make_gemm_plan(DType dtype, std::int64_t m, std::int64_t n, std::int64_t k,
                                       const GemmOptions& options) {
  GemmPlan plan;
  plan.dtype = dtype;
  plan.target = options.target;
  plan.packed_a = options.packed_a;
  plan.packed_b = options.packed_b;
  plan.m = m;
  plan.n = n;
  plan.k = k;
  plan.is_supported =
      detail::visit_gemm_float(dtype,
                               [&]<class Element, class T>(TypeTag<Element>, TypeTag<T>) {
                                 detail::plan_blocks<Element>(
                                     plan, detail::micro_kernels<T>(options.target));
                               }) ||
      detail::visit_gemm_any(dtype, [](auto) {});
  return plan;
}

TREADLE_INLINE std::size_t largest_gemm_scratch(DType dtype, std::int64_t m, std::int64_t n,
                                                std::int64_t k) {
  std::int64_t bytes = 0;
  detail::visit_gemm_float(dtype, [&]<class Element, class T>(TypeTag<Element>, TypeTag<T>) {
    const auto& kernels = detail::micro_kernels<T>(simd::detect());
    // Depth blocks of halves are as deep as the product.
    const std::int64_t depth = std::is_same_v<Element, T> ? std::min(k, detail::most_depth) : k;
    const std::int64_t block = std::max(detail::block_elements, detail::least_span * depth);
    const auto part = [&](std::int64_t count, std::int64_t panel) {
      constexpr std::int64_t rounding = gemm_alignment;
      return std::min((count + panel) * depth, block) + rounding;
    };
    bytes = static_cast<std::int64_t>(sizeof(T)) *
            (part(m, kernels.max_rows) + part(n, kernels.panel_columns));
  });
  return static_cast<std::size_t>(bytes);
}

TREADLE_INLINE std::size_t packed_a_bytes(const GemmPlan& plan) {
  return detail::panel_elements(plan.m, plan.panel_rows, plan.k) * detail::packed_size(plan.dtype);
}
TREADLE_INLINE std::size_t packed_b_bytes(const GemmPlan& plan) {
  return detail::panel_elements(plan.n, plan.panel_columns, plan.k) *
         detail::packed_size(plan.dtype);
}

namespace detail {
inline void pack_operand(const GemmPlan& plan, const GemmOperand& operand, bool is_a, void* out) {
  const bool done =
      visit_gemm_float(plan.dtype, [&]<class Element, class T>(TypeTag<Element>, TypeTag<T>) {
        const auto& kernels = *static_cast<const simd::GemmKernels<T>*>(plan.kernels);
        const PanelRange range{0, is_a ? plan.m : plan.n, 0, plan.k,
                               is_a ? plan.panel_rows : plan.panel_columns};
        pack_panels<Element, T>(kernels, is_a ? rows_of(operand) : columns_of(operand), range,
                                static_cast<T*>(out), ParallelFor());
      });
  if (done) return;
  visit_gemm_any(plan.dtype, [&]<class Element>(TypeTag<Element>) {
    copy_operand<Element>(operand, is_a ? plan.m : plan.k, is_a ? plan.k : plan.n, out);
  });
}
}  // namespace detail

TREADLE_INLINE void pack_a(const GemmPlan& plan, const GemmOperand& a, void* out) {
  detail::pack_operand(plan, a, true, out);
}
TREADLE_INLINE void pack_b(const GemmPlan& plan, const GemmOperand& b, void* out) {
  detail::pack_operand(plan, b, false, out);
}

TREADLE_INLINE void gemm(const GemmPlan& plan, const GemmOperand& a, const GemmOperand& b, void* c,
                         std::int64_t c_row_stride, std::int64_t c_column_stride,
                         const GemmEpilogue& epilogue, void* scratch, ParallelFor parallel_for) {
  TREADLE_ASSERT(a.is_packed == plan.packed_a && b.is_packed == plan.packed_b,
                 "operands are packed as planned");
  const bool done = detail::visit_gemm_float(plan.dtype, [&]<class Element, class T>(
                                                             TypeTag<Element>, TypeTag<T>) {
    detail::GemmDriver<Element, T>(plan, a, b, c, c_row_stride, c_column_stride, epilogue, scratch)
        .run(parallel_for);
  });
  if (done) return;
  detail::visit_gemm_any(plan.dtype, [&]<class Element>(TypeTag<Element>) {
    detail::gemm_any<Element>(plan, a, b, c, c_row_stride, c_column_stride, epilogue, parallel_for);
  });
}

namespace detail {
/// Batches run in this many pieces at most, each with its own workspace.
inline constexpr std::int64_t max_batch_pieces = 16;

constexpr GemmOperand shifted(GemmOperand operand, std::int64_t elements, DType dtype) noexcept {
  if (!operand.is_packed && !operand.pack)
    operand.data = static_cast<const std::byte*>(operand.data) +
                   elements * static_cast<std::int64_t>(size_of(dtype));
  return operand;
}
}  // namespace detail

TREADLE_INLINE std::size_t batched_scratch_bytes(const GemmPlan& plan, std::int64_t batch_count) {
  const std::int64_t pieces =
      detail::is_small_product(plan)
          ? std::clamp<std::int64_t>(batch_count, 1, detail::max_batch_pieces)
          : 1;
  return plan.scratch_bytes * static_cast<std::size_t>(pieces);
}

TREADLE_INLINE void gemm_batched(const GemmPlan& plan, const GemmBatch& batch, const GemmOperand& a,
                                 const GemmOperand& b, void* c, std::int64_t c_row_stride,
                                 std::int64_t c_column_stride, const GemmEpilogue& epilogue,
                                 void* scratch, ParallelFor parallel_for) {
  const auto size = static_cast<std::int64_t>(size_of(plan.dtype));
  const auto one = [&](std::int64_t i, std::byte* workspace, ParallelFor inner) {
    gemm(plan, detail::shifted(a, i * batch.a_stride, plan.dtype),
         detail::shifted(b, i * batch.b_stride, plan.dtype),
         static_cast<std::byte*>(c) + i * batch.c_stride * size, c_row_stride, c_column_stride,
         epilogue, workspace, inner);
  };
  auto* const workspace = static_cast<std::byte*>(scratch);
  if (batch.count <= 1 || !detail::is_small_product(plan)) {
    for (std::int64_t i = 0; i < batch.count; ++i) one(i, workspace, parallel_for);
    return;
  }
  const std::int64_t pieces = std::min(batch.count, detail::max_batch_pieces);
  const std::int64_t work = plan.m * plan.n * (plan.k + 1) * ((batch.count + pieces - 1) / pieces);
  parallel_for(
      pieces, std::max<std::int64_t>(1, 500000 / std::max<std::int64_t>(work, 1)),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p) {
          std::byte* const own =
              workspace ? workspace + static_cast<std::size_t>(p) * plan.scratch_bytes : nullptr;
          for (std::int64_t i = batch.count * p / pieces; i < batch.count * (p + 1) / pieces; ++i)
            one(i, own, ParallelFor());
        }
      });
}

}  // namespace treadle::inline v0::cpu
