// How matrix algorithms become kernels of operators.
#pragma once

#include <string_view>

#include <treadle/cpu/linalg/matrix_kernel.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/linalg.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// Registers the algorithm for every operator of the linear algebra table with this name.
template <class Algorithm>
void add_matrix_kernel(KernelRegistry<Backend>& registry, std::string_view name) {
  for (const OpDef& definition : linalg_ops())
    if (definition.name() == name)
      registry.add_entry(planned_kernel<MatrixKernel<Algorithm>>(definition.schema));
}

}  // namespace detail

}  // namespace treadle::inline v0::cpu
