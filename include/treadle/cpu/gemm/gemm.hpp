// Matrix multiplication of strided matrices on raw memory, planned once and run often.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/config.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/cpu/gemm/gemm_plan.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu {

/// Plans C[m×n] = A[m×k] · B[k×n]. Dtypes: float32 and float64 by vectorised micro-kernels; float16
/// and bfloat16 through float32; integers (wrapping, as PyTorch's) and complex64/128 by blocked
/// loops. Sizes are at least 0. Blocking after Goto & van de Geijn (2008) and Van Zee & van de
/// Geijn (2015).
[[nodiscard]] GemmPlan make_gemm_plan(DType dtype, std::int64_t m, std::int64_t n, std::int64_t k,
                                      const GemmOptions& options = {});

/// Workspace that suffices for every product of unpacked operands that is in no size larger than
/// this one, for kernels that learn the sizes in a run.
[[nodiscard]] std::size_t largest_gemm_scratch(DType dtype, std::int64_t m, std::int64_t n,
                                               std::int64_t k);

/// Bytes of A or B as panels: what `pack_a`/`pack_b` write.
[[nodiscard]] std::size_t packed_a_bytes(const GemmPlan& plan);
[[nodiscard]] std::size_t packed_b_bytes(const GemmPlan& plan);

/// Packs a constant operand. `out` is aligned to `gemm_alignment`.
void pack_a(const GemmPlan& plan, const GemmOperand& a, void* out);
void pack_b(const GemmPlan& plan, const GemmOperand& b, void* out);

/// Multiplies. C is `c` with `c_row_stride` elements from row to row and `c_column_stride` from
/// column to column (1 is fast); it overlaps neither input. `scratch` holds `plan.scratch_bytes`
/// (may be null when that is 0). Allocates nothing. The bits of the result do not depend on the
/// scheduler: work is split over blocks of C of fixed size, never along k.
void gemm(const GemmPlan& plan, const GemmOperand& a, const GemmOperand& b, void* c,
          std::int64_t c_row_stride, std::int64_t c_column_stride, const GemmEpilogue& epilogue,
          void* scratch, ParallelFor parallel_for);

/// Workspace of `gemm_batched`.
[[nodiscard]] std::size_t batched_scratch_bytes(const GemmPlan& plan, std::int64_t batch_count);

/// Multiplies a batch, in parallel over matrices when they are small, inside each when large.
void gemm_batched(const GemmPlan& plan, const GemmBatch& batch, const GemmOperand& a,
                  const GemmOperand& b, void* c, std::int64_t c_row_stride,
                  std::int64_t c_column_stride, const GemmEpilogue& epilogue, void* scratch,
                  ParallelFor parallel_for);

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/gemm/gemm-inl.hpp>
#endif
