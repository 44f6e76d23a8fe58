// Definitions of the registries of linear algebra.
#pragma once

#include <treadle/cpu/linear.hpp>
#include <treadle/cpu/linear/contraction_kernel.hpp>
#include <treadle/cpu/linear/grouped_product.hpp>
#include <treadle/cpu/linear/product_kernel.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/ops/linear.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_product_kernels(KernelRegistry<Backend>& registry) {
  add_planned<ProductKernel>(registry, product_ops());
}
TREADLE_INLINE void add_contraction_kernels(KernelRegistry<Backend>& registry) {
  add_planned<ContractionKernel>(registry, contraction_ops());
}
TREADLE_INLINE void add_grouped_kernels(KernelRegistry<Backend>& registry) {
  add_planned<GroupedProductKernel>(registry, grouped_ops());
}

TREADLE_INLINE KernelRegistry<Backend> linear_kernels() {
  KernelRegistry<Backend> registry;
  add_product_kernels(registry);
  add_contraction_kernels(registry);
  add_grouped_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
