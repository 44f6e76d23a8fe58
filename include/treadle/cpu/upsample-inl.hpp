// Definitions of the registries of resampling.
#pragma once

#include <string_view>

#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/cpu/upsample.hpp>
#include <treadle/cpu/upsample/affine_grid_kernel.hpp>
#include <treadle/cpu/upsample/grid_kernel.hpp>
#include <treadle/cpu/upsample/upsample_kernel.hpp>
#include <treadle/ops/upsample.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_upsample_kernels(KernelRegistry<Backend>& registry) {
  for (const OpDef& definition : upsample_ops())
    if (definition.name().find("upsample") != std::string_view::npos)
      registry.add_entry(planned_kernel<UpsampleKernel>(definition.schema));
}

TREADLE_INLINE void add_grid_sampler_kernels(KernelRegistry<Backend>& registry) {
  for (const OpDef& definition : upsample_ops()) {
    if (definition.name().starts_with("aten::grid_sampler"))
      registry.add_entry(planned_kernel<GridSamplerKernel>(definition.schema));
    if (definition.name().starts_with("aten::affine_grid"))
      registry.add_entry(planned_kernel<AffineGridKernel>(definition.schema));
  }
}

TREADLE_INLINE KernelRegistry<Backend> upsample_kernels() {
  KernelRegistry<Backend> registry;
  add_upsample_kernels(registry);
  add_grid_sampler_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
