// Kernels that make a view of an argument, then copy it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/movement/convert_copy.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/cpu/uniform_kernel.hpp>
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

  Result<Prepared> prepare(PrepareContext<Backend>& context) const {
    TREADLE_TRY(const auto self, tensor_argument(context, 0));
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
  Status run(const Prepared& plans, RunContext<Backend>& context, Tensor* const* tensors) const {
    for (std::size_t i = 0; i < plans.size(); ++i)
      plans[i].run(context.parallel_for, tensors[0]->bytes(), tensors[1 + i]->bytes());
    return {};
  }
};

/// `reshape` and its relatives where the elements have to move.
struct ReshapeCopy {
  std::size_t tensors = 1;  ///< among the arguments

  using Prepared = CopyPlan;

  Result<Prepared> prepare(PrepareContext<Backend>& context) const {
    TREADLE_TRY(const auto self, tensor_argument(context, 0));
    const TensorMeta& out = context.results()[0].meta();
    if (element_count(out) != element_count(self.meta()))
      return context.fail("sizes ", self.meta().sizes, " do not hold as many elements as ",
                          out.sizes);
    if (auto target = regroup(out, self.meta().sizes)) return CopyPlan(self.meta(), *target);
    if (auto source = regroup(self.meta(), out.sizes)) return CopyPlan(*source, out);
    return context.fail("sizes ", self.meta().sizes, " can't be copied into ", out.sizes,
                        " with strides ", out.strides);
  }
  Status run(const Prepared& plan, RunContext<Backend>& context, Tensor* const* given) const {
    plan.run(context.parallel_for, given[0]->bytes(), given[tensors]->bytes());
    return {};
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
  /// Byte offsets of one element.
  struct Move {
    std::int64_t from = 0, to = 0;
  };

  std::string_view view_schema;  ///< of the view operator; constant text
  OpDef::Infer rule;

  struct Prepared {
    CopyPlan base;
    ConvertCopy part;
    std::vector<Move> moves;  ///< instead of `part` where only some of it is inside of the result
    std::size_t item = 0;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context) const {
    TREADLE_TRY(const auto self, tensor_argument(context, 0));
    TREADLE_TRY(const auto src, tensor_argument(context, 1));
    TensorMeta out = context.results()[0].meta();
    // Places that a call states count from the start of the storage, of which the result shows what
    // `self` shows; a repeated element has one place in the result and many in `self`.
    const bool keeps_places = self.meta().strides == out.strides;
    out.storage_offset = keeps_places ? self.meta().storage_offset : 0;
    const std::size_t count = parse_schema(view_schema).argument_count + 1;
    TREADLE_TRY(auto views, detail::view_metas(context, count, view_schema, rule, out, 1));
    if (views.size() != 1 || views[0].sizes != src.meta().sizes)
      return context.fail("'src' must have sizes ", views[0].sizes, ", found ", src.meta().sizes);
    views[0].storage_offset -= out.storage_offset;
    out.storage_offset = 0;
    Prepared prepared{CopyPlan(self.meta(), out), {}, {}, size_of(out.dtype)};
    const auto whole = storage_extent(out);
    if (!whole) return context.fail("sizes ", out.sizes, " do not fit into memory");
    if (reach_inside(views[0], *whole)) {
      TREADLE_TRY(prepared.part,
                  ConvertCopy::make(src.meta(), views[0], detail::byte_offset(views[0])));
    } else if (src.dtype() == out.dtype) {
      prepared.moves = moves_inside(src.meta(), views[0], *whole);
    } else {
      return context.fail("'src' must be ", name(out.dtype), ", found ", name(src.dtype()));
    }
    return prepared;
  }
  Status run(const Prepared& plans, RunContext<Backend>& context, Tensor* const* tensors) const {
    const Tensor &self = *tensors[0], &src = *tensors[1];
    const Tensor& out = *tensors[2];
    if (self.bytes() != out.bytes())
      plans.base.run(context.parallel_for, self.bytes(), out.bytes());
    plans.part.run(context.parallel_for, src.bytes(), out.bytes());
    for (const Move& move : plans.moves)
      std::memcpy(out.bytes() + move.to, src.bytes() + move.from, plans.item);
    return {};
  }

 private:
  static bool reach_inside(const TensorMeta& view, std::int64_t whole) {
    if (element_count(view) == 0) return true;
    const auto extent = storage_extent(view);
    return view.storage_offset >= 0 && extent && *extent <= whole;
  }

  /// The elements of a view that lie in [0, whole), one by one.
  static std::vector<Move> moves_inside(const TensorMeta& src, const TensorMeta& view,
                                        std::int64_t whole) {
    std::vector<Move> moves;
    const auto item = static_cast<std::int64_t>(size_of(src.dtype));
    const std::int64_t count = element_count(view);
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i, from = 0, to = view.storage_offset;
      for (std::size_t d = view.rank(); d-- > 0;) {
        from += rest % view.sizes[d] * src.strides[d];
        to += rest % view.sizes[d] * view.strides[d];
        rest /= view.sizes[d];
      }
      if (to >= 0 && to < whole) moves.push_back({from * item, to * item});
    }
    return moves;
  }
};

}  // namespace treadle::inline v0::cpu
