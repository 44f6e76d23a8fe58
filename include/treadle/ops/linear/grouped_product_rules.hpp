// Shape rule of products of groups: rows, columns or depths that belong to one matrix each.
#pragma once

#include <cstdint>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/linear/product_rules.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// `(left, right, ends)`. A factor with three dimensions has a matrix for every group; of one with
/// two, group g takes the rows, columns or depths from `ends[g - 1]` to before `ends[g]`.
inline Status grouped_product_rule(InferContext& context) {
  const TensorType &a = context.tensor(0), &b = context.tensor(1);
  TREADLE_CHECK(check_same_dtype(context, {0, 1}));
  for (const auto* factor : {&a, &b})
    if (factor->rank() != 2 && factor->rank() != 3)
      return context.fail("factors have 2 or 3 dimensions, found ", factor->rank());
  const bool is_split = a.rank() == 2 || b.rank() == 2;
  if (context.is_none(2) == is_split)
    return context.fail(is_split ? "the ends of the groups are missing"
                                 : "matrices of every group have no ends");
  if (is_split) TREADLE_CHECK(check_rank(context, 2, 1));
  TREADLE_CHECK(check_same_size(context, a.sizes.back(), b.sizes[b.rank() - 2]));
  const SymInt& groups = a.rank() == 3   ? a.sizes[0]
                         : b.rank() == 3 ? b.sizes[0]
                                         : context.tensor(2).sizes[0];
  if (b.rank() == 3) TREADLE_CHECK(check_same_size(context, groups, b.sizes[0]));
  if (is_split) TREADLE_CHECK(check_same_size(context, groups, context.tensor(2).sizes[0]));
  SymDims sizes{a.sizes[a.rank() - 2], b.sizes.back()};
  if (a.rank() == b.rank()) sizes.insert(sizes.begin(), groups);
  context.add(make_type(a.dtype, std::move(sizes), a.device));
  return {};
}

/// `_grouped_mm(self, mat2, offs, bias, out_dtype)`: the same with rows of a multiple of 16 bytes.
inline Status grouped_mm_rule(InferContext& context) {
  if (!context.is_none(3)) return context.fail("a bias is not supported");
  const auto dtype = context.dtype(4);
  if (dtype && *dtype != context.tensor(0).dtype)
    return context.fail("products of ", name(context.tensor(0).dtype), " are not given as ",
                        name(*dtype));
  TREADLE_CHECK(grouped_product_rule(context));
  TensorType type = std::move(context.results().back().type);
  context.results().clear();
  const std::size_t rank = type.rank();
  if (const auto columns = type.sizes[rank - 1].value()) {
    const auto unit = static_cast<std::int64_t>(16 / size_of(type.dtype));
    type.strides[rank - 2] = (*columns + unit - 1) / unit * unit;
    if (rank == 3) type.strides[0] = type.sizes[1] * type.strides[1];
  }
  context.add(std::move(type));
  return {};
}

}  // namespace treadle::inline v0::rules
