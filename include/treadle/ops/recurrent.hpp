// Definitions of the recurrent operators.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `lstm`, `gru`, `rnn_tanh`, `rnn_relu` and their cells.
[[nodiscard]] std::span<const OpDef> recurrent_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/recurrent-inl.hpp>
#endif
