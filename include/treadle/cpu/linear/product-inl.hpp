// Planning and running of batched products.
#pragma once

#include <utility>

#include <treadle/cpu/linear/product.hpp>
#include <treadle/cpu/shared_pack.hpp>

namespace treadle::inline v0::cpu {

/// Appends a batch loop, merged with the one around it where every operand steps evenly.
TREADLE_INLINE void Product::add_loop(Loop loop) {
  if (loop.size == 1) return;
  if (!loops_.empty()) {
    Loop& outer = loops_.back();
    if (outer.a == loop.a * loop.size && outer.b == loop.b * loop.size &&
        outer.c == loop.c * loop.size) {
      loop.size *= outer.size;
      outer = loop;
      return;
    }
  }
  loops_.push_back(loop);
}

/// Turns the innermost loops into rows where all their products have the same B.
TREADLE_INLINE void Product::fold_rows() {
  while (!loops_.empty()) {
    const Loop& inner = loops_.back();
    if (inner.b != 0) return;
    if (m_ == 1) {
      a_row_ = inner.a;
      c_row_ = inner.c;
    } else if (inner.a != a_row_ * m_ || inner.c != c_row_ * m_) {
      return;
    }
    m_ *= inner.size;
    loops_.pop_back();
  }
}

TREADLE_INLINE void Product::swap_sides() noexcept {
  std::swap(m_, n_);
  std::swap(a_row_, b_column_);
  std::swap(a_column_, b_row_);
  std::swap(c_row_, c_column_);
  for (auto& loop : loops_) std::swap(loop.a, loop.b);
  swapped_ = true;
}

TREADLE_INLINE Result<Product> Product::make(PrepareContext<Backend>& context, const TensorMeta& a,
                                             const TensorMeta& b, const TensorMeta& c,
                                             const Tensor* constant_b, std::size_t scratch_offset) {
  Product product;
  const std::size_t batch = c.rank() - 2;
  product.m_ = c.sizes[batch];
  product.n_ = c.sizes[batch + 1];
  product.k_ = a.sizes[batch + 1];
  product.a_row_ = a.strides[batch], product.a_column_ = a.strides[batch + 1];
  product.b_row_ = b.strides[batch], product.b_column_ = b.strides[batch + 1];
  product.c_row_ = c.strides[batch], product.c_column_ = c.strides[batch + 1];
  product.item_ = static_cast<std::int64_t>(size_of(c.dtype));
  product.scratch_offset_ = scratch_offset;
  if (a.sizes[batch] != product.m_ || b.sizes[batch] != product.k_ ||
      b.sizes[batch + 1] != product.n_ || a.dtype != c.dtype || b.dtype != c.dtype)
    return context.fail("can't multiply ", to_string(a), " with ", to_string(b), " to ",
                        to_string(c));
  for (std::size_t i = 0; i < batch; ++i) {
    product.add_loop({c.sizes[i], a.sizes[i] == 1 ? 0 : a.strides[i],
                      b.sizes[i] == 1 ? 0 : b.strides[i], c.strides[i]});
  }
  product.plan_.dtype = c.dtype;
  TREADLE_CHECK(product.plan(context, constant_b));
  return product;
}

TREADLE_INLINE Status Product::plan(PrepareContext<Backend>& context, const Tensor* constant_b) {
  // Bools of an outer product multiply like numbers.
  const bool is_outer_bool = plan_.dtype == DType::bool_ && k_ == 1;
  const DType dtype = is_outer_bool ? DType::uint8 : plan_.dtype;
  fold_rows();
  // A single column is better computed as a row, and a C that lies by columns as its transpose.
  const bool lies_by_columns = c_column_ != 1 && c_row_ == 1 && m_ > 1 && n_ > 1;
  if ((n_ == 1 && m_ > 1) || lies_by_columns) swap_sides();
  // A large B that is read once for a single row, column by column, is as fast where it lies.
  constexpr std::int64_t large = std::int64_t{1} << 22;
  const bool streams = m_ == 1 && b_row_ == 1 && n_ * k_ * item_ >= large;
  const bool packs = constant_b && loops_.empty() && !swapped_ && n_ > 0 && k_ > 0 && !streams;
  GemmOptions options;
  options.packed_b = packs;
  plan_ = make_gemm_plan(dtype, m_, n_, k_, options);
  if (!plan_.is_supported) return context.fail("there is no product of ", name(dtype), " matrices");
  if (packs) {
    const std::string key = concat("gemm b ", name(dtype), ' ', static_cast<int>(plan_.target), ' ',
                                   n_, ' ', k_, ' ', b_row_, ' ', b_column_);
    TREADLE_TRY(packed_,
                shared_pack(context, *constant_b, key, packed_b_bytes(plan_), [&](std::byte* to) {
                  pack_b(plan_, {constant_b->bytes(), b_row_, b_column_, false, nullptr}, to);
                  return Status();
                }));
  }
  batch_.count = 1;
  if (!loops_.empty()) {
    const Loop& inner = loops_.back();
    batch_ = {inner.size, inner.a, inner.b, inner.c};
    loops_.pop_back();
  }
  outer_ = m_ == 0 || n_ == 0 || batch_.count == 0 ? 0 : 1;
  for (const auto& loop : loops_) outer_ *= loop.size;
  context.request_scratch(scratch_offset_ + batched_scratch_bytes(plan_, batch_.count));
  return {};
}

TREADLE_INLINE void Product::run_one(const ParallelFor& parallel_for, const GemmOperand& a,
                                     const GemmOperand& b, void* c, const GemmEpilogue& epilogue,
                                     std::byte* scratch) const {
  if (batch_.count == 1)
    gemm(plan_, a, b, c, c_row_, c_column_, epilogue, scratch, parallel_for);
  else
    gemm_batched(plan_, batch_, a, b, c, c_row_, c_column_, epilogue, scratch, parallel_for);
}

TREADLE_INLINE void Product::run(const ParallelFor& parallel_for, const void* a, const void* b,
                                 void* c, const GemmEpilogue& epilogue, std::byte* scratch) const {
  if (outer_ == 0) return;
  scratch = scratch ? scratch + scratch_offset_ : nullptr;
  if (swapped_) {
    GemmEpilogue turned = epilogue;
    std::swap(turned.row_bias, turned.column_bias);
    return run_all(parallel_for, b, a, c, turned, scratch);
  }
  run_all(parallel_for, a, b, c, epilogue, scratch);
}

TREADLE_INLINE void Product::run_all(const ParallelFor& parallel_for, const void* a, const void* b,
                                     void* c, const GemmEpilogue& epilogue,
                                     std::byte* scratch) const {
  GemmOperand left{a, a_row_, a_column_, false, nullptr};
  GemmOperand right = packed_.bytes() ? GemmOperand::packed(packed_.bytes())
                                      : GemmOperand{b, b_row_, b_column_, false, nullptr};
  if (loops_.empty()) return run_one(parallel_for, left, right, c, epilogue, scratch);
  for (std::int64_t i = 0; i < outer_; ++i) {
    std::int64_t rest = i, at_a = 0, at_b = 0, at_c = 0;
    for (std::size_t l = loops_.size(); l-- > 0;) {
      const std::int64_t position = rest % loops_[l].size;
      rest /= loops_[l].size;
      at_a += position * loops_[l].a, at_b += position * loops_[l].b,
          at_c += position * loops_[l].c;
    }
    left.data = static_cast<const std::byte*>(a) + at_a * item_;
    right.data = static_cast<const std::byte*>(b) + at_b * item_;
    run_one(parallel_for, left, right, static_cast<std::byte*>(c) + at_c * item_, epilogue,
            scratch);
  }
}

}  // namespace treadle::inline v0::cpu
