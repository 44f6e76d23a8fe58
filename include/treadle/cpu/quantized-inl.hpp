// Definitions of the registries of quantisation.
#pragma once

#include <treadle/cpu/quantized.hpp>
#include <treadle/cpu/quantized/quantize_kernel.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/ops/quantized.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_quantized_kernels(KernelRegistry<Backend>& registry) {
  for (const OpDef& definition : quantized_ops())
    if (!definition.decompose)
      registry.add_entry(planned_kernel<detail::QuantizeKernel>(definition.schema));
}

TREADLE_INLINE KernelRegistry<Backend> quantized_kernels() {
  KernelRegistry<Backend> registry;
  add_quantized_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
