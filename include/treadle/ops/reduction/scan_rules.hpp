// Shape rules of operators along one dimension that keep the sizes.
#pragma once

#include <utility>

#include <treadle/ops/reduction/reduction_rules.hpp>

namespace treadle::inline v0::rules {

/// The sizes of the first tensor, row-major, after a check of `dim`.
inline Status add_same_sizes(InferContext& context, DType dtype) {
  const TensorType& self = context.tensor(0);
  if (const auto dim = given(context, "dim")) TREADLE_CHECK(context.dimension(*dim, self.rank()));
  context.add(make_type(dtype, self.sizes, self.device));
  return {};
}

inline Status softmax_rule(InferContext& context) {
  const DType self = context.tensor(0).dtype;
  const DType widened = flag(context, "half_to_float") ? DType::float32 : self;
  const DType dtype = wanted_dtype(context).value_or(widened);
  if (!is_floating(dtype))
    return context.fail("expected a floating point dtype, found ", name(dtype));
  return add_same_sizes(context, dtype);
}

/// `cumsum`, `cumprod`: bools and integers become int64.
inline Status running_sum_rule(InferContext& context) {
  const DType self = context.tensor(0).dtype;
  const DType own = category(self) < DTypeCategory::floating ? DType::int64 : self;
  return add_same_sizes(context, wanted_dtype(context).value_or(own));
}
inline Status running_extreme_rule(InferContext& context) {
  TREADLE_CHECK(add_same_sizes(context, context.tensor(0).dtype));
  return add_same_sizes(context, DType::int64);
}
inline Status running_logsumexp_rule(InferContext& context) {
  return add_same_sizes(context, context.tensor(0).dtype);
}

}  // namespace treadle::inline v0::rules
