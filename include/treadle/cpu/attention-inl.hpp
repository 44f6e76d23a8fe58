// Definitions of the registries of attention.
#pragma once

#include <treadle/cpu/attention.hpp>
#include <treadle/cpu/attention/attention_kernel.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/ops/attention.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_attention_kernels(KernelRegistry<Backend>& registry) {
  add_planned<AttentionKernel>(registry, attention_ops());
}

TREADLE_INLINE KernelRegistry<Backend> attention_kernels() {
  KernelRegistry<Backend> registry;
  add_attention_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
