// Definitions of the registries of Fourier transforms.
#pragma once

#include <string_view>

#include <treadle/cpu/fft.hpp>
#include <treadle/cpu/fft/fft_helpers.hpp>
#include <treadle/cpu/fft/fft_kernel.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/ops/fft.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_fft_kernels(KernelRegistry<Backend>& registry) {
  for (const OpDef& definition : fft_ops()) {
    const std::string_view schema = definition.schema;
    if (definition.name().ends_with("shift"))
      registry.add_entry(planned_kernel<FftShiftKernel>(schema));
    else if (definition.name().ends_with("freq"))
      registry.add_entry(planned_kernel<FftFrequenciesKernel>(schema));
    else
      registry.add_entry(planned_kernel<FftKernel>(schema));
  }
}

TREADLE_INLINE KernelRegistry<Backend> fft_kernels() {
  KernelRegistry<Backend> registry;
  add_fft_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
