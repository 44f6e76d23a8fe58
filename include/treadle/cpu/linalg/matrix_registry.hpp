// How matrix algorithms become kernels of operators.
#pragma once

#include <string_view>

#include <treadle/cpu/linalg/matrix_kernel.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/linalg.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// Registers the plan for every operator of the linear algebra table with this name.
inline void add_matrix_entries(KernelRegistry<Backend>& registry, std::string_view name,
                               const PlanClass& plan) {
  for (const OpDef& definition : linalg_ops())
    if (definition.name() == name) registry.add_entry(plan_entry(definition.schema, plan));
}

/// Registers the algorithm for every operator of the linear algebra table with this name.
template <class Algorithm>
void add_matrix_kernel(KernelRegistry<Backend>& registry, std::string_view name) {
  add_matrix_entries(registry, name, plan_class<MatrixKernel<Algorithm>>);
}

}  // namespace detail

}  // namespace treadle::inline v0::cpu
