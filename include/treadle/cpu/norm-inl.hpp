// Definition of the registry of normalisation kernels.
#pragma once

#include <treadle/cpu/norm.hpp>
#include <treadle/cpu/norm/channel_norm_kernel.hpp>
#include <treadle/cpu/norm/row_norm_kernel.hpp>
#include <treadle/cpu/norm/weight_norm_kernel.hpp>
#include <treadle/ops/norm.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE KernelRegistry<Backend> norm_kernels() {
  KernelRegistry<Backend> registry;
  for (const OpDef& definition : norm_ops()) {
    const auto name = definition.name();
    if (name.find("layer_norm") != name.npos || name.find("rms_norm") != name.npos)
      registry.add_entry(planned_kernel<detail::RowNormKernel>(definition.schema));
    else if (name.find("weight_norm") != name.npos)
      registry.add_entry(planned_kernel<detail::WeightNormKernel>(definition.schema));
    else
      registry.add_entry(planned_kernel<detail::ChannelNormKernel>(definition.schema));
  }
  return registry;
}

}  // namespace treadle::inline v0::cpu
