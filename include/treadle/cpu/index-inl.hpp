// Registration of the indexing kernels.
#pragma once

#include <treadle/cpu/index.hpp>
#include <treadle/cpu/index/accumulate.hpp>
#include <treadle/cpu/index/advanced.hpp>
#include <treadle/cpu/index/embedding_bag.hpp>
#include <treadle/cpu/index/found.hpp>
#include <treadle/cpu/index/scatter.hpp>
#include <treadle/cpu/index/select.hpp>
#include <treadle/cpu/index/take_along.hpp>

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

TREADLE_INLINE void add_scatter_kernels(KernelRegistry<Backend>& registry) {
  registry
      .add<"aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor">(
          Gather{});
  registry.add<"aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor">(
      Scatter{});
  registry.add<"aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor">(
      Scatter{});
  registry.add<
      "aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> "
      "Tensor">(Scatter{});
  registry.add<
      "aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) "
      "-> Tensor">(Scatter{});
  registry.add<"aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor">(
      Scatter{Combine::add});
  registry.add<
      "aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
      "bool include_self=True) -> Tensor">(Scatter{});
  registry.add<"aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor">(
      TakeAlong{});
}

TREADLE_INLINE void add_index_accumulate_kernels(KernelRegistry<Backend>& registry) {
  registry.add<
      "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> "
      "Tensor">(IndexAdd{});
  registry.add<
      "aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor">(
      IndexFill{});
  registry.add<
      "aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor">(
      IndexFill{});
  registry.add<
      "aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
      "include_self=True) -> Tensor">(IndexReduce{});
  registry.add<"aten::take(Tensor self, Tensor index) -> Tensor">(&take);
  registry
      .add<"aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor">(
          Put{});
}

TREADLE_INLINE void add_mask_kernels(KernelRegistry<Backend>& registry) {
  registry.add<"aten::masked_select(Tensor self, Tensor mask) -> Tensor">(&masked_select);
  registry.add<"aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor">(
      MaskedScatter{});
  registry.add<"aten::nonzero(Tensor self) -> Tensor">(&nonzero);
  registry.add<"aten::argwhere(Tensor self) -> Tensor">(&nonzero);
  registry.add<"aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor">(
      &nonzero_static);
  registry.add<"aten::nonzero_numpy(Tensor self) -> Tensor[]">(&nonzero_numpy);
}

TREADLE_INLINE void add_embedding_bag_kernels(KernelRegistry<Backend>& registry) {
  registry.add<
      "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool "
      "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
      "bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)">(EmbeddingBag{});
  registry.add<
      "aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool "
      "scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool "
      "include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)">(EmbeddingBag{});
  registry.add<
      "aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool "
      "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
      "bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)">(
      EmbeddingBag{});
  registry.add<
      "aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool "
      "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
      "bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)">(
      EmbeddingBag{});
}

TREADLE_INLINE KernelRegistry<Backend> index_kernels() {
  KernelRegistry<Backend> registry;
  add_index_select_kernels(registry);
  add_advanced_index_kernels(registry);
  add_scatter_kernels(registry);
  add_index_accumulate_kernels(registry);
  add_mask_kernels(registry);
  add_embedding_bag_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
