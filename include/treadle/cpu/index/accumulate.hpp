// Kernels that add to, reduce into or fill positions along one dimension.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/index/scatter.hpp>
#include <treadle/cpu/index/select.hpp>
#include <treadle/cpu/movement/convert_copy.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// `index_add`: adds `alpha` times `source`.
struct IndexAdd {
  struct Prepared {
    CopyPlan base;
    SlabPlan plan;
    CombineRow add = nullptr;
    CombineRow scale = nullptr;  ///< null: alpha is 1
    alignas(16) std::array<std::byte, 16> alpha{};
    CopyPlan pack;
    std::int64_t count = 0;
    std::size_t offsets = 0;  ///< bytes of scratch before the scaled source
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           std::int64_t dim, const TensorInfo<Backend>& index,
                           const TensorInfo<Backend>& source, const Scalar& alpha,
                           const TensorInfo<Backend>& out) const {
    TREADLE_TRY(const std::size_t d, detail::wrap(context, dim, self.meta().rank()));
    const TensorMeta target = detail::at_least_1d(out.meta());
    TensorMeta from = source.meta();
    if (from.rank() == 0) from.sizes = from.strides = Dims(target.rank(), 1);
    Prepared prepared;
    prepared.base = CopyPlan(self.meta(), out.meta());
    prepared.add = combine_row(Combine::add, out.dtype());
    if (!prepared.add) return context.fail("can't add elements of ", name(out.dtype()));
    if (alpha.to_complex() != std::complex<double>(1)) {
      store_element(alpha, out.dtype(), prepared.alpha.data());
      prepared.scale = combine_row(Combine::multiply, out.dtype());
      const TensorMeta packed = make_meta(from.dtype, from.sizes);
      prepared.pack = CopyPlan(from, packed);
      from = packed;
    }
    prepared.count = element_count(from);
    prepared.plan = detail::plan_along(target, from, d, index.meta(), false);
    prepared.offsets = (prepared.plan.scratch_bytes() + 63) / 64 * 64;
    const auto scaled = static_cast<std::size_t>(prepared.count) * size_of(out.dtype());
    context.request_scratch(prepared.offsets + (prepared.scale ? scaled : 0));
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& index, const Tensor& source, Tensor& out) const {
    auto* offsets = detail::offsets_of(context);
    const std::byte* indices[] = {index.bytes()};
    BadIndex bad;
    if (!prepared.plan.locate(indices, offsets, bad)) return detail::bad_index(context, bad);
    const std::byte* from = source.bytes();
    if (prepared.scale) {
      auto* packed = context.scratch() + prepared.offsets;
      prepared.pack.run(context.parallel_for, from, packed);
      prepared.scale(packed, static_cast<std::int64_t>(size_of(out.dtype())), prepared.alpha.data(),
                     0, prepared.count);
      from = packed;
    }
    detail::copy_self(prepared.base, context, self, out);
    prepared.plan.combine(out.bytes(), from, offsets, prepared.add);
    return {};
  }
};

/// `index_fill` with a number or a 0-d tensor.
struct IndexFill {
  struct Prepared {
    CopyPlan base;
    SlabPlan plan;
    ConvertCopy convert;
    alignas(16) std::array<std::byte, 16> number{};
  };
  using Info = TensorInfo<Backend>;

  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& self, std::int64_t dim,
                           const Info& index, const Scalar& value, const Info& out) const {
    TREADLE_TRY(auto prepared, make(context, self, dim, index, out));
    if (!store_element(value, out.dtype(), prepared.number.data()))
      return context.fail("can't store a number as ", name(out.dtype()));
    return prepared;
  }
  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& self, std::int64_t dim,
                           const Info& index, const Info& value, const Info& out) const {
    if (value.meta().rank() != 0)
      return context.fail("'value' must have no dimensions, found ", value.meta().sizes);
    TREADLE_TRY(auto prepared, make(context, self, dim, index, out));
    TREADLE_TRY(prepared.convert, ConvertCopy::make(value.meta(), make_meta(out.dtype(), {})));
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& index, Tensor& out) const {
    return fill(prepared, context, self, index, prepared.number.data(), out);
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& index, const Tensor& value, Tensor& out) const {
    alignas(16) std::byte number[16];
    prepared.convert.run({}, value.bytes(), number);
    return fill(prepared, context, self, index, number, out);
  }

 private:
  static Result<Prepared> make(PrepareContext<Backend>& context, const Info& self, std::int64_t dim,
                               const Info& index, const Info& out) {
    TREADLE_TRY(const std::size_t d, detail::wrap(context, dim, self.meta().rank()));
    const TensorMeta target = detail::at_least_1d(out.meta());
    Prepared prepared;
    prepared.base = CopyPlan(self.meta(), out.meta());
    prepared.plan = detail::plan_along(target, detail::constant_meta(target, out.dtype()), d,
                                       index.meta(), false);
    for (auto& reader : prepared.plan.readers) reader.wraps = true;
    context.request_scratch(prepared.plan.scratch_bytes());
    return prepared;
  }
  static Status fill(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
                     const Tensor& index, const std::byte* number, Tensor& out) {
    auto* offsets = detail::offsets_of(context);
    const std::byte* indices[] = {index.bytes()};
    BadIndex bad;
    if (!prepared.plan.locate(indices, offsets, bad)) return detail::bad_index(context, bad);
    detail::copy_self(prepared.base, context, self, out);
    prepared.plan.scatter(out.bytes(), number, offsets);
    return {};
  }
};

/// `index_reduce`.
struct IndexReduce {
  struct Prepared {
    CopyPlan base;
    SlabPlan plan, reset;
    CombineRow row = nullptr, replace = nullptr;
    DivideElement divide = nullptr;
    bool include_self = true;
    alignas(16) std::array<std::byte, 16> identity{};
    TensorMeta out;
    std::size_t dim = 0;
    std::int64_t stride = 0;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           std::int64_t dim, const TensorInfo<Backend>& index,
                           const TensorInfo<Backend>& source, std::string_view reduce,
                           bool include_self, const TensorInfo<Backend>& out) const {
    TREADLE_TRY(const std::size_t d, detail::wrap(context, dim, self.meta().rank()));
    const auto reduction = detail::parse_reduction(reduce);
    if (!reduction) return context.fail("unknown reduction '", reduce, "'");
    Prepared prepared;
    prepared.out = detail::at_least_1d(out.meta());
    TensorMeta from = source.meta();
    if (from.rank() == 0) from.sizes = from.strides = Dims(prepared.out.rank(), 1);
    prepared.base = CopyPlan(self.meta(), out.meta());
    prepared.plan = detail::plan_along(prepared.out, from, d, index.meta(), false);
    prepared.reset = detail::plan_along(
        prepared.out, detail::constant_meta(prepared.out, out.dtype()), d, index.meta(), false);
    prepared.row = combine_row(reduction->how, out.dtype());
    prepared.replace = combine_row(Combine::replace, out.dtype());
    if (!prepared.row) return context.fail("can't combine elements of ", name(out.dtype()));
    prepared.include_self = include_self;
    prepared.dim = d;
    store_identity(reduction->how, out.dtype(), prepared.identity.data());
    if (reduction->mean) prepared.divide = divide_element(out.dtype());
    prepared.stride = CopyPlan::byte_strides(prepared.out)[d];
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
    if (!prepared.include_self)
      prepared.reset.combine(out.bytes(), prepared.identity.data(), offsets, prepared.replace);
    prepared.plan.combine(out.bytes(), source.bytes(), offsets, prepared.row);
    if (prepared.divide) divide(prepared, offsets, out);
    return {};
  }

 private:
  /// Divides each position that was reduced into by how many elements it holds.
  static void divide(const Prepared& prepared, const std::int64_t* offsets, Tensor& out) {
    const TensorMeta& meta = prepared.out;
    for (std::int64_t position = 0; position < meta.sizes[prepared.dim]; ++position) {
      std::int64_t count = prepared.include_self ? 1 : 0;
      for (std::int64_t j = 0; j < prepared.plan.places(); ++j)
        if (offsets[j] == position * prepared.stride) ++count;
      if (count < 2) continue;
      TensorMeta part = meta;
      part.sizes[prepared.dim] = 1;
      const auto item = static_cast<std::int64_t>(size_of(meta.dtype));
      for (std::int64_t n = 0; n < element_count(part); ++n) {
        std::int64_t rest = n, offset = position * prepared.stride;
        for (std::size_t i = part.rank(); i-- > 0;) {
          offset += rest % part.sizes[i] * part.strides[i] * item;
          rest /= part.sizes[i];
        }
        prepared.divide(out.bytes() + offset, count);
      }
    }
  }
};

}  // namespace treadle::inline v0::cpu
