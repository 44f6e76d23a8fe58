// Kernels of gather, scatter and their reducing forms.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/index/along_plan.hpp>
#include <treadle/cpu/index/select.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// A reduction by name: how elements combine, and whether their mean is wanted.
struct Reduction {
  Combine how = Combine::replace;
  bool mean = false;
};

inline std::optional<Reduction> parse_reduction(std::string_view name) {
  if (name == "add" || name == "sum") return Reduction{Combine::add, false};
  if (name == "multiply" || name == "prod") return Reduction{Combine::multiply, false};
  if (name == "mean") return Reduction{Combine::add, true};
  if (name == "amax") return Reduction{Combine::largest, false};
  if (name == "amin") return Reduction{Combine::smallest, false};
  return std::nullopt;
}

/// `meta` with all strides 0: one element everywhere.
inline TensorMeta constant_meta(const TensorMeta& like, DType dtype) {
  TensorMeta meta = like;
  meta.dtype = dtype;
  meta.strides = Dims(meta.rank(), 0);
  return meta;
}

}  // namespace detail

/// `gather`.
struct Gather {
  struct Prepared {
    AlongPlan plan;
    GatherLoop loop = nullptr;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           std::int64_t dim, const TensorInfo<Backend>& index, bool,
                           const TensorInfo<Backend>& out) const {
    TREADLE_TRY(const std::size_t d, detail::wrap(context, dim, self.meta().rank()));
    const TensorMeta places = detail::at_least_1d(index.meta());
    return Prepared{
        AlongPlan(detail::at_least_1d(self.meta()), places, detail::at_least_1d(out.meta()), d),
        gather_loop(self.dtype())};
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& index, Tensor& out) const {
    BadIndex bad;
    if (!prepared.plan.run(
            context.parallel_for, self.bytes(), index.bytes(), out.bytes(), bad,
            [&](const ScatterRow& row, std::byte* dense) { return prepared.loop(row, dense); }))
      return detail::bad_index(context, bad);
    return {};
  }
};

/// `scatter`, `scatter_add`, `scatter_reduce`, all overloads.
struct Scatter {
  Combine how = Combine::replace;

  struct Prepared {
    CopyPlan base;
    AlongPlan plan, reset, count;  ///< from the source, from one element, into counts
    ScatterLoop loop = nullptr, replace = nullptr, add_count = nullptr;
    DivideElement divide = nullptr;  ///< set for means
    bool from_number = false, resets = false, include_self = true;
    alignas(16) std::array<std::byte, 16> number{};
    std::int64_t elements = 0;
    std::int64_t item = 0;
    TensorMeta out;
  };
  using Info = TensorInfo<Backend>;
  using Prepare = PrepareContext<Backend>;

  /// `src`, with `reduce` or not.
  Result<Prepared> prepare(Prepare& context, const Info& self, std::int64_t dim, const Info& index,
                           const Info& src, const Info& out) const {
    return make(context, self, dim, index, src.meta(), {how, false}, true, out.meta());
  }
  Result<Prepared> prepare(Prepare& context, const Info& self, std::int64_t dim, const Info& index,
                           const Info& src, std::string_view reduce, const Info& out) const {
    return prepare(context, self, dim, index, src, reduce, true, out);
  }
  Result<Prepared> prepare(Prepare& context, const Info& self, std::int64_t dim, const Info& index,
                           const Info& src, std::string_view reduce, bool include_self,
                           const Info& out) const {
    const auto reduction = detail::parse_reduction(reduce);
    if (!reduction) return context.fail("unknown reduction '", reduce, "'");
    return make(context, self, dim, index, src.meta(), *reduction, include_self, out.meta());
  }
  /// `value`, with `reduce` or not.
  Result<Prepared> prepare(Prepare& context, const Info& self, std::int64_t dim, const Info& index,
                           const Scalar& value, const Info& out) const {
    return make_number(context, self, dim, index, value, {how, false}, out);
  }
  Result<Prepared> prepare(Prepare& context, const Info& self, std::int64_t dim, const Info& index,
                           const Scalar& value, std::string_view reduce, const Info& out) const {
    const auto reduction = detail::parse_reduction(reduce);
    if (!reduction) return context.fail("unknown reduction '", reduce, "'");
    return make_number(context, self, dim, index, value, *reduction, out);
  }

  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& index, Tensor& out) const {
    return run_from(prepared, context, self, index, const_cast<std::byte*>(prepared.number.data()),
                    out);
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& index, const Tensor& src, Tensor& out) const {
    return run_from(prepared, context, self, index, src.bytes(), out);
  }

 private:
  static Result<Prepared> make(Prepare& context, const Info& self, std::int64_t dim,
                               const Info& index, const TensorMeta& src,
                               detail::Reduction reduction, bool include_self,
                               const TensorMeta& out) {
    TREADLE_TRY(const std::size_t d, detail::wrap(context, dim, self.meta().rank()));
    const TensorMeta places = detail::at_least_1d(index.meta());
    const TensorMeta target = detail::at_least_1d(out);
    const TensorMeta one = detail::constant_meta(places, out.dtype);
    Prepared prepared;
    prepared.base = CopyPlan(self.meta(), out);
    prepared.plan = AlongPlan(target, places, detail::at_least_1d(src), d);
    prepared.reset = AlongPlan(target, places, one, d);
    prepared.loop = scatter_loop(reduction.how, out.dtype);
    prepared.replace = scatter_loop(Combine::replace, out.dtype);
    prepared.include_self = include_self;
    prepared.resets = !include_self && reduction.how != Combine::replace;
    if (!prepared.loop) return context.fail("can't combine elements of ", name(out.dtype));
    if (prepared.resets) store_identity(reduction.how, out.dtype, prepared.number.data());
    if (reduction.mean) {
      const TensorMeta counts = make_meta(DType::int64, target.sizes);
      prepared.divide = divide_element(out.dtype);
      prepared.add_count = scatter_loop(Combine::add, DType::int64);
      prepared.count = AlongPlan(counts, places, detail::constant_meta(places, DType::int64), d);
      prepared.elements = element_count(target);
      context.request_scratch(static_cast<std::size_t>(prepared.elements) * sizeof(std::int64_t));
    }
    prepared.item = static_cast<std::int64_t>(size_of(out.dtype));
    prepared.out = target;
    return prepared;
  }
  static Result<Prepared> make_number(Prepare& context, const Info& self, std::int64_t dim,
                                      const Info& index, const Scalar& value,
                                      detail::Reduction reduction, const Info& out) {
    const TensorMeta one = detail::constant_meta(detail::at_least_1d(index.meta()), out.dtype());
    TREADLE_TRY(auto prepared, make(context, self, dim, index, one, reduction, true, out.meta()));
    if (!store_element(value, out.dtype(), prepared.number.data()))
      return context.fail("can't store a number as ", name(out.dtype()));
    return prepared;
  }

  static Status run_from(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
                         const Tensor& index, std::byte* from, Tensor& out) {
    detail::copy_self(prepared.base, context, self, out);
    BadIndex bad;
    const auto pass = [&](const AlongPlan& plan, std::byte* to, const std::byte* source,
                          ScatterLoop loop) {
      return plan.run(context.parallel_for, to, index.bytes(), const_cast<std::byte*>(source), bad,
                      [&](const ScatterRow& row, std::byte*) { return loop(row); });
    };
    if (prepared.resets &&
        !pass(prepared.reset, out.bytes(), prepared.number.data(), prepared.replace))
      return detail::bad_index(context, bad);
    if (!pass(prepared.plan, out.bytes(), from, prepared.loop))
      return detail::bad_index(context, bad);
    if (!prepared.divide) return {};
    auto* counts = detail::offsets_of(context);
    std::fill(counts, counts + prepared.elements, prepared.include_self ? 1 : 0);
    const std::int64_t one = 1;
    pass(prepared.count, reinterpret_cast<std::byte*>(counts),
         reinterpret_cast<const std::byte*>(&one), prepared.add_count);
    divide(prepared, counts, out);
    return {};
  }
  static void divide(const Prepared& prepared, const std::int64_t* counts, Tensor& out) {
    const TensorMeta& meta = prepared.out;
    for (std::int64_t n = 0; n < prepared.elements; ++n) {
      std::int64_t rest = n, offset = 0;
      for (std::size_t i = meta.rank(); i-- > 0;) {
        offset += rest % meta.sizes[i] * meta.strides[i];
        rest /= meta.sizes[i];
      }
      if (counts[n] > 1) prepared.divide(out.bytes() + offset * prepared.item, counts[n]);
    }
  }
};

}  // namespace treadle::inline v0::cpu
