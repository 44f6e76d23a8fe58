// Definition of the registry of pooling kernels.
#pragma once

#include <treadle/cpu/pool.hpp>
#include <treadle/cpu/pool/fractional_kernel.hpp>
#include <treadle/cpu/pool/pool_kernel.hpp>
#include <treadle/ops/pool.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE KernelRegistry<Backend> pool_kernels() {
  KernelRegistry<Backend> registry;
  add_planned<detail::PoolKernel>(registry, pool_ops());
  add_planned<detail::FractionalPoolKernel>(registry, fractional_pool_ops());
  return registry;
}

}  // namespace treadle::inline v0::cpu
