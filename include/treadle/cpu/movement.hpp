// CPU kernels that move elements into new memory.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `cat`, `stack`, `hstack`, …
void add_join_kernels(KernelRegistry<Backend>& registry);
/// `repeat`, `flip`, `rot90`, `diag`, `pixel_shuffle`, …
void add_arrange_kernels(KernelRegistry<Backend>& registry);
/// `roll`, `tril`, `triu`, `one_hot`, `block_diag`, `im2col`, …
void add_grid_kernels(KernelRegistry<Backend>& registry);
/// All of them.
[[nodiscard]] KernelRegistry<Backend> movement_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/movement-inl.hpp>
#endif
