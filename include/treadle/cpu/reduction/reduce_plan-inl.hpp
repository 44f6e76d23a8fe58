// The loops of reductions.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include <treadle/cpu/reduction/reduce_plan.hpp>

namespace treadle::inline v0::cpu {

/// The results and the input without the reduced dimensions.
TREADLE_INLINE std::vector<TensorMeta> ReducePlan::kept_metas(const Request& request) const {
  std::vector<TensorMeta> metas;
  for (const auto& output : request.outputs) {
    TensorMeta meta = *output.meta;
    const bool keepdim = meta.rank() == request.input->rank();
    meta.sizes.clear();
    meta.strides.clear();
    std::size_t next = 0;
    for (std::size_t d = 0; d < request.mask.size(); ++d) {
      if (!request.mask[d]) {
        meta.sizes.push_back(request.input->sizes[d]);
        meta.strides.push_back(output.meta->strides[next]);
      }
      next += !request.mask[d] || keepdim;
    }
    metas.push_back(std::move(meta));
  }
  TensorMeta input = make_meta(request.input->dtype, {});
  for (std::size_t d = 0; d < request.mask.size(); ++d)
    if (!request.mask[d]) {
      input.sizes.push_back(request.input->sizes[d]);
      input.strides.push_back(request.input->strides[d]);
    }
  metas.push_back(std::move(input));
  return metas;
}

TREADLE_INLINE Status ReducePlan::prepare(PrepareContext<Backend>& context,
                                          const Request& request) {
  reducer_ = request.op->of(request.type);
  if (!reducer_.is_defined())
    return context.fail("the reduction is not defined for ", name(request.input->dtype));
  parameters_ = request.parameters;
  parameters_.math = &simd::vector_reductions(simd::detect());
  input_slot_ = request.input_slot;
  const auto metas = kept_metas(request);
  std::vector<const TensorMeta*> operands;
  for (const auto& meta : metas) operands.push_back(&meta);
  TREADLE_TRY(kept_, make_nest(std::span<const TensorMeta* const>(operands)));
  TensorMeta input = make_meta(request.input->dtype, {});
  for (std::size_t d = 0; d < request.mask.size(); ++d)
    if (request.mask[d]) {
      input.sizes.push_back(request.input->sizes[d]);
      input.strides.push_back(request.input->strides[d]);
    }
  const auto order = make_meta(DType::uint8, input.sizes);
  TREADLE_TRY(reduced_, make_nest({request.ordered ? &order : &input, &input}));
  parameters_.count = reduced_.count;
  for (const auto& output : request.outputs) {
    const auto store = store_loop(reducer_.result_types[output.source], output.meta->dtype);
    if (!store) return context.fail("results can't be stored as ", name(output.meta->dtype));
    results_[result_count_++] = {output.slot, output.source, store};
  }
  load_ = load_loop(request.input->dtype, request.type);
  if (!load_) return context.fail("elements can't be read from ", name(request.input->dtype));
  element_size_ = size_of(request.type);
  same_type_ = request.input->dtype == stored_dtype(request.type);
  dense_ = same_type_ && reduced_.is_dense(1, request.input->dtype);
  by_rows_ = reducer_.fold_rows && reducer_.accumulator_size <= 16 && kept_.count > 1 &&
             kept_.is_dense(result_count_, request.input->dtype) &&
             !(reduced_.is_dense(1, request.input->dtype) && reduced_.sizes[0] > 16);
  grain_ = std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(1, reduced_.count));
  if (by_rows_) grain_ = std::max(grain_, tile);
  return {};
}

TREADLE_INLINE void ReducePlan::fold_run(void* state, const std::byte* input, std::int64_t stride,
                                         std::int64_t n) const {
  alignas(64) std::byte buffer[static_cast<std::size_t>(chunk_elements) * 16];
  while (n > 0) {
    const std::int64_t m = std::min(n, chunk_elements);
    const std::byte* elements = input;
    if (!dense_) {
      load_(input, stride, buffer, static_cast<std::int64_t>(element_size_), m);
      elements = buffer;
    }
    reducer_.fold(parameters_, state, elements, m);
    input += m * stride;
    n -= m;
  }
}

TREADLE_INLINE void ReducePlan::fold_one(std::byte* input, void* state) const {
  reducer_.start(state);
  if (reduced_.sizes.size() == 1)
    return fold_run(state, input, reduced_.inner_strides[1], reduced_.count);
  std::byte* const bases[] = {input, input};
  for_each_run(reduced_, bases, 0, reduced_.count,
               [&](std::byte* const* p, const std::int64_t* strides, std::int64_t n) {
                 fold_run(state, p[1], strides[1], n);
               });
}

TREADLE_INLINE void ReducePlan::finish_one(const void* state, std::byte* const* results) const {
  alignas(16) std::byte values[2][16];
  reducer_.finish(parameters_, state, values[0], values[1]);
  for (std::size_t r = 0; r < result_count_; ++r)
    results_[r].store(values[results_[r].source], 16, results[r], 16, 1);
}

/// Adds up neighbouring results row by row, so that the input is read in its own order.
TREADLE_INLINE void ReducePlan::reduce_tile(std::byte* const* pointers, const std::int64_t* strides,
                                            std::int64_t n) const {
  alignas(64) std::byte states[static_cast<std::size_t>(tile) * 16];
  alignas(64) std::byte buffer[static_cast<std::size_t>(tile) * 16];
  const std::size_t size = reducer_.accumulator_size;
  for (std::int64_t i = 0; i < n; ++i) reducer_.start(states + static_cast<std::size_t>(i) * size);
  std::byte* const input = pointers[result_count_];
  const std::int64_t stride = strides[result_count_];
  const bool direct = stride == static_cast<std::int64_t>(element_size_) && same_type_;
  std::byte* const bases[] = {input, input};
  for_each_run(reduced_, bases, 0, reduced_.count,
               [&](std::byte* const* p, const std::int64_t* steps, std::int64_t rows) {
                 if (direct)
                   return reducer_.fold_rows(parameters_, states, p[1], steps[1], rows, n);
                 for (std::int64_t r = 0; r < rows; ++r) {
                   load_(p[1] + r * steps[1], stride, buffer,
                         static_cast<std::int64_t>(element_size_), n);
                   reducer_.fold_rows(parameters_, states, buffer, 0, 1, n);
                 }
               });
  for (std::int64_t i = 0; i < n; ++i) {
    std::byte* results[2] = {};
    for (std::size_t r = 0; r < result_count_; ++r) results[r] = pointers[r] + i * strides[r];
    finish_one(states + static_cast<std::size_t>(i) * size, results);
  }
}

TREADLE_INLINE void ReducePlan::reduce_range(std::byte* const* bases, std::int64_t begin,
                                             std::int64_t end) const {
  for_each_run(kept_, bases, begin, end,
               [&](std::byte* const* p, const std::int64_t* strides, std::int64_t n) {
                 std::byte* at[3] = {p[0], p[1], p[2]};
                 const std::int64_t step = by_rows_ ? tile : 1;
                 for (std::int64_t i = 0; i < n; i += step) {
                   for (std::size_t k = 0; k < kept_.operands; ++k) at[k] = p[k] + i * strides[k];
                   if (by_rows_) {
                     reduce_tile(at, strides, std::min(tile, n - i));
                     continue;
                   }
                   alignas(16) ReduceState state;
                   fold_one(at[result_count_], state.data());
                   finish_one(state.data(), at);
                 }
               });
}

TREADLE_INLINE Status ReducePlan::run(RunContext<Backend>& context, Tensor* const* tensors) const {
  std::byte* bases[3] = {};
  for (std::size_t r = 0; r < result_count_; ++r) bases[r] = tensors[results_[r].slot]->bytes();
  bases[result_count_] = tensors[input_slot_]->bytes();
  context.parallel_for(kept_.count, grain_, [&](std::int64_t begin, std::int64_t end) {
    reduce_range(bases, begin, end);
  });
  return {};
}

}  // namespace treadle::inline v0::cpu
