// Shape rules of attention.
#pragma once

#include <cstddef>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/linear/product_rules.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// The batch dimensions of the result; with `grouped`, heads of keys count for several of queries.
[[nodiscard]] inline Result<SymDims> attention_batch(const InferContext& context, bool grouped) {
  SymDims batch;
  for (std::size_t i = 0; i < 3; ++i) {
    const SymDims& sizes = context.tensor(i).sizes;
    if (sizes.size() < 2)
      return context.fail("'", context.schema().arguments[i].name,
                          "' needs at least 2 dimensions, found ", sizes.size());
    SymDims own(sizes.begin(), sizes.end() - 2);
    if (i == 0) {
      batch = std::move(own);
      continue;
    }
    if (grouped && !own.empty() && !batch.empty()) {
      const auto heads = batch.back().value(), own_heads = own.back().value();
      if (heads && own_heads && (*own_heads == 0 || *heads % *own_heads != 0))
        return context.fail(*heads, " query heads can't share ", *own_heads, " key heads");
      own.back() = batch.back();
    }
    TREADLE_TRY(batch, broadcast_sizes(context, batch, own));
  }
  return batch;
}

/// Does PyTorch's fused CPU kernel take these operands? Its result lies as the query does.
[[nodiscard]] inline bool is_fused_attention(const InferContext& context) {
  const TensorType &query = context.tensor(0), &key = context.tensor(1), &value = context.tensor(2);
  for (const TensorType* type : {&query, &key, &value})
    if (type->rank() != 4 || !type->strides[3].is(1) || type->sizes[2].is(0) ||
        !is_floating(type->dtype))
      return false;
  return query.sizes[3] == key.sizes[3] && query.sizes[3] == value.sizes[3] &&
         query.sizes[0] == key.sizes[0] && query.sizes[0] == value.sizes[0] &&
         query.sizes[1] == key.sizes[1] && query.sizes[1] == value.sizes[1];
}

[[nodiscard]] inline Result<TensorType> attention_type(InferContext& context, bool grouped) {
  const TensorType &query = context.tensor(0), &key = context.tensor(1), &value = context.tensor(2);
  TREADLE_CHECK(check_same_dtype(context, {0, 1, 2}));
  TREADLE_TRY(SymDims sizes, attention_batch(context, grouped));
  TREADLE_CHECK(check_same_size(context, query.sizes.back(), key.sizes.back()));
  TREADLE_CHECK(check_same_size(context, key.sizes[key.rank() - 2], value.sizes[value.rank() - 2]));
  const SymInt length = query.sizes[query.rank() - 2];
  sizes.push_back(length);
  const auto mask = static_cast<std::size_t>(context.schema().find("attn_mask"));
  if (!context.is_none(mask)) {
    SymDims scores = sizes;
    scores.push_back(key.sizes[key.rank() - 2]);
    TREADLE_CHECK(check_expandable(context, context.tensor(mask).sizes, scores));
  }
  sizes.push_back(value.sizes.back());
  TensorType out = make_type(query.dtype, std::move(sizes), first_device(context));
  if (is_fused_attention(context)) out.strides = like(query, query.dtype).strides;
  return out;
}

inline Status attention_rule(InferContext& context) {
  TREADLE_TRY(TensorType out, attention_type(context, context.boolean(7)));
  context.add(std::move(out));
  return {};
}

inline Status flash_attention_rule(InferContext& context) {
  for (std::size_t i = 0; i < 3; ++i) TREADLE_CHECK(check_rank(context, i, 4));
  TREADLE_TRY(TensorType out, attention_type(context, false));
  const SymDims& sizes = out.sizes;
  TensorType sums = make_type(out.dtype == DType::float64 ? DType::float64 : DType::float32,
                              {sizes[0], sizes[2], sizes[1]}, out.device);
  std::swap(sums.sizes[1], sums.sizes[2]);
  std::swap(sums.strides[1], sums.strides[2]);
  context.add(std::move(out));
  context.add(std::move(sums));
  return {};
}

}  // namespace treadle::inline v0::rules
