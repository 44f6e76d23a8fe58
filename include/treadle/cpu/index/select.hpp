// Kernels that index along one dimension with a list of positions.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/index/slab_plan.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

inline Error bad_index(const RunContext<Backend>& context, const BadIndex& bad) {
  return context.fail("index ", bad.index, " is out of bounds for dimension ", bad.dim, " of size ",
                      bad.bound);
}

inline Result<std::size_t> wrap(const PrepareContext<Backend>& context, std::int64_t dim,
                                std::size_t rank) {
  const auto bound = static_cast<std::int64_t>(rank == 0 ? 1 : rank);
  if (dim < -bound || dim >= bound) return context.fail("dimension ", dim, " is out of range");
  return static_cast<std::size_t>(dim < 0 ? dim + bound : dim);
}

/// A 0-d tensor as one of one dimension.
inline TensorMeta at_least_1d(TensorMeta meta) {
  if (meta.rank() > 0) return meta;
  meta.sizes = {1};
  meta.strides = {1};
  return meta;
}

/// The plan for dimension `dim` of `indexed`, where `dense` has one position an index.
inline SlabPlan plan_along(const TensorMeta& indexed, const TensorMeta& dense, std::size_t dim,
                           const TensorMeta& index, bool to_dense) {
  SlabPlan plan;
  plan.item = size_of(indexed.dtype);
  const Dims indexed_strides = CopyPlan::byte_strides(indexed);
  const Dims dense_strides = CopyPlan::byte_strides(dense);
  for (std::size_t i = 0; i < indexed.rank(); ++i) {
    if (i == dim) continue;
    (i < dim ? plan.before : plan.after).push_back(indexed.sizes[i]);
    (i < dim ? plan.before_indexed : plan.after_indexed).push_back(indexed_strides[i]);
    (i < dim ? plan.before_dense : plan.after_dense).push_back(dense_strides[i]);
  }
  const TensorMeta flat = at_least_1d(index);
  plan.common = flat.sizes;
  plan.common_dense = {dense_strides[dim]};
  plan.readers.push_back(
      {index.dtype, flat.strides, indexed.sizes[dim], indexed_strides[dim], dim, false});
  plan.finish(to_dense);
  return plan;
}

inline std::int64_t* offsets_of(RunContext<Backend>& context) {
  return reinterpret_cast<std::int64_t*>(context.scratch());
}

/// Copies `self` to `out` unless they are the same memory.
inline void copy_self(const CopyPlan& plan, RunContext<Backend>& context, const Tensor& self,
                      Tensor& out) {
  if (self.bytes() != out.bytes()) plan.run(context.parallel_for, self.bytes(), out.bytes());
}

}  // namespace detail

/// `index_select`.
struct IndexSelect {
  using Prepared = SlabPlan;

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           std::int64_t dim, const TensorInfo<Backend>& index,
                           const TensorInfo<Backend>& out) const {
    TREADLE_TRY(const std::size_t d, detail::wrap(context, dim, self.meta().rank()));
    auto plan = detail::plan_along(detail::at_least_1d(self.meta()),
                                   detail::at_least_1d(out.meta()), d, index.meta(), true);
    context.request_scratch(plan.scratch_bytes());
    return plan;
  }
  Status run(const Prepared& plan, RunContext<Backend>& context, const Tensor& self,
             const Tensor& index, Tensor& out) const {
    auto* offsets = detail::offsets_of(context);
    const std::byte* indices[] = {index.bytes()};
    BadIndex bad;
    if (!plan.locate(indices, offsets, bad)) return detail::bad_index(context, bad);
    plan.gather(context.parallel_for, self.bytes(), out.bytes(), offsets);
    return {};
  }
};

/// `embedding`: rows of a table.
struct Embedding {
  using Prepared = SlabPlan;

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& weight,
                           const TensorInfo<Backend>& indices, std::int64_t, bool, bool,
                           const TensorInfo<Backend>& out) const {
    if (weight.meta().rank() != 2)
      return context.fail("'weight' must have 2 dimensions, found ", weight.meta().rank());
    const Dims from = CopyPlan::byte_strides(weight.meta());
    Dims to = CopyPlan::byte_strides(out.meta());
    SlabPlan plan;
    plan.item = size_of(weight.dtype());
    plan.after = {weight.meta().sizes[1]};
    plan.after_indexed = {from[1]};
    plan.after_dense = {to.back()};
    to.pop_back();
    plan.common = indices.meta().sizes;
    plan.common_dense = std::move(to);
    plan.readers.push_back(
        {indices.dtype(), indices.meta().strides, weight.meta().sizes[0], from[0], 0, false});
    plan.finish(true);
    context.request_scratch(plan.scratch_bytes());
    return plan;
  }
  Status run(const Prepared& plan, RunContext<Backend>& context, const Tensor& weight,
             const Tensor& indices, Tensor& out) const {
    auto* offsets = detail::offsets_of(context);
    const std::byte* list[] = {indices.bytes()};
    BadIndex bad;
    if (!plan.locate(list, offsets, bad)) return detail::bad_index(context, bad);
    plan.gather(context.parallel_for, weight.bytes(), out.bytes(), offsets);
    return {};
  }
};

/// `index_copy`: `self` with the chosen positions replaced by those of `source`.
struct IndexCopy {
  struct Prepared {
    CopyPlan base;
    SlabPlan plan;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           std::int64_t dim, const TensorInfo<Backend>& index,
                           const TensorInfo<Backend>& source,
                           const TensorInfo<Backend>& out) const {
    TREADLE_TRY(const std::size_t d, detail::wrap(context, dim, self.meta().rank()));
    const TensorMeta target = detail::at_least_1d(out.meta());
    TensorMeta from = source.meta();
    if (from.rank() == 0) {
      from.sizes = Dims(target.rank(), 1);
      from.strides = Dims(target.rank(), 1);
    }
    Prepared prepared{CopyPlan(self.meta(), out.meta()),
                      detail::plan_along(target, from, d, index.meta(), false)};
    context.request_scratch(prepared.plan.scratch_bytes());
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& index, const Tensor& source, Tensor& out) const {
    auto* offsets = detail::offsets_of(context);
    const std::byte* indices[] = {index.bytes()};
    BadIndex bad;
    if (!prepared.plan.locate(indices, offsets, bad)) return detail::bad_index(context, bad);
    detail::copy_self(prepared.base, context, self, out);
    prepared.plan.scatter(out.bytes(), source.bytes(), offsets);
    return {};
  }
};

}  // namespace treadle::inline v0::cpu
