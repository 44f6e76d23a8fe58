// Definition of the stock backend's kernel registry.
#pragma once

#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/kernels.hpp>
#include <treadle/cpu/movement.hpp>
#include <treadle/cpu/view.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE KernelRegistry<Backend> kernels() {
  KernelRegistry<Backend> registry = elementwise_kernels();
  registry.merge(view_kernels());
  return registry;
}

}  // namespace treadle::inline v0::cpu
