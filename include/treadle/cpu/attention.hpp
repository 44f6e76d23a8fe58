// CPU kernels of attention.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `scaled_dot_product_attention` and its relatives.
void add_attention_kernels(KernelRegistry<Backend>& registry);
[[nodiscard]] KernelRegistry<Backend> attention_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/attention-inl.hpp>
#endif
