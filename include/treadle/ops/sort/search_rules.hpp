// Shape rules of searching sorted sequences and of finding unique elements.
#pragma once

#include <utility>

#include <treadle/ops/sort/sort_rules.hpp>

namespace treadle::inline v0::rules {

/// Places in a sorted sequence: one for each element of `self`.
inline Status search_rule(InferContext& context) {
  const auto self = static_cast<std::size_t>(context.schema().find("self"));
  const bool number = context.schema().arguments[self].kind == SchemaKind::scalar;
  const DType dtype = flag(context, "out_int32") ? DType::int32 : DType::int64;
  const SymDims sizes = number ? SymDims{} : context.tensor(self).sizes;
  context.add(make_type(dtype, sizes, first_device(context)));
  return {};
}

inline Status isin_rule(InferContext& context) {
  const bool number = context.schema().arguments[0].kind == SchemaKind::scalar;
  const SymDims sizes = number ? SymDims{} : context.tensor(0).sizes;
  context.add(make_type(DType::bool_, sizes, first_device(context)));
  return {};
}

/// Unique elements, or slices of dimension `dim`: how many only a run can tell.
inline Status unique_rule(InferContext& context) {
  const TensorType& self = context.tensor(0);
  const SymInt count = context.unknown_size();
  const auto dim = given(context, "dim");
  SymDims values = {count}, inverse = self.sizes;
  if (dim) {
    TREADLE_TRY(const std::size_t d, context.dimension(*dim, self.rank()));
    values = self.sizes;
    if (!values.empty()) {
      inverse = {values[d]};
      values[d] = count;
    }
  }
  // With a dimension all three results are there whatever the call asks for.
  const bool consecutive = context.schema().name == "aten::unique_consecutive";
  const bool flat = consecutive && self.rank() == 1 && dim && context.integer(*dim).is(0);
  const bool all = dim && !flat;
  if (!all && !flag(context, "return_inverse")) inverse = {0};
  const bool counts = all || flag(context, "return_counts");
  context.add(make_type(self.dtype, values, self.device));
  context.add(make_type(DType::int64, inverse, self.device));
  if (context.schema().result_count > 2)
    context.add(make_type(DType::int64, {counts ? count : SymInt(0)}, self.device));
  return {};
}

}  // namespace treadle::inline v0::rules
