// Shape rules of sorting and of selecting by rank.
#pragma once

#include <utility>

#include <treadle/ops/reduction/reduction_rules.hpp>

namespace treadle::inline v0::rules {

[[nodiscard]] inline Status check_dim(const InferContext& context) {
  if (const auto dim = given(context, "dim"))
    TREADLE_CHECK(context.dimension(*dim, context.tensor(0).rank()));
  return {};
}

/// Sorted values, then their places.
inline Status sort_rule(InferContext& context) {
  TREADLE_CHECK(check_dim(context));
  const TensorType& self = context.tensor(0);
  context.add(like(self, self.dtype));
  if (context.schema().result_count > 1) context.add(like(self, DType::int64));
  return {};
}
inline Status argsort_rule(InferContext& context) {
  TREADLE_CHECK(check_dim(context));
  context.add(like(context.tensor(0), DType::int64));
  return {};
}

inline Status topk_rule(InferContext& context) {
  const TensorType& self = context.tensor(0);
  const SymInt k = context.integer(1);
  TREADLE_TRY(const std::size_t dim, context.dimension(2, self.rank()));
  SymDims sizes = self.sizes;
  const SymInt size = sizes.empty() ? SymInt(1) : sizes[dim];
  if (k.known() && (*k.value() < 0 || (size.known() && *k.value() > *size.value())))
    return context.fail("k = ", to_string(k), " is out of range for a dimension of size ",
                        to_string(size));
  if (!sizes.empty()) sizes[dim] = k;
  context.add(make_type(self.dtype, sizes, self.device));
  context.add(make_type(DType::int64, sizes, self.device));
  return {};
}

inline Status kthvalue_rule(InferContext& context) {
  const TensorType& self = context.tensor(0);
  const SymInt k = context.integer(1);
  TREADLE_TRY(const std::size_t dim, context.dimension(2, self.rank()));
  const SymInt size = self.sizes.empty() ? SymInt(1) : self.sizes[dim];
  if (k.known() && (*k.value() < 1 || (size.known() && *k.value() > *size.value())))
    return context.fail("k = ", to_string(k), " is out of range for a dimension of size ",
                        to_string(size));
  return value_and_place_rule(context);
}

/// The median of all elements; NaN if there are none.
inline Status median_rule(InferContext& context) {
  context.add(make_type(context.tensor(0).dtype, {}, context.tensor(0).device));
  return {};
}

}  // namespace treadle::inline v0::rules
