// Definition of the registry of losses and distances.
#pragma once

#include <treadle/cpu/reduction.hpp>
#include <treadle/cpu/reduction/class_loss_kernel.hpp>
#include <treadle/cpu/reduction/distance_kernel.hpp>
#include <treadle/cpu/reduction/loss_kernel.hpp>
#include <treadle/ops/reduction.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_loss_kernels(KernelRegistry<Backend>& registry) {
  add_planned<detail::LossKernel>(registry, loss_ops());
  add_planned<detail::ClassLossKernel>(registry, class_loss_ops());
  add_planned<detail::DistanceKernel>(registry, distance_ops());
}

}  // namespace treadle::inline v0::cpu
