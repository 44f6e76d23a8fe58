// Definitions of the registries of reductions.
#pragma once

#include <treadle/cpu/reduction.hpp>
#include <treadle/cpu/reduction/reduction_kernel.hpp>
#include <treadle/cpu/reduction/scan_kernel.hpp>
#include <treadle/cpu/reduction/softmax_kernel.hpp>
#include <treadle/ops/reduction.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_reduction_kernels(KernelRegistry<Backend>& registry) {
  add_planned<detail::ReductionKernel>(registry, reduction_ops());
}
TREADLE_INLINE void add_softmax_kernels(KernelRegistry<Backend>& registry) {
  add_planned<detail::SoftmaxKernel>(registry, softmax_ops());
}
TREADLE_INLINE void add_scan_kernels(KernelRegistry<Backend>& registry) {
  add_planned<detail::ScanKernel>(registry, scan_ops());
}

TREADLE_INLINE KernelRegistry<Backend> reduction_kernels() {
  KernelRegistry<Backend> registry;
  add_reduction_kernels(registry);
  add_softmax_kernels(registry);
  add_scan_kernels(registry);
  add_loss_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
