// CPU kernels of view operators where elements have to move.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `reshape` and its relatives: all that most programs need besides the views themselves.
void add_reshape_kernels(KernelRegistry<Backend>& registry);
/// The `*_copy` forms of views: `permute_copy`, `slice_copy`, …
void add_view_copy_kernels(KernelRegistry<Backend>& registry);
/// `slice_scatter`, `select_scatter`, `diagonal_scatter`, `as_strided_scatter`.
void add_view_scatter_kernels(KernelRegistry<Backend>& registry);
/// All of them.
[[nodiscard]] KernelRegistry<Backend> view_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/view-inl.hpp>
#endif
