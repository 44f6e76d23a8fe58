// Shape rules of loss functions and distances.
#pragma once

#include <cstdint>
#include <utility>

#include <treadle/ops/reduction/reduction_rules.hpp>

namespace treadle::inline v0::rules {

/// Does the loss stay one number an element? `reduction` is 0 for none, 1 for mean, 2 for sum.
[[nodiscard]] inline bool is_unreduced(const InferContext& context) {
  const auto i = given(context, "reduction");
  return i && context.integer(*i).is(0);
}

/// Losses of two tensors that broadcast.
inline Status elementwise_loss_rule(InferContext& context) {
  DType dtype = result_dtype(context, {0, 1});
  if (context.schema().name == "aten::l1_loss") dtype = real_dtype(dtype);
  TREADLE_TRY(auto type, elementwise(context, {0, 1}, dtype));
  context.add(is_unreduced(context) ? std::move(type) : make_type(dtype, {}, type.device));
  return {};
}

/// `nll_loss`, `cross_entropy_loss`: classes in dimension 1, or 0 if there is no batch.
inline Status class_loss_rule(InferContext& context) {
  const TensorType& self = context.tensor(0);
  if (self.rank() == 0) return context.fail("expected one dimension at least, for the classes");
  SymDims sizes = self.sizes;
  sizes.erase(sizes.begin() + (self.rank() > 1 ? 1 : 0));
  if (!is_unreduced(context)) sizes.clear();
  context.add(make_type(self.dtype, sizes, self.device));
  if (context.schema().result_count > 1) context.add(make_type(self.dtype, {}, self.device));
  return {};
}

/// Distances along one dimension, which vanishes.
template <bool LastDimension>
Status distance_rule(InferContext& context) {
  TREADLE_TRY(auto type, elementwise(context, {0, 1}));
  const std::size_t rank = type.rank();
  if (rank == 0 && LastDimension) return context.fail("expected one dimension at least");
  std::size_t dim = rank - 1;
  if (!LastDimension) {
    TREADLE_TRY(dim, context.dimension(2, rank));
  }
  SymDims sizes = type.sizes;
  if (rank > 0 && flag(context, "keepdim"))
    sizes[dim] = 1;
  else if (rank > 0)
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  const DType dtype = to_float_dtype(type.dtype);
  context.add(make_type(LastDimension ? real_dtype(dtype) : dtype, sizes, type.device));
  return {};
}

/// Distances of all pairs of rows: [.., P, M] and [.., R, M] give [.., P, R].
inline Status pair_distance_rule(InferContext& context) {
  const TensorType &a = context.tensor(0), &b = context.tensor(1);
  if (a.rank() < 2 || b.rank() < 2)
    return context.fail("expected matrices, found sizes ", sizes_text(a.sizes), " and ",
                        sizes_text(b.sizes));
  const SymInt &m = a.sizes.back(), &other_m = b.sizes.back();
  if (m.known() && other_m.known() && !(m == other_m))
    return context.fail("rows have ", to_string(m), " and ", to_string(other_m), " elements");
  TREADLE_TRY(auto sizes, broadcast_sizes(context, SymDims(a.sizes.begin(), a.sizes.end() - 2),
                                          SymDims(b.sizes.begin(), b.sizes.end() - 2)));
  sizes.push_back(a.sizes[a.rank() - 2]);
  sizes.push_back(b.sizes[b.rank() - 2]);
  context.add(make_type(promote_types(a.dtype, b.dtype), sizes, a.device));
  return {};
}

}  // namespace treadle::inline v0::rules
