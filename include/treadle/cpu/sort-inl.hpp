// Definitions of the registries of sorting kernels.
#pragma once

#include <treadle/cpu/sort.hpp>
#include <treadle/cpu/sort/search_kernel.hpp>
#include <treadle/cpu/sort/sort_kernel.hpp>
#include <treadle/cpu/sort/unique_kernel.hpp>
#include <treadle/ops/sort.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_order_kernels(KernelRegistry<Backend>& registry) {
  add_planned<detail::SortKernel>(registry, sort_ops());
}
TREADLE_INLINE void add_search_kernels(KernelRegistry<Backend>& registry) {
  for (const OpDef& definition : search_ops())
    if (definition.name().starts_with("aten::isin"))
      registry.add_entry(planned_kernel<detail::IsInKernel>(definition.schema));
    else
      registry.add_entry(planned_kernel<detail::SearchKernel>(definition.schema));
}
TREADLE_INLINE void add_unique_kernels(KernelRegistry<Backend>& registry) {
  add_planned<detail::UniqueKernel>(registry, unique_ops());
}

TREADLE_INLINE KernelRegistry<Backend> sort_kernels() {
  KernelRegistry<Backend> registry;
  add_order_kernels(registry);
  add_search_kernels(registry);
  add_unique_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
