// Registration of the indexing kernels.
#pragma once

#include <treadle/cpu/index.hpp>
#include <treadle/cpu/index/advanced.hpp>
#include <treadle/cpu/index/select.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_index_select_kernels(KernelRegistry<Backend>& registry) {
  registry.add<"aten::index_select(Tensor self, int dim, Tensor index) -> Tensor">(IndexSelect{});
  registry.add<
      "aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool "
      "scale_grad_by_freq=False, bool sparse=False) -> Tensor">(Embedding{});
  registry.add<"aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor">(
      IndexCopy{});
}

TREADLE_INLINE void add_advanced_index_kernels(KernelRegistry<Backend>& registry) {
  registry.add<"aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor">(Index{});
  registry.add<"aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor">(Index{});
  registry.add<
      "aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> "
      "Tensor">(IndexPut{});
  registry.add<
      "aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool "
      "accumulate=False) -> Tensor">(IndexPut{});
  registry.add<
      "aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool "
      "accumulate=False, bool unsafe=False) -> Tensor">(IndexPut{});
}

TREADLE_INLINE KernelRegistry<Backend> index_kernels() {
  KernelRegistry<Backend> registry;
  add_index_select_kernels(registry);
  add_advanced_index_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
