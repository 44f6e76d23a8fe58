// One direction of one layer of a recurrent network over a whole sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/cpu/linear/cast_operand.hpp>
#include <treadle/cpu/linear/product.hpp>
#include <treadle/cpu/linear/product_kernel.hpp>
#include <treadle/cpu/recurrent/gate_math.hpp>

namespace treadle::inline v0::cpu {

/// Sizes that all layers of a network share.
struct RecurrentShape {
  CellKind kind = CellKind::lstm;
  DType dtype = DType::float32;  ///< of the computation
  std::int64_t time = 1, batch = 1, hidden = 1;
  std::int64_t width = 1;  ///< of the output: `hidden`, or less with a projection

  [[nodiscard]] std::int64_t gates() const noexcept { return gate_count(kind) * hidden; }
};

/// Places in scratch of what a layer works with, in bytes.
struct RecurrentScratch {
  std::size_t gates = 0, state_gates = 0, raw = 0, bias = 0, product = 0;

  void reserve(const RecurrentShape& shape, ScratchLayout& scratch) {
    const std::int64_t rows = shape.batch;
    const auto bytes = [&](std::int64_t n) {
      return static_cast<std::size_t>(n) * size_of(shape.dtype);
    };
    gates = scratch.reserve(bytes(shape.time * rows * shape.gates()));
    state_gates = scratch.reserve(bytes(rows * shape.gates()));
    raw = scratch.reserve(bytes(rows * shape.hidden));
    bias = scratch.reserve(bytes(shape.gates()));
  }
};

/// Where a layer reads and writes. States are dense and updated in place.
template <class T>
struct RecurrentData {
  const T* input = nullptr;
  const std::byte* weights[5] = {};  ///< w_ih, w_hh, b_ih, b_hh, w_hr; null where there is none
  T* hidden = nullptr;
  T* cell = nullptr;
  T* out = nullptr;  ///< at time 0 of the sequence, or null
  std::int64_t out_time = 0, out_batch = 0;
};

/// Products of the layer, for one layout of the input.
class RecurrentLayer {
 public:
  /// `input` is [time, batch, features]; the weights are as `RecurrentData` lists them.
  struct Weights {
    TensorMeta metas[5];
    const Tensor* constants[5] = {};
  };

  static Result<RecurrentLayer> make(PrepareContext<Backend>& context, const RecurrentShape& shape,
                                     const TensorMeta& input, const Weights& weights, bool reverse,
                                     const RecurrentScratch& scratch) {
    RecurrentLayer layer;
    layer.shape_ = shape;
    layer.scratch_ = scratch;
    layer.reverse_ = reverse;
    const auto right = [&](std::size_t i) { return detail::transposed(weights.metas[i]); };
    const DType dtype = shape.dtype;
    TREADLE_TRY(layer.input_,
                Product::make(context, input, detail::with_rank(right(0), 3),
                              make_meta(dtype, {shape.time, shape.batch, shape.gates()}),
                              weights.constants[0], scratch.product));
    TREADLE_TRY(layer.state_,
                Product::make(context, make_meta(dtype, {shape.batch, shape.width}), right(1),
                              make_meta(dtype, {shape.batch, shape.gates()}), weights.constants[1],
                              scratch.product));
    if (shape.width == shape.hidden) return layer;
    TREADLE_TRY(layer.projection_,
                Product::make(context, make_meta(dtype, {shape.batch, shape.hidden}), right(4),
                              make_meta(dtype, {shape.batch, shape.width}), weights.constants[4],
                              scratch.product));
    return layer;
  }

  template <class T>
  void run(const RecurrentData<T>& data, const simd::VectorMaps& math, std::byte* scratch,
           const ParallelFor& parallel_for) const {
    T* const gates = reinterpret_cast<T*>(scratch + scratch_.gates);
    T* const bias = reinterpret_cast<T*>(scratch + scratch_.bias);
    const detail::GateMath<T> gate(math);
    const auto n = static_cast<std::size_t>(shape_.gates());
    GemmEpilogue epilogue;
    const bool joins = shape_.kind != CellKind::gru;
    epilogue.column_bias = data.weights[2] || !joins ? data.weights[2] : data.weights[3];
    if (joins && data.weights[2] && data.weights[3]) {
      gate.add(reinterpret_cast<const T*>(data.weights[2]),
               reinterpret_cast<const T*>(data.weights[3]), bias, n);
      epilogue.column_bias = bias;
    }
    input_.run(parallel_for, data.input, data.weights[0], gates, epilogue, scratch);
    for (std::int64_t i = 0; i < shape_.time; ++i) {
      const std::int64_t t = reverse_ ? shape_.time - 1 - i : i;
      step(data, gate, gates + t * shape_.batch * shape_.gates(), scratch, parallel_for);
      if (!data.out) continue;
      for (std::int64_t b = 0; b < shape_.batch; ++b)
        std::memcpy(data.out + t * data.out_time + b * data.out_batch,
                    data.hidden + b * shape_.width,
                    static_cast<std::size_t>(shape_.width) * sizeof(T));
    }
  }

 private:
  template <class T>
  void step(const RecurrentData<T>& data, const detail::GateMath<T>& gate, T* gates,
            std::byte* scratch, const ParallelFor& parallel_for) const {
    const auto n = static_cast<std::size_t>(shape_.hidden);
    GemmEpilogue epilogue;
    if (shape_.kind == CellKind::gru) {
      T* const state = reinterpret_cast<T*>(scratch + scratch_.state_gates);
      epilogue.column_bias = data.weights[3];
      state_.run(parallel_for, data.hidden, data.weights[1], state, epilogue, scratch);
      for (std::int64_t b = 0; b < shape_.batch; ++b)
        gate.gru(gates + b * shape_.gates(), state + b * shape_.gates(),
                 data.hidden + b * shape_.hidden, n);
      return;
    }
    epilogue.beta = 1;
    state_.run(parallel_for, data.hidden, data.weights[1], gates, epilogue, scratch);
    if (shape_.kind == CellKind::rnn_tanh)
      return gate.tanh(gates, data.hidden, n * static_cast<std::size_t>(shape_.batch));
    if (shape_.kind == CellKind::rnn_relu)
      return gate.relu(gates, data.hidden, n * static_cast<std::size_t>(shape_.batch));
    const bool projects = shape_.width != shape_.hidden;
    T* const raw = projects ? reinterpret_cast<T*>(scratch + scratch_.raw) : data.hidden;
    for (std::int64_t b = 0; b < shape_.batch; ++b)
      gate.lstm(gates + b * shape_.gates(), data.cell + b * shape_.hidden, raw + b * shape_.hidden,
                n);
    if (projects)
      projection_.run(parallel_for, raw, data.weights[4], data.hidden, GemmEpilogue(), scratch);
  }

  RecurrentShape shape_;
  RecurrentScratch scratch_;
  Product input_, state_, projection_;
  bool reverse_ = false;
};

}  // namespace treadle::inline v0::cpu
