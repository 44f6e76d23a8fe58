// A product of batches of strided matrices, planned for one set of layouts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/gemm/gemm.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// C[batch…, m, n] = A[batch…, m, k] · B[batch…, k, n]. Immutable once made; knows no addresses but
/// that of its own packed copy of a constant B.
class Product {
 public:
  /// Multiplies nothing.
  Product() noexcept = default;

  /// The three layouts have the same rank, at least 2, and the batch dimensions of A and B are 1 or
  /// those of C. `constant_b` is the tensor behind B if its contents never change, else null; `b`
  /// may be another view of it. Asks for scratch from `scratch_offset` on.
  [[nodiscard]] static Result<Product> make(PrepareContext<Backend>& context, const TensorMeta& a,
                                            const TensorMeta& b, const TensorMeta& c,
                                            const Tensor* constant_b = nullptr,
                                            std::size_t scratch_offset = 0);

  /// `epilogue.column_bias` belongs to the columns of C; there is no row bias. `scratch` is the
  /// run's workspace.
  void run(const ParallelFor& parallel_for, const void* a, const void* b, void* c,
           const GemmEpilogue& epilogue, std::byte* scratch) const;

 private:
  struct Loop {
    std::int64_t size = 1, a = 0, b = 0, c = 0;  ///< strides in elements
  };

  void add_loop(Loop loop);
  void fold_rows();
  void swap_sides() noexcept;
  [[nodiscard]] Status plan(PrepareContext<Backend>& context, const Tensor* constant_b);
  void run_all(const ParallelFor& parallel_for, const void* a, const void* b, void* c,
               const GemmEpilogue& epilogue, std::byte* scratch) const;
  void run_one(const ParallelFor& parallel_for, const GemmOperand& a, const GemmOperand& b, void* c,
               const GemmEpilogue& epilogue, std::byte* scratch) const;

  SmallVector<Loop, 3> loops_;  ///< around the products, outermost first
  std::int64_t m_ = 0, n_ = 0, k_ = 0;
  std::int64_t a_row_ = 0, a_column_ = 0, b_row_ = 0, b_column_ = 0, c_row_ = 0, c_column_ = 0;
  std::int64_t outer_ = 0;  ///< batches, 0 if there is nothing to compute
  bool swapped_ = false;    ///< computes Cᵀ = Bᵀ·Aᵀ
  GemmPlan plan_;
  GemmBatch batch_;
  std::size_t scratch_offset_ = 0;
  Storage packed_;
  std::int64_t item_ = 1;
};

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/linear/product-inl.hpp>
#endif
