// Kernels of indexing by tensors: `index`, `index_put`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/index/advanced_plan.hpp>
#include <treadle/cpu/index/masks.hpp>
#include <treadle/cpu/index/select.hpp>
#include <treadle/cpu/loops.hpp>
#include <treadle/cpu/movement/convert_copy.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// Turns indices into byte offsets. Any index will do where there is no element at any place; but
/// a dimension without elements has no place.
inline Status locate(const RunContext<Backend>& context, const SlabPlan& plan,
                     std::span<const std::byte* const> indices, std::int64_t* offsets) {
  BadIndex bad;
  if (plan.locate(indices, offsets, bad) || (plan.moves_nothing() && bad.bound > 0)) return {};
  return bad_index(context, bad);
}

/// The indices of a call: which are there, and whether masks among them make sizes depend on
/// elements.
struct IndexList {
  std::vector<std::optional<TensorMeta>> metas;
  std::vector<std::size_t> places;  ///< of the indices that are there
  bool has_masks = false;

  explicit IndexList(std::span<const TensorInfo<Backend>> infos) {
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (infos[i].is_none()) {
        metas.emplace_back();
        continue;
      }
      metas.emplace_back(infos[i].meta());
      places.push_back(i);
      has_masks |= is_mask(infos[i].dtype());
    }
  }
};

/// Indices at run time, where masks have become lists of positions.
struct FoundIndices {
  std::vector<std::vector<std::int64_t>> kept;
  std::vector<std::optional<TensorMeta>> metas;
  std::vector<const std::byte*> bytes;

  explicit FoundIndices(std::span<const Tensor* const> indices) {
    for (const auto* index : indices) {
      if (!index) {
        metas.emplace_back();
      } else if (!is_mask(index->dtype())) {
        metas.emplace_back(index->meta());
        bytes.push_back(index->bytes());
      } else {
        for (auto& list : mask_positions(*index)) {
          metas.emplace_back(make_meta(DType::int64, {static_cast<std::int64_t>(list.size())}));
          kept.push_back(std::move(list));
          bytes.push_back(reinterpret_cast<const std::byte*>(kept.back().data()));
        }
      }
    }
  }
};

/// A mask must have the sizes of the dimensions that it covers.
inline Status check_masks(RunContext<Backend>& context, const Tensor& self,
                          std::span<const Tensor* const> indices) {
  std::size_t at = 0;
  for (const auto* index : indices) {
    const std::size_t covered = index && is_mask(index->dtype()) ? index->rank() : 1;
    for (std::size_t i = 0; index && is_mask(index->dtype()) && i < covered; ++i)
      if (at + i >= self.rank() || index->sizes()[i] != self.sizes()[at + i])
        return context.fail("a mask of sizes ", index->sizes(), " does not fit sizes ",
                            self.sizes(), " at dimension ", at);
    at += covered;
  }
  return {};
}

}  // namespace detail

/// `index.Tensor`.
struct Index {
  struct Prepared {
    bool dynamic = false;
    SlabPlan plan;
    std::vector<std::size_t> places;
  };
  using Infos = std::span<const TensorInfo<Backend>>;
  using Indices = std::span<const Tensor* const>;

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           Infos indices, const TensorInfo<Backend>& out) const {
    const detail::IndexList list(indices);
    Prepared prepared{list.has_masks, {}, list.places};
    if (prepared.dynamic) return prepared;
    TREADLE_TRY(const auto advanced, AdvancedIndex::make(self.meta(), list.metas));
    TREADLE_TRY(prepared.plan, advanced.plan(out.meta(), true));
    context.request_scratch(prepared.plan.scratch_bytes());
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             Indices indices, Tensor& out) const {
    if (prepared.dynamic) return run_masked(context, self, indices, out);
    SmallVector<const std::byte*, 8> bytes;
    for (std::size_t place : prepared.places) bytes.push_back(indices[place]->bytes());
    return run_plan(prepared.plan, context, self, {bytes.data(), bytes.size()}, out,
                    detail::offsets_of(context));
  }

 private:
  static Status run_plan(const SlabPlan& plan, RunContext<Backend>& context, const Tensor& self,
                         std::span<const std::byte* const> indices, Tensor& out,
                         std::int64_t* offsets) {
    TREADLE_CHECK(detail::locate(context, plan, indices, offsets));
    plan.gather(context.parallel_for, self.bytes(), out.bytes(), offsets);
    return {};
  }
  static Status run_masked(RunContext<Backend>& context, const Tensor& self, Indices indices,
                           Tensor& out) {
    TREADLE_CHECK(detail::check_masks(context, self, indices));
    const detail::FoundIndices found(indices);
    TREADLE_TRY(const auto advanced, AdvancedIndex::make(self.meta(), found.metas));
    TREADLE_CHECK(context.allocate(out, make_meta(self.dtype(), advanced.sizes())));
    TREADLE_TRY(const auto plan, advanced.plan(out.meta(), true));
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(plan.places()));
    return run_plan(plan, context, self, found.bytes, out, offsets.data());
  }
};

/// `index_put`: `self` with the chosen places replaced by `values`, or with `values` added.
struct IndexPut {
  struct Prepared {
    bool dynamic = false;
    CopyPlan base;
    SlabPlan plan;
    std::vector<std::size_t> places;
    CombineRow add = nullptr;  ///< null: replace
    ConvertCopy convert;       ///< for a number of another dtype
    TensorMeta values;         ///< in the dtype of `self`
    bool converts = false;
    bool fills = false;  ///< one number goes where one mask says: no positions are needed
    LoopNest masked;     ///< the result, then the mask
  };
  using Infos = std::span<const TensorInfo<Backend>>;
  using Indices = std::span<const Tensor* const>;

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           Infos indices, const TensorInfo<Backend>& values, bool accumulate,
                           const TensorInfo<Backend>& out) const {
    const detail::IndexList list(indices);
    Prepared prepared;
    prepared.dynamic = list.has_masks;
    prepared.places = list.places;
    prepared.base = CopyPlan(self.meta(), out.meta());
    if (accumulate) prepared.add = combine_row(Combine::add, self.dtype());
    prepared.converts = values.dtype() != self.dtype();
    if ((prepared.converts && values.meta().rank() > 0) || (accumulate && !prepared.add))
      return context.fail("can't put ", name(values.dtype()), " into ", name(self.dtype()));
    prepared.values = values.meta();
    prepared.values.dtype = self.dtype();
    if (prepared.converts) {
      TREADLE_TRY(prepared.convert, ConvertCopy::make(values.meta(), prepared.values));
    }
    if (prepared.dynamic) {
      TREADLE_CHECK(prepare_fill(list, out.meta(), prepared));
      return prepared;
    }
    TREADLE_TRY(const auto advanced, AdvancedIndex::make(out.meta(), list.metas));
    TREADLE_TRY(prepared.plan, advanced.plan(prepared.values, false));
    context.request_scratch(prepared.plan.scratch_bytes());
    return prepared;
  }
  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           Infos indices, const TensorInfo<Backend>& values, bool accumulate, bool,
                           const TensorInfo<Backend>& out) const {
    return prepare(context, self, indices, values, accumulate, out);
  }

  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             Indices indices, const Tensor& values, Tensor& out) const {
    if (prepared.fills) {
      fill(prepared, context, self, *indices[prepared.places[0]], values, out);
      return {};
    }
    if (prepared.dynamic) return run_masked(prepared, context, self, indices, values, out);
    SmallVector<const std::byte*, 8> bytes;
    for (std::size_t place : prepared.places) bytes.push_back(indices[place]->bytes());
    return run_plan(prepared, prepared.plan, context, self, {bytes.data(), bytes.size()}, values,
                    out, detail::offsets_of(context));
  }

 private:
  static Status prepare_fill(const detail::IndexList& list, const TensorMeta& out,
                             Prepared& prepared) {
    if (list.places.size() != 1 || element_count(prepared.values) != 1 || prepared.add) return {};
    const std::size_t at = list.places[0];
    const TensorMeta& mask = *list.metas[at];
    if (at + mask.rank() > out.rank()) return {};
    TensorMeta wide = make_meta(mask.dtype, Dims(out.rank(), 1));
    for (std::size_t d = 0; d < mask.rank(); ++d) {
      if (mask.sizes[d] != out.sizes[at + d]) return {};
      wide.sizes[at + d] = mask.sizes[d];
      wide.strides[at + d] = mask.strides[d];
    }
    TREADLE_TRY(prepared.masked, make_nest({&out, &wide}));
    prepared.fills = true;
    return {};
  }
  static void fill(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
                   const Tensor& mask, const Tensor& values, Tensor& out) {
    alignas(16) std::byte number[16];
    const std::size_t size = size_of(out.dtype());
    if (prepared.converts)
      prepared.convert.run({}, values.bytes(), number);
    else
      std::memcpy(number, values.bytes(), size);
    detail::copy_self(prepared.base, context, self, out);
    std::byte* const bases[] = {out.bytes(), const_cast<std::byte*>(mask.bytes())};
    for_each_run(prepared.masked, bases, 0, prepared.masked.count,
                 [&](std::byte* const* p, const std::int64_t* strides, std::int64_t n) {
                   for (std::int64_t i = 0; i < n; ++i)
                     if (p[1][i * strides[1]] != std::byte{0})
                       std::memcpy(p[0] + i * strides[0], number, size);
                 });
  }
  static Status run_plan(const Prepared& prepared, const SlabPlan& plan,
                         RunContext<Backend>& context, const Tensor& self,
                         std::span<const std::byte* const> indices, const Tensor& values,
                         Tensor& out, std::int64_t* offsets) {
    TREADLE_CHECK(detail::locate(context, plan, indices, offsets));
    detail::copy_self(prepared.base, context, self, out);
    alignas(16) std::byte number[16];
    const std::byte* from = values.bytes();
    if (prepared.converts) {
      prepared.convert.run({}, from, number);
      from = number;
    }
    if (prepared.add)
      plan.combine(out.bytes(), from, offsets, prepared.add);
    else
      plan.scatter(out.bytes(), from, offsets);
    return {};
  }
  static Status run_masked(const Prepared& prepared, RunContext<Backend>& context,
                           const Tensor& self, Indices indices, const Tensor& values, Tensor& out) {
    TREADLE_CHECK(detail::check_masks(context, self, indices));
    const detail::FoundIndices found(indices);
    TREADLE_TRY(const auto advanced, AdvancedIndex::make(out.meta(), found.metas));
    TREADLE_TRY(const auto plan, advanced.plan(prepared.values, false));
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(plan.places()));
    return run_plan(prepared, plan, context, self, found.bytes, values, out, offsets.data());
  }
};

}  // namespace treadle::inline v0::cpu
