// Registration of the movement kernels.
#pragma once

#include <treadle/cpu/movement.hpp>
#include <treadle/cpu/movement/arrange.hpp>
#include <treadle/cpu/movement/concat.hpp>
#include <treadle/cpu/movement/grids.hpp>
#include <treadle/cpu/movement/patches.hpp>

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

TREADLE_INLINE void add_arrange_kernels(KernelRegistry<Backend>& registry) {
  registry.add<"aten::repeat(Tensor self, SymInt[] repeats) -> Tensor">(OneCopy<RepeatLayout>{});
  registry.add<"aten::tile(Tensor self, SymInt[] dims) -> Tensor">(OneCopy<RepeatLayout>{});
  registry.add<
      "aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? "
      "output_size=None) -> Tensor">(OneCopy<InterleaveLayout>{});
  registry.add<"aten::flip(Tensor self, int[] dims) -> Tensor">(OneCopy<FlipLayout>{});
  registry.add<"aten::fliplr(Tensor self) -> Tensor">(OneCopy<FlipAxisLayout<1>>{});
  registry.add<"aten::flipud(Tensor self) -> Tensor">(OneCopy<FlipAxisLayout<0>>{});
  registry.add<"aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor">(
      OneCopy<RotateLayout>{});
  registry.add<"aten::diag(Tensor self, int diagonal=0) -> Tensor">(OneCopy<DiagLayout>{});
  registry.add<"aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor">(
      OneCopy<DiagEmbedLayout>{});
  registry.add<"aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor">(
      OneCopy<PixelLayout<true>>{});
  registry.add<"aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor">(
      OneCopy<PixelLayout<false>>{});
  registry.add<"aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor">(
      OneCopy<ChannelShuffleLayout>{});
  registry.add<"aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor">(
      OneCopy<ChannelShuffleLayout>{});
}

TREADLE_INLINE void add_grid_kernels(KernelRegistry<Backend>& registry) {
  registry
      .add<"aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor">(
          &repeat_positions);
  registry.add<
      "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? "
      "output_size=None) -> Tensor">(RepeatByCounts{});
  registry.add<"aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor">(Roll{});
  registry.add<"aten::tril(Tensor self, SymInt diagonal=0) -> Tensor">(Triangle{.lower = true});
  registry.add<"aten::triu(Tensor self, SymInt diagonal=0) -> Tensor">(Triangle{.lower = false});
  registry.add<"aten::block_diag(Tensor[] tensors) -> Tensor">(Grid{true});
  registry.add<"aten::cartesian_prod(Tensor[] tensors) -> Tensor">(Grid{false});
  registry.add<"aten::one_hot(Tensor self, int num_classes=-1) -> Tensor">(&one_hot);
  registry.add<
      "aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] "
      "stride) -> Tensor">(Patches{.back = false});
  registry.add<
      "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, "
      "int[2] padding, int[2] stride) -> Tensor">(Patches{.back = true});
}

TREADLE_INLINE KernelRegistry<Backend> movement_kernels() {
  KernelRegistry<Backend> registry;
  add_join_kernels(registry);
  add_arrange_kernels(registry);
  add_grid_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
