// Definitions of the registries of convolutions.
#pragma once

#include <treadle/cpu/conv.hpp>
#include <treadle/cpu/conv/conv_kernel.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/ops/conv.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_conv_kernels(KernelRegistry<Backend>& registry) {
  add_planned<ConvKernel>(registry, conv_ops());
}

TREADLE_INLINE KernelRegistry<Backend> conv_kernels() {
  KernelRegistry<Backend> registry;
  add_conv_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
