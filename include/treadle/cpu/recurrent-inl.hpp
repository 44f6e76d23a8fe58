// Definitions of the registries of recurrent networks.
#pragma once

#include <treadle/cpu/recurrent.hpp>
#include <treadle/cpu/recurrent/recurrent_kernel.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/ops/recurrent.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_recurrent_kernels(KernelRegistry<Backend>& registry) {
  add_planned<RecurrentKernel>(registry, recurrent_ops());
}

TREADLE_INLINE KernelRegistry<Backend> recurrent_kernels() {
  KernelRegistry<Backend> registry;
  add_recurrent_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
