// The kernel of every recurrent operator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/recurrent/recurrent_call.hpp>
#include <treadle/cpu/recurrent/recurrent_layer.hpp>

namespace treadle::inline v0::cpu {

/// A plan for `planned_kernel`. Half-width networks are computed in float32.
class RecurrentKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    PrepareContext<Backend>& context = arguments.context();
    TREADLE_TRY(const RecurrentCall call, RecurrentCall::read(arguments));
    TREADLE_CHECK(read_shape(context, call));
    ScratchLayout scratch;
    work_.reserve(shape_, scratch);
    TREADLE_CHECK(prepare_states(context, call, scratch));
    TREADLE_CHECK(prepare_sequence(context, call, scratch));
    std::vector<RecurrentLayer::Weights> weights;
    TREADLE_CHECK(prepare_weights(context, call, scratch, weights));
    work_.product = scratch.bytes();
    TensorMeta input = input_.meta();
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const bool reverse = call.reverse || i % directions_ == 1;
      if (i == directions_)
        input = make_meta(shape_.dtype, {shape_.time, shape_.batch, features()});
      TREADLE_TRY(RecurrentLayer layer,
                  RecurrentLayer::make(context, shape_, input, weights[i], reverse, work_));
      layers_.push_back(std::move(layer));
    }
    context.request_scratch(scratch.bytes());
    math_ = &simd::vector_maps(simd::detect());
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    if (shape_.dtype == DType::float64)
      run_as<double>(context, tensors);
    else
      run_as<float>(context, tensors);
    return {};
  }

 private:
  /// Hidden or cell states of all layers: dense, updated in place.
  struct State {
    std::size_t slot = 0, result = 0, at = 0;
    bool is_direct = false;  ///< in the result itself
    ConvertCopy load, store;
  };

  [[nodiscard]] std::int64_t features() const noexcept {
    return shape_.width * static_cast<std::int64_t>(directions_);
  }

  Status read_shape(PrepareContext<Backend>& context, const RecurrentCall& call) {
    const DType dtype = call.input.info.dtype();
    if (!is_floating(dtype) || size_of(dtype) < 2)
      return context.fail("there is no recurrent network of ", name(dtype), " tensors");
    per_direction_ = call.has_biases ? 4 : 2;
    directions_ = static_cast<std::size_t>(call.directions);
    const std::size_t expected_states = call.kind == CellKind::lstm ? 2 : 1;
    if (call.states.size() < expected_states || call.weights.size() < per_direction_ ||
        call.layers < 1)
      return context.fail("expected states and weights of ", call.layers, " layers, found ",
                          call.states.size(), " states and ", call.weights.size(), " weights");
    state_count_ = expected_states;
    const TensorMeta sequence = call.sequence(call.input.info.meta());
    const TensorMeta& recurrent = call.weights[1].info.meta();
    if (sequence.rank() != 3 || recurrent.rank() != 2 || call.states[0].info.meta().rank() == 0)
      return context.fail("input, states and weights have wrong ranks");
    shape_.kind = call.kind;
    shape_.dtype = dtype == DType::float64 ? dtype : DType::float32;
    shape_.time = sequence.sizes[0];
    shape_.batch = sequence.sizes[1];
    shape_.hidden = recurrent.sizes[0] / gate_count(call.kind);
    shape_.width = call.states[0].info.meta().sizes.back();
    if (shape_.width != shape_.hidden) per_direction_ += 1;
    const std::size_t sets = directions_ * static_cast<std::size_t>(call.layers);
    if (call.weights.size() < sets * per_direction_ ||
        (shape_.width != shape_.hidden && call.kind != CellKind::lstm))
      return context.fail("the weights do not fit states of sizes ",
                          call.states[0].info.meta().sizes);
    sets_ = sets;
    return {};
  }

  Status prepare_states(PrepareContext<Backend>& context, const RecurrentCall& call,
                        ScratchLayout& scratch) {
    const std::size_t first = call.is_cell ? 0 : 1;
    for (std::size_t i = 0; i < state_count_; ++i) {
      State state;
      const TensorMeta& from = call.states[i].info.meta();
      const TensorMeta& to = context.results()[first + i].meta();
      const std::int64_t width = i == 0 ? shape_.width : shape_.hidden;
      const std::int64_t wanted = static_cast<std::int64_t>(sets_) * shape_.batch * width;
      if (element_count(from) != wanted || from.sizes != to.sizes)
        return context.fail("a state of sizes ", from.sizes, " has ", element_count(from),
                            " elements, expected ", wanted);
      state.slot = call.states[i].slot;
      state.result = call.result_slot + first + i;
      state.is_direct = to.dtype == shape_.dtype && is_contiguous(to);
      const TensorMeta dense = make_meta(shape_.dtype, to.sizes);
      TREADLE_TRY(state.load, ConvertCopy::make(from, dense));
      if (!state.is_direct) {
        state.at = scratch.reserve(dense);
        TREADLE_TRY(state.store, ConvertCopy::make(dense, to));
      }
      states_[i] = std::move(state);
    }
    return {};
  }

  Status prepare_sequence(PrepareContext<Backend>& context, const RecurrentCall& call,
                          ScratchLayout& scratch) {
    const TensorMeta dense = make_meta(shape_.dtype, {shape_.time, shape_.batch, features()});
    TREADLE_TRY(input_, CastOperand::make(call.sequence(call.input.info.meta()), shape_.dtype,
                                          false, call.input.slot, scratch));
    for (auto& at : between_)
      if (call.layers > 1) at = scratch.reserve(dense);
    has_out_ = !call.is_cell;
    if (!has_out_) return {};
    out_slot_ = call.result_slot;
    const TensorMeta out = call.sequence(context.results()[0].meta());
    if (out.sizes != dense.sizes)
      return context.fail("the result has sizes ", out.sizes, ", expected ", dense.sizes);
    converts_out_ = out.dtype != shape_.dtype || (out.strides[2] != 1 && out.sizes[2] != 1);
    out_time_ = out.strides[0], out_batch_ = out.strides[1];
    if (!converts_out_) return {};
    out_time_ = dense.strides[0], out_batch_ = dense.strides[1];
    out_at_ = scratch.reserve(dense);
    TREADLE_TRY(out_copy_, ConvertCopy::make(dense, out));
    return {};
  }

  /// Reads the weights of every layer and direction into `operands_` and `weights`.
  Status prepare_weights(PrepareContext<Backend>& context, const RecurrentCall& call,
                         ScratchLayout& scratch, std::vector<RecurrentLayer::Weights>& weights) {
    const bool projects = shape_.width != shape_.hidden;
    weights.resize(sets_);
    operands_.resize(sets_);
    for (std::size_t set = 0; set < sets_; ++set)
      for (std::size_t i = 0; i < per_direction_; ++i) {
        const bool is_projection = projects && i + 1 == per_direction_;
        const std::size_t role = is_projection ? 4 : i;
        const SlottedTensor& weight = call.weights[set * per_direction_ + i];
        if (weight.info.is_none()) continue;
        const TensorMeta& meta = weight.info.meta();
        const bool is_bias = role == 2 || role == 3;
        if (meta.rank() != (is_bias ? 1u : 2u) || (is_bias && meta.sizes[0] != shape_.gates()))
          return context.fail("a weight has sizes ", meta.sizes, ", expected ", shape_.gates(),
                              " gates");
        auto& operand = operands_[set].tensors[role];
        TREADLE_TRY(operand, CastOperand::make(meta, shape_.dtype, is_bias, weight.slot, scratch));
        weights[set].metas[role] = operand.meta();
        if (!operand.converts()) weights[set].constants[role] = weight.info.constant();
      }
    return {};
  }

  template <class T>
  void run_as(RunContext<Backend>& context, Tensor* const* tensors) const {
    std::byte* const scratch = context.scratch();
    const ParallelFor& parallel_for = context.parallel_for;
    T* states[2] = {};
    for (std::size_t i = 0; i < state_count_; ++i) {
      const State& state = states_[i];
      std::byte* const to = state.is_direct ? tensors[state.result]->bytes() : scratch + state.at;
      state.load.run(parallel_for, tensors[state.slot]->bytes(), to);
      states[i] = reinterpret_cast<T*>(to);
    }
    std::byte* const out = has_out_ ? tensors[out_slot_]->bytes() : nullptr;
    RecurrentData<T> data;
    data.input = reinterpret_cast<const T*>(input_.place(parallel_for, tensors, scratch));
    for (std::size_t set = 0; set < sets_; ++set) {
      const std::size_t layer = set / directions_, direction = set % directions_;
      if (direction == 0 && layer > 0)
        data.input = reinterpret_cast<const T*>(scratch + between_[(layer - 1) % 2]);
      for (std::size_t i = 0; i < 5; ++i)
        data.weights[i] = operands_[set].tensors[i].place(parallel_for, tensors, scratch);
      const bool is_last = layer + 1 == sets_ / directions_;
      std::byte* base =
          is_last ? (converts_out_ ? scratch + out_at_ : out) : scratch + between_[layer % 2];
      data.out =
          base ? reinterpret_cast<T*>(base) + static_cast<std::int64_t>(direction) * shape_.width
               : nullptr;
      data.out_time = is_last ? out_time_ : shape_.batch * features();
      data.out_batch = is_last ? out_batch_ : features();
      const auto at = static_cast<std::int64_t>(set) * shape_.batch;
      data.hidden = states[0] + at * shape_.width;
      data.cell = states[1] ? states[1] + at * shape_.hidden : nullptr;
      layers_[set].run(data, *math_, scratch, parallel_for);
    }
    if (converts_out_) out_copy_.run(parallel_for, scratch + out_at_, out);
    for (std::size_t i = 0; i < state_count_; ++i)
      if (!states_[i].is_direct)
        states_[i].store.run(parallel_for, scratch + states_[i].at,
                             tensors[states_[i].result]->bytes());
  }

  struct Operands {
    CastOperand tensors[5];
  };

  RecurrentShape shape_;
  RecurrentScratch work_;
  std::vector<RecurrentLayer> layers_;  ///< directions of the first layer, then of the next
  std::vector<Operands> operands_;
  State states_[2];
  CastOperand input_;
  ConvertCopy out_copy_;
  const simd::VectorMaps* math_ = nullptr;
  std::size_t state_count_ = 1, directions_ = 1, per_direction_ = 4, sets_ = 1;
  std::size_t between_[2] = {}, out_slot_ = 0, out_at_ = 0;
  std::int64_t out_time_ = 0, out_batch_ = 0;
  bool has_out_ = false, converts_out_ = false;
};

}  // namespace treadle::inline v0::cpu
