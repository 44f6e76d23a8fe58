// Kernels that make a view of an argument, then copy it.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/kernel/context.hpp>
#include <treadle/ops/op_def.hpp>
#include <treadle/ops/rules.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

inline constexpr std::size_t no_argument = static_cast<std::size_t>(-1);

/// The views that a shape rule makes of a tensor of this meta. The other arguments are those of the
/// call, without argument 0 and argument `left_out`.
inline Result<std::vector<TensorMeta>> view_metas(const PrepareContext<Backend>& context,
                                                  std::size_t argument_count,
                                                  std::string_view view_schema, OpDef::Infer rule,
                                                  const TensorMeta& base,
                                                  std::size_t left_out = no_argument) {
  const TensorType type = to_type(base);
  const Schema schema = parse_schema(view_schema);
  std::vector<InferValue> values = {{TensorArgument{&type, false}}};
  for (std::size_t i = 1; i < argument_count; ++i) {
    if (i == left_out) continue;
    const auto* constant = std::get_if<Constant>(&context.argument(i));
    if (!constant) return context.fail("argument ", i, " must be a constant");
    values.push_back({*constant});
  }
  if (values.size() != schema.argument_count)
    return context.fail("expected ", schema.argument_count, " arguments of the view, found ",
                        values.size());
  InferContext infer(schema, values);
  TREADLE_CHECK(rule(infer));
  std::vector<TensorMeta> metas;
  for (const auto& result : infer.results()) {
    auto meta = to_meta(result.type);
    if (!meta) return context.fail("a view of unknown sizes can't be copied");
    metas.push_back(*std::move(meta));
  }
  return metas;
}

inline std::int64_t byte_offset(const TensorMeta& meta) {
  return meta.storage_offset * static_cast<std::int64_t>(size_of(meta.dtype));
}

}  // namespace detail

/// The `*_copy` operators: results are copies of the views that `rule` gives.
struct ViewCopy {
  std::string_view schema;  ///< of the operator itself; constant text
  OpDef::Infer rule;

  using Prepared = std::vector<CopyPlan>;

  template <class... Arguments>
  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           const Arguments&...) const {
    const std::size_t count = parse_schema(schema).argument_count;
    TREADLE_TRY(const auto metas, detail::view_metas(context, count, schema, rule, self.meta()));
    if (metas.size() != context.results().size())
      return context.fail("expected ", metas.size(), " results, found ", context.results().size());
    Prepared plans;
    for (std::size_t i = 0; i < metas.size(); ++i)
      plans.emplace_back(metas[i], context.results()[i].meta(),
                         detail::byte_offset(metas[i]) - detail::byte_offset(self.meta()));
    return plans;
  }
  Status run(const Prepared& plans, RunContext<Backend>& context, const Tensor& self,
             Tensor& out) const {
    plans[0].run(context.parallel_for, self.bytes(), out.bytes());
    return {};
  }
  Status run(const Prepared& plans, RunContext<Backend>& context, const Tensor& self,
             std::span<Tensor* const> out) const {
    for (std::size_t i = 0; i < plans.size(); ++i)
      plans[i].run(context.parallel_for, self.bytes(), out[i]->bytes());
    return {};
  }
};

/// `reshape` and its relatives where the elements have to move.
struct ReshapeCopy {
  using Prepared = CopyPlan;

  template <class... Arguments>
  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           const Arguments&...) const {
    const TensorMeta& out = context.results()[0].meta();
    if (element_count(out) != element_count(self.meta()))
      return context.fail("sizes ", self.meta().sizes, " do not hold as many elements as ",
                          out.sizes);
    if (auto target = regroup(out, self.meta().sizes)) return CopyPlan(self.meta(), *target);
    if (auto source = regroup(self.meta(), out.sizes)) return CopyPlan(*source, out);
    return context.fail("sizes ", self.meta().sizes, " can't be copied into ", out.sizes,
                        " with strides ", out.strides);
  }
  Status run(const Prepared& plan, RunContext<Backend>& context, const Tensor& self,
             Tensor& out) const {
    plan.run(context.parallel_for, self.bytes(), out.bytes());
    return {};
  }
  Status run(const Prepared& plan, RunContext<Backend>& context, const Tensor& self, const Tensor&,
             Tensor& out) const {
    return run(plan, context, self, out);
  }

 private:
  static std::optional<TensorMeta> regroup(const TensorMeta& meta, const Dims& sizes) {
    const TensorType type = to_type(meta);
    const SymDims wanted(sizes.begin(), sizes.end());
    auto strides = rules::view_strides(type.sizes, type.strides, wanted);
    if (!strides) return std::nullopt;
    TensorType view = type;
    view.sizes = wanted;
    view.strides = *std::move(strides);
    return to_meta(view);
  }
};

/// `slice_scatter`, `select_scatter`, …: a copy of `self` with `src` in place of the view that
/// `rule` gives.
struct ViewScatter {
  std::string_view view_schema;  ///< of the view operator; constant text
  OpDef::Infer rule;

  struct Prepared {
    CopyPlan base, part;
  };

  template <class... Arguments>
  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           const TensorInfo<Backend>& src, const Arguments&...) const {
    TensorMeta out = context.results()[0].meta();
    out.storage_offset = 0;
    const std::size_t count = parse_schema(view_schema).argument_count + 1;
    TREADLE_TRY(const auto views, detail::view_metas(context, count, view_schema, rule, out, 1));
    if (views.size() != 1 || views[0].sizes != src.meta().sizes)
      return context.fail("'src' must have sizes ", views[0].sizes, ", found ", src.meta().sizes);
    if (src.dtype() != out.dtype)
      return context.fail("'src' must be ", name(out.dtype), ", found ", name(src.dtype()));
    const auto extent = storage_extent(views[0]);
    const auto whole = storage_extent(out);
    if (!extent || !whole || *extent > *whole)
      return context.fail("the part lies outside of the tensor");
    return Prepared{CopyPlan(self.meta(), out),
                    CopyPlan(src.meta(), views[0], 0, detail::byte_offset(views[0]))};
  }
  Status run(const Prepared& plans, RunContext<Backend>& context, const Tensor& self,
             const Tensor& src, Tensor& out) const {
    if (self.bytes() != out.bytes())
      plans.base.run(context.parallel_for, self.bytes(), out.bytes());
    plans.part.run(context.parallel_for, src.bytes(), out.bytes());
    return {};
  }
};

}  // namespace treadle::inline v0::cpu
