// The table behind `recurrent_ops`.
#pragma once

#include <treadle/ops/recurrent.hpp>
#include <treadle/ops/recurrent/recurrent_rules.hpp>

namespace treadle::inline v0 {

namespace detail {
inline constexpr OpDef recurrent_table[] = {
    {"aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int "
     "num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
     "Tensor, Tensor)",
     &rules::recurrent_rule<2>},
    {"aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
     "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
     &rules::recurrent_rule<1>},
    {"aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int "
     "num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
     "Tensor)",
     &rules::recurrent_rule<1>},
    {"aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int "
     "num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
     "Tensor)",
     &rules::recurrent_rule<1>},
    {"aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
     "Tensor? b_hh=None) -> (Tensor, Tensor)",
     &rules::lstm_cell_rule},
    {"aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
     "b_hh=None) -> Tensor",
     &rules::cell_rule},
    {"aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
     "Tensor? b_hh=None) -> Tensor",
     &rules::cell_rule},
    {"aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
     "Tensor? b_hh=None) -> Tensor",
     &rules::cell_rule},
    {"aten::mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor "
     "weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int "
     "hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool "
     "train) -> (Tensor, Tensor, Tensor, Tensor)",
     &rules::rnn_layer_rule},
};
}  // namespace detail

TREADLE_INLINE std::span<const OpDef> recurrent_ops() { return detail::recurrent_table; }

}  // namespace treadle::inline v0
