// Shape rules of matrix products.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// All of these arguments that are not None have one dtype.
[[nodiscard]] inline Status check_same_dtype(const InferContext& context, ArgumentList arguments) {
  const TensorType* first = nullptr;
  for (const std::size_t i : arguments) {
    if (context.is_none(i)) continue;
    const TensorType& type = context.tensor(i);
    if (!first) first = &type;
    if (type.dtype != first->dtype)
      return context.fail("expected operands of one dtype, found ", name(first->dtype), " and ",
                          name(type.dtype));
  }
  return {};
}

[[nodiscard]] inline Status check_rank(const InferContext& context, std::size_t i,
                                       std::size_t rank) {
  if (context.tensor(i).rank() == rank) return {};
  return context.fail("'", context.schema().arguments[i].name, "' must have ", rank,
                      " dimensions, found ", context.tensor(i).rank());
}

/// Two sizes that must be one.
[[nodiscard]] inline Status check_same_size(const InferContext& context, const SymInt& a,
                                            const SymInt& b) {
  if (!a.known() || !b.known() || a == b) return {};
  return context.fail("sizes ", to_string(a), " and ", to_string(b), " must be equal");
}

/// The sizes of `a` times `b` as `torch.matmul` has them: vectors are rows on the left and columns
/// on the right, leading dimensions broadcast.
[[nodiscard]] inline Result<SymDims> product_sizes(const InferContext& context, const SymDims& a,
                                                   const SymDims& b) {
  if (a.empty() || b.empty())
    return context.fail("both operands need at least one dimension, found sizes ", to_string(a),
                        " and ", to_string(b));
  TREADLE_CHECK(check_same_size(context, a.back(), b.size() == 1 ? b[0] : b[b.size() - 2]));
  const auto batch = [](const SymDims& sizes) {
    return SymDims(sizes.begin(), sizes.end() - (sizes.size() > 1 ? 2 : 1));
  };
  TREADLE_TRY(SymDims sizes, broadcast_sizes(context, batch(a), batch(b)));
  if (a.size() > 1) sizes.push_back(a[a.size() - 2]);
  if (b.size() > 1) sizes.push_back(b.back());
  return sizes;
}

inline Status matmul_rule(InferContext& context) {
  TREADLE_CHECK(check_same_dtype(context, {0, 1}));
  TREADLE_TRY(SymDims sizes,
              product_sizes(context, context.tensor(0).sizes, context.tensor(1).sizes));
  context.add(make_type(context.tensor(0).dtype, std::move(sizes), first_device(context)));
  return {};
}

/// Products of operands whose ranks are fixed.
inline Status ranked_product(InferContext& context, std::size_t left_rank, std::size_t right_rank) {
  TREADLE_CHECK(check_rank(context, 0, left_rank));
  TREADLE_CHECK(check_rank(context, 1, right_rank));
  if (left_rank == 3)
    TREADLE_CHECK(check_same_size(context, context.tensor(0).sizes[0], context.tensor(1).sizes[0]));
  return matmul_rule(context);
}
template <std::size_t LeftRank, std::size_t RightRank>
Status ranked_product_rule(InferContext& context) {
  return ranked_product(context, LeftRank, RightRank);
}

/// `self` plus a product of arguments 1 and 2.
inline Status added_product(InferContext& context, std::size_t left_rank, std::size_t right_rank) {
  TREADLE_CHECK(check_rank(context, 1, left_rank));
  TREADLE_CHECK(check_rank(context, 2, right_rank));
  TREADLE_CHECK(check_same_dtype(context, {0, 1, 2}));
  const SymDims &a = context.tensor(1).sizes, &b = context.tensor(2).sizes;
  if (left_rank == 3) TREADLE_CHECK(check_same_size(context, a[0], b[0]));
  TREADLE_TRY(SymDims sizes, product_sizes(context, a, b));
  TREADLE_CHECK(check_expandable(context, context.tensor(0).sizes, sizes));
  context.add(make_type(context.tensor(0).dtype, std::move(sizes), first_device(context)));
  return {};
}
template <std::size_t LeftRank, std::size_t RightRank>
Status added_product_rule(InferContext& context) {
  return added_product(context, LeftRank, RightRank);
}

inline Status addbmm_rule(InferContext& context) {
  TREADLE_CHECK(check_rank(context, 1, 3));
  TREADLE_CHECK(check_rank(context, 2, 3));
  TREADLE_CHECK(check_same_dtype(context, {0, 1, 2}));
  const SymDims &a = context.tensor(1).sizes, &b = context.tensor(2).sizes;
  TREADLE_CHECK(check_same_size(context, a[0], b[0]));
  TREADLE_CHECK(check_same_size(context, a[2], b[1]));
  SymDims sizes = {a[1], b[2]};
  TREADLE_CHECK(check_expandable(context, context.tensor(0).sizes, sizes));
  context.add(make_type(context.tensor(0).dtype, std::move(sizes), first_device(context)));
  return {};
}

inline Status linear_rule(InferContext& context) {
  const TensorType &input = context.tensor(0), &weight = context.tensor(1);
  TREADLE_CHECK(check_same_dtype(context, {0, 1, 2}));
  if (input.rank() == 0 || weight.rank() == 0 || weight.rank() > 2)
    return context.fail("an input of sizes ", to_string(input.sizes),
                        " can't be multiplied with a weight of sizes ", to_string(weight.sizes));
  TREADLE_CHECK(check_same_size(context, input.sizes.back(), weight.sizes.back()));
  SymDims sizes(input.sizes.begin(), input.sizes.end() - 1);
  if (weight.rank() == 2) sizes.push_back(weight.sizes[0]);
  if (!context.is_none(2)) TREADLE_CHECK(check_expandable(context, context.tensor(2).sizes, sizes));
  context.add(make_type(input.dtype, std::move(sizes), first_device(context)));
  return {};
}

/// Every element of one vector with every element of another.
inline Status outer_rule(InferContext& context) {
  TREADLE_CHECK(check_rank(context, 0, 1));
  TREADLE_CHECK(check_rank(context, 1, 1));
  context.add(make_type(result_dtype(context, {0, 1}),
                        {context.tensor(0).sizes[0], context.tensor(1).sizes[0]},
                        first_device(context)));
  return {};
}

inline Status addr_rule(InferContext& context) {
  TREADLE_CHECK(check_rank(context, 1, 1));
  TREADLE_CHECK(check_rank(context, 2, 1));
  SymDims sizes = {context.tensor(1).sizes[0], context.tensor(2).sizes[0]};
  TREADLE_CHECK(check_expandable(context, context.tensor(0).sizes, sizes));
  TensorType out =
      make_type(result_dtype(context, {0, 1, 2}), std::move(sizes), first_device(context));
  TensorType column = context.tensor(1);
  column.sizes.push_back(1);
  column.strides.push_back(1);
  // Seen at its full size: a repeated row of `self` has no say in the layout.
  const TensorType* inputs[] = {&context.tensor(0), &column, &context.tensor(2)};
  out.strides = elementwise_strides(out.sizes, inputs);
  context.add(std::move(out));
  return {};
}

}  // namespace treadle::inline v0::rules
