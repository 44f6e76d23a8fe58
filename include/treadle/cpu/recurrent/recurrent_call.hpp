// The arguments of any recurrent operator in one form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/linear/product_kernel.hpp>
#include <treadle/cpu/recurrent/recurrent_layer.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>

namespace treadle::inline v0::cpu {

/// A tensor of the call with its place among the tensors of a run.
struct SlottedTensor {
  TensorInfo<Backend> info;
  std::size_t slot = 0;
};

/// Whole networks, single cells and single layers, told apart once.
struct RecurrentCall {
  CellKind kind = CellKind::lstm;
  bool is_cell = false;  ///< one step: there is no sequence of outputs
  bool has_biases = true;
  bool batch_first = false;
  bool reverse = false;  ///< of a single layer
  std::int64_t layers = 1, directions = 1;
  SlottedTensor input;
  std::vector<SlottedTensor> states;
  std::vector<SlottedTensor> weights;  ///< w_ih, w_hh[, b_ih, b_hh][, w_hr] of each direction
  std::size_t result_slot = 0;

  static Result<RecurrentCall> read(const CallArguments& call) {
    RecurrentCall out;
    const std::string_view name = call.base_name();
    const bool is_layer = name == "mkldnn_rnn_layer";
    out.is_cell = name.ends_with("_cell");
    if (name.starts_with("gru")) out.kind = CellKind::gru;
    if (name.starts_with("rnn_tanh")) out.kind = CellKind::rnn_tanh;
    if (name.starts_with("rnn_relu")) out.kind = CellKind::rnn_relu;
    out.read_tensors(call);
    if (is_layer) {
      const auto mode = call.get<std::int64_t>("mode", 2);
      if (mode < 0 || mode > 3) return call.context().fail("unknown mode ", mode);
      out.kind = static_cast<CellKind>(mode);
      out.reverse = call.get<bool>("reverse", false);
    } else if (!out.is_cell) {
      out.layers = call.get<std::int64_t>("num_layers", 1);
      out.directions = call.get<bool>("bidirectional", false) ? 2 : 1;
      out.batch_first = call.get<bool>("batch_first", false);
    }
    out.has_biases = call.get<bool>("has_biases", true);
    const bool trains = call.get<bool>("train", false) && call.get<double>("dropout", 0.0) > 0.0;
    if (trains && out.layers > 1)
      return call.context().fail("dropout between layers in training can't be computed");
    return out;
  }

  /// The input as [time, batch, features].
  [[nodiscard]] TensorMeta sequence(TensorMeta meta) const {
    if (is_cell) {
      meta = detail::unsqueezed(std::move(meta), 0);
      if (meta.rank() == 2) meta = detail::unsqueezed(std::move(meta), 1);
    } else if (meta.rank() == 2) {
      meta = detail::unsqueezed(std::move(meta), 1);
    } else if (batch_first) {
      std::swap(meta.sizes[0], meta.sizes[1]);
      std::swap(meta.strides[0], meta.strides[1]);
    }
    return meta;
  }

 private:
  void read_tensors(const CallArguments& call) {
    const Schema& schema = call.schema();
    std::size_t slot = 0;
    for (std::size_t i = 0; i < schema.argument_count; ++i) {
      const auto& argument = call.context().argument(i);
      const auto take = [&](const TensorInfo<Backend>& info) {
        const SlottedTensor tensor{info, slot++};
        if (i == 0)
          input = tensor;
        else if (schema.arguments[i].name.starts_with("hx") ||
                 schema.arguments[i].name.starts_with("cx"))
          states.push_back(tensor);
        else
          weights.push_back(tensor);
      };
      if (const auto* one = std::get_if<TensorInfo<Backend>>(&argument)) take(*one);
      if (const auto* list = std::get_if<std::vector<TensorInfo<Backend>>>(&argument))
        for (const auto& item : *list) take(item);
    }
    result_slot = slot;
  }
};

}  // namespace treadle::inline v0::cpu
