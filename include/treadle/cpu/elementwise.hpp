// Kernels of the elementwise operators, by group.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// The operators of `arithmetic_ops()`.
void add_arithmetic_kernels(KernelRegistry<Backend>& registry);
/// The operators of `compare_ops()`.
void add_compare_kernels(KernelRegistry<Backend>& registry);
/// The operators of `math_ops()`.
void add_math_kernels(KernelRegistry<Backend>& registry);
/// The operators of `special_ops()`.
void add_special_kernels(KernelRegistry<Backend>& registry);
/// The operators of `activation_ops()`.
void add_activation_kernels(KernelRegistry<Backend>& registry);
/// The operators of `select_ops()`.
void add_select_kernels(KernelRegistry<Backend>& registry);
/// `conj` of complex tensors, which `copy_ops()` defines.
void add_conjugate_kernels(KernelRegistry<Backend>& registry);

/// All of them.
[[nodiscard]] inline KernelRegistry<Backend> elementwise_kernels() {
  KernelRegistry<Backend> registry;
  add_arithmetic_kernels(registry);
  add_compare_kernels(registry);
  add_math_kernels(registry);
  add_special_kernels(registry);
  add_activation_kernels(registry);
  add_select_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/elementwise/activation-inl.hpp>
#include <treadle/cpu/elementwise/arithmetic-inl.hpp>
#include <treadle/cpu/elementwise/compare-inl.hpp>
#include <treadle/cpu/elementwise/math-inl.hpp>
#include <treadle/cpu/elementwise/select-inl.hpp>
#include <treadle/cpu/elementwise/special-inl.hpp>
#endif
