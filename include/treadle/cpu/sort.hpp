// CPU kernels of sorting, searching and finding unique elements.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `sort`, `argsort`, `topk`, `kthvalue`, `median`, `mode`.
void add_order_kernels(KernelRegistry<Backend>& registry);
/// `searchsorted`, `bucketize`, `isin`.
void add_search_kernels(KernelRegistry<Backend>& registry);
/// `_unique2`, `unique_dim`, `unique_consecutive`.
void add_unique_kernels(KernelRegistry<Backend>& registry);
/// All of them.
[[nodiscard]] KernelRegistry<Backend> sort_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/sort-inl.hpp>
#endif
