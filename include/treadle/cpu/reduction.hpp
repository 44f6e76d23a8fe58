// CPU kernels that reduce, scan, or normalise along dimensions.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `sum`, `mean`, `amax`, `argmax`, `var`, `norm` and their relatives.
void add_reduction_kernels(KernelRegistry<Backend>& registry);
/// `softmax`, `log_softmax`.
void add_softmax_kernels(KernelRegistry<Backend>& registry);
/// `cumsum`, `cumprod`, `cummax`, `cummin`, `logcumsumexp`.
void add_scan_kernels(KernelRegistry<Backend>& registry);
/// Loss functions and distances.
void add_loss_kernels(KernelRegistry<Backend>& registry);
/// All of them.
[[nodiscard]] KernelRegistry<Backend> reduction_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/reduction-inl.hpp>
#include <treadle/cpu/reduction/loss_kernels-inl.hpp>
#endif
