// Registration of the movement kernels.
#pragma once

#include <treadle/cpu/movement.hpp>
#include <treadle/cpu/movement/concat.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE void add_join_kernels(KernelRegistry<Backend>& registry) {
  using Joining = Concat::Joining;
  registry.add<"aten::cat(Tensor[] tensors, int dim=0) -> Tensor">(Concat{Joining::cat});
  registry.add<"aten::concat(Tensor[] tensors, int dim=0) -> Tensor">(Concat{Joining::cat});
  registry.add<"aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor">(Concat{Joining::cat});
  registry.add<"aten::stack(Tensor[] tensors, int dim=0) -> Tensor">(Concat{Joining::stack});
  registry.add<"aten::hstack(Tensor[] tensors) -> Tensor">(Concat{Joining::hstack});
  registry.add<"aten::vstack(Tensor[] tensors) -> Tensor">(Concat{Joining::vstack});
  registry.add<"aten::row_stack(Tensor[] tensors) -> Tensor">(Concat{Joining::vstack});
  registry.add<"aten::dstack(Tensor[] tensors) -> Tensor">(Concat{Joining::dstack});
  registry.add<"aten::column_stack(Tensor[] tensors) -> Tensor">(Concat{Joining::column_stack});
}

TREADLE_INLINE KernelRegistry<Backend> movement_kernels() {
  KernelRegistry<Backend> registry;
  add_join_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
