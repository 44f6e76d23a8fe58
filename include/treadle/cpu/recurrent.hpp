// CPU kernels of recurrent networks.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `lstm`, `gru`, `rnn_tanh`, `rnn_relu` and their cells.
void add_recurrent_kernels(KernelRegistry<Backend>& registry);
[[nodiscard]] KernelRegistry<Backend> recurrent_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/recurrent-inl.hpp>
#endif
