// Definitions of the fused transformer layers that evaluation mode uses.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <treadle/ops/composite/layers.hpp>
#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// (batch, length, width) as (batch, heads, length, width of a head).
inline Operand in_heads(Decomposition& d, Operand x, std::int64_t heads) {
  const auto split = d.call("aten::unflatten.int", {x, d.integer(-1), d.integers({heads, -1})});
  return d.call("aten::transpose.int", {split, d.integer(1), d.integer(2)});
}

/// `_transform_bias_rescale_qkv(qkv, qkv_bias, num_heads)`: the queries are scaled.
inline Status split_projection(Decomposition& d) {
  const auto* type = d.type(d[1]);
  const std::int64_t heads = d.integer_at(2, 1);
  const auto width = type ? type->sizes.back().value() : std::nullopt;
  if (!width || heads < 1) return d.fail("the width of a head is not known");
  const auto all = d.call("aten::add.Tensor", {d[0], d[1]});
  const auto parts = d.call_all("aten::chunk", {all, d.integer(3), d.integer(-1)}, 3);
  auto results = d.make_list();
  for (std::size_t i = 0; i < 3; ++i)
    results.push_back(d.call("aten::contiguous", {in_heads(d, parts[i], heads)}));
  const double scale = std::sqrt(static_cast<double>(*width / 3 / heads));
  results[0] = d.call("aten::div.Tensor", {results[0], d.real(scale)});
  return d.give_all(results);
}

/// Masks of ones where nothing is to be seen, as a mask of scores (batch, heads, queries, keys):
/// type 0 is (queries, keys), 1 is (batch, keys), 2 has all dimensions.
inline Operand score_mask(Decomposition& d, Operand mask, std::int64_t type) {
  if (type != 1) return mask;
  return d.call("aten::unsqueeze", {d.call("aten::unsqueeze", {mask, d.integer(1)}), d.integer(1)});
}

/// `_masked_softmax(self, mask, dim, mask_type)`.
inline Status masked_softmax(Decomposition& d) {
  const std::int64_t type = d.integer_at(3, 2);
  const auto mask = type == 2 || d.rank(d[0]) != 4 ? d[1] : score_mask(d, d[1], type);
  const auto scores = d.call("aten::masked_fill.Scalar",
                             {d[0], mask, d.real(-std::numeric_limits<double>::infinity())});
  return d.give(d.call("aten::softmax.int", {scores, d.integer(d.integer_at(2, -1))}));
}

/// What one attention layer is made of.
struct AttentionWeights {
  Operand in_weight, in_bias, out_weight, out_bias, mask, mask_type;
  std::int64_t heads = 1;
};

/// The result and the weights of the heads.
inline std::pair<Operand, Operand> attend(Decomposition& d, Operands inputs,
                                          const AttentionWeights& call) {
  const auto weights = d.call_all("aten::chunk", {call.in_weight, d.integer(3), d.integer(0)}, 3);
  const auto biases = d.call_all("aten::chunk", {call.in_bias, d.integer(3), d.integer(0)}, 3);
  auto heads = d.make_list();
  for (std::size_t i = 0; i < 3; ++i)
    heads.push_back(
        in_heads(d, d.call("aten::linear", {inputs[i], weights[i], biases[i]}), call.heads));
  Operand mask;
  if (!call.mask.is_none()) {
    const auto* type = call.mask_type.integer();
    mask = score_mask(d, call.mask, type ? *type : d.rank(call.mask) == 4 ? 2 : 0);
    const auto zeros = d.as_dtype(mask, d.dtype(inputs[0]));
    mask = d.call("aten::masked_fill.Scalar",
                  {zeros, mask, d.real(-std::numeric_limits<double>::infinity())});
  }
  const auto made =
      d.call_all("aten::_scaled_dot_product_attention_math",
                 {heads[0], heads[1], heads[2], call.mask.is_none() ? d.none() : mask});
  auto out = d.call("aten::transpose.int", {made[0], d.integer(1), d.integer(2)});
  out = d.call("aten::flatten.using_ints", {out, d.integer(2)});
  return {d.call("aten::linear", {out, call.out_weight, call.out_bias}), made[1]};
}

/// `_native_multi_head_attention(query, key, value, embed_dim, num_head, …)`.
inline Status multi_head_attention(Decomposition& d) {
  const auto [out, weights] =
      attend(d, {{d[0], d[1], d[2]}}, {d[5], d[6], d[7], d[8], d[9], d[12], d.integer_at(4, 1)});
  if (!d.boolean_at(10)) return d.give_all({out, d.none()});
  if (!d.boolean_at(11)) return d.give_all({out, weights});
  return d.give_all({out, d.call("aten::mean.dim", {weights, d.integers({1})})});
}

/// `_transformer_encoder_layer_fwd(src, embed_dim, num_heads, …)`.
inline Status encoder_layer(Decomposition& d) {
  const bool norm_first = d.boolean_at(8);
  const auto width = d.integers({d.integer_at(1, 0)});
  const auto norm = [&](Operand x, std::size_t at) {
    return d.call("aten::layer_norm", {x, width, d[at], d[at + 1], d[9]});
  };
  const auto add = [&](Operand x, Operand y) { return d.call("aten::add.Tensor", {x, y}); };
  const auto feed_forward = [&](Operand x) {
    auto inner = d.call("aten::linear", {x, d[14], d[15]});
    inner = d.call(d.boolean_at(7) ? "aten::gelu" : "aten::relu", {inner});
    return d.call("aten::linear", {inner, d[16], d[17]});
  };
  Operand x = d[0];
  const Operand seen = norm_first ? norm(x, 10) : x;
  const auto attended =
      attend(d, {{seen, seen, seen}}, {d[3], d[4], d[5], d[6], d[18], d[19], d.integer_at(2, 1)});
  x = add(x, attended.first);
  if (norm_first) return d.give(add(x, feed_forward(norm(x, 12))));
  x = norm(x, 10);
  return d.give(norm(add(x, feed_forward(x)), 12));
}

}  // namespace treadle::inline v0::detail::composite
