// Shape rules of recurrent networks.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/linear/product_rules.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// `rnn(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)`:
/// the sequence of outputs, then each final state. `wanted` states are 2 for `lstm`, whose `hx` is
/// a list.
inline Status recurrent(InferContext& context, std::size_t wanted) {
  const TensorType& input = context.tensor(0);
  std::vector<const TensorType*> states;
  if (wanted == 2)
    states = context.tensors(1);
  else
    states.push_back(&context.tensor(1));
  if (states.size() != wanted || !states[0] || !states.back())
    return context.fail("expected ", wanted, " initial states, found ", states.size());
  const bool is_batch = input.rank() == 3;
  if (!is_batch && input.rank() != 2)
    return context.fail("'input' must have 2 or 3 dimensions, found ", input.rank());
  for (const auto* state : states)
    if (state->rank() != input.rank() || state->dtype != input.dtype)
      return context.fail("an initial state must have the rank and dtype of 'input'");
  const bool batch_first = context.boolean(8);
  const SymInt directions = context.boolean(7) ? 2 : 1;
  SymDims sizes = input.sizes;
  sizes.back() = states[0]->sizes.back() * directions;
  TensorType out = make_type(input.dtype, sizes, first_device(context));
  if (is_batch && batch_first) {
    // Computed with time in front, then turned.
    out.strides = contiguous_strides(SymDims{sizes[1], sizes[0], sizes[2]});
    std::swap(out.strides[0], out.strides[1]);
  }
  context.add(std::move(out));
  for (const auto* state : states)
    context.add(make_type(input.dtype, state->sizes, first_device(context)));
  return {};
}
template <std::size_t States>
Status recurrent_rule(InferContext& context) {
  return recurrent(context, States);
}

/// One step: `cell(input, hx, w_ih, w_hh, …)`.
inline Status cell_rule(InferContext& context) {
  TREADLE_CHECK(check_same_dtype(context, {0, 1, 2, 3, 4, 5}));
  TREADLE_CHECK(
      check_same_size(context, context.tensor(0).sizes.back(), context.tensor(2).sizes.back()));
  const TensorType& state = context.tensor(1);
  context.add(make_type(state.dtype, state.sizes, first_device(context)));
  return {};
}

inline Status lstm_cell_rule(InferContext& context) {
  const auto states = context.tensors(1);
  if (states.size() != 2 || !states[0] || !states[1])
    return context.fail("expected 2 states, found ", states.size());
  for (const auto* state : states)
    context.add(make_type(state->dtype, state->sizes, first_device(context)));
  return {};
}

/// One layer of one direction over a sequence [time, batch, features]; the fourth result is
/// workspace of training, empty here.
inline Status rnn_layer_rule(InferContext& context) {
  const TensorType &input = context.tensor(0), &state = context.tensor(5);
  TREADLE_CHECK(check_rank(context, 0, 3));
  const SymInt width = context.integer(10);
  context.add(make_type(input.dtype, {input.sizes[0], input.sizes[1], width}, input.device));
  context.add(make_type(input.dtype, state.sizes, input.device));
  context.add(make_type(input.dtype, context.tensor(6).sizes, input.device));
  context.add(make_type(DType::uint8, {0}, input.device));
  return {};
}

}  // namespace treadle::inline v0::rules
