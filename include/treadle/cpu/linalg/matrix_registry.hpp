// How matrix algorithms become kernels of operators.
#pragma once

#include <string_view>

#include <treadle/cpu/linalg/matrix_kernel.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/linalg.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// Registers what `make` makes for every operator of the linear algebra table with this name.
inline void add_matrix_entries(KernelRegistry<Backend>& registry, std::string_view name,
                               KernelEntry<Backend> (*make)(std::string_view schema)) {
  for (const OpDef& definition : linalg_ops())
    if (definition.name() == name) registry.add_entry(make(definition.schema));
}

/// Registers the algorithm for every operator of the linear algebra table with this name.
template <class Algorithm>
void add_matrix_kernel(KernelRegistry<Backend>& registry, std::string_view name) {
  add_matrix_entries(registry, name, &planned_kernel<MatrixKernel<Algorithm>>);
}

}  // namespace detail

}  // namespace treadle::inline v0::cpu
