// CPU kernels of linear algebra.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `linear`, `matmul`, `mm`, `bmm`, `mv`, `dot`, `addmm` and their relatives.
void add_product_kernels(KernelRegistry<Backend>& registry);
/// `einsum`, `tensordot`, `outer`, `inner`, `bilinear` and their relatives.
void add_contraction_kernels(KernelRegistry<Backend>& registry);
/// `_grouped_mm` and what the transformers package puts in its place.
void add_grouped_kernels(KernelRegistry<Backend>& registry);
/// All kernels of linear algebra.
[[nodiscard]] KernelRegistry<Backend> linear_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/linear-inl.hpp>
#endif
