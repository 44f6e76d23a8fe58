// CPU kernels that read and write elements at computed places.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `index_select`, `embedding`, `index_copy`.
void add_index_select_kernels(KernelRegistry<Backend>& registry);
/// `index`, `index_put` and their unsafe forms.
void add_advanced_index_kernels(KernelRegistry<Backend>& registry);
/// `gather`, `scatter`, `scatter_add`, `scatter_reduce`, `take_along_dim`.
void add_scatter_kernels(KernelRegistry<Backend>& registry);
/// `index_add`, `index_fill`, `index_reduce`, `put`, `take`.
void add_index_accumulate_kernels(KernelRegistry<Backend>& registry);
/// `masked_select`, `masked_scatter`, `nonzero`, …
void add_mask_kernels(KernelRegistry<Backend>& registry);
/// `embedding_bag`.
void add_embedding_bag_kernels(KernelRegistry<Backend>& registry);
/// All of them.
[[nodiscard]] KernelRegistry<Backend> index_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/index-inl.hpp>
#endif
