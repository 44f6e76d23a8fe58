// The table of movement operators.
#pragma once

#include <treadle/ops/movement.hpp>
#include <treadle/ops/movement/arrange-inl.hpp>
#include <treadle/ops/movement/combine-inl.hpp>
#include <treadle/ops/movement/concat-inl.hpp>

namespace treadle::inline v0 {
namespace detail::movement {

inline constexpr OpDef movement_table[] = {
    {"aten::cat(Tensor[] tensors, int dim=0) -> Tensor", join_as<Joining::cat>},
    {"aten::concat(Tensor[] tensors, int dim=0) -> Tensor", join_as<Joining::cat>},
    {"aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor", join_as<Joining::cat>},
    {"aten::stack(Tensor[] tensors, int dim=0) -> Tensor", join_as<Joining::stack>},
    {"aten::hstack(Tensor[] tensors) -> Tensor", join_as<Joining::hstack>},
    {"aten::vstack(Tensor[] tensors) -> Tensor", join_as<Joining::vstack>},
    {"aten::row_stack(Tensor[] tensors) -> Tensor", join_as<Joining::vstack>},
    {"aten::dstack(Tensor[] tensors) -> Tensor", join_as<Joining::dstack>},
    {"aten::column_stack(Tensor[] tensors) -> Tensor", join_as<Joining::column_stack>},
    {.schema = "aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", .infer = repeat},
    {.schema = "aten::tile(Tensor self, SymInt[] dims) -> Tensor", .infer = tile},
    {.schema =
         "aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
     .infer = repeat_interleave_counts,
     .traits = {.data_dependent = true}},
    {.schema = "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, "
               "SymInt? output_size=None) -> Tensor",
     .infer = repeat_interleave_tensor,
     .traits = {.data_dependent = true}},
    {.schema = "aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, "
               "SymInt? output_size=None) -> Tensor",
     .infer = repeat_interleave_int},
    {.schema = "aten::flip(Tensor self, int[] dims) -> Tensor", .infer = flip},
    {.schema = "aten::fliplr(Tensor self) -> Tensor", .infer = flip_axis<2>},
    {.schema = "aten::flipud(Tensor self) -> Tensor", .infer = flip_axis<1>},
    {.schema = "aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor",
     .infer = roll},
    {.schema = "aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", .infer = rot90},
    {.schema = "aten::tril(Tensor self, SymInt diagonal=0) -> Tensor", .infer = triangle},
    {.schema = "aten::tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)",
     .functional = "aten::tril"},
    {.schema = "aten::triu(Tensor self, SymInt diagonal=0) -> Tensor", .infer = triangle},
    {.schema = "aten::triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)",
     .functional = "aten::triu"},
    {.schema = "aten::diag(Tensor self, int diagonal=0) -> Tensor", .infer = diag},
    {.schema = "aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
     .infer = diag_embed},
    {.schema = "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, "
               "SymInt? end=None, SymInt step=1) -> Tensor",
     .infer = part_scatter},
    {.schema = "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
     .infer = part_scatter},
    {.schema = "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int "
               "dim2=1) -> Tensor",
     .infer = part_scatter},
    {.schema = "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, "
               "SymInt? storage_offset=None) -> Tensor",
     .infer = part_scatter},
    {.schema = "aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
     .infer = pixels<true>},
    {.schema = "aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
     .infer = pixels<false>},
    {.schema = "aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor",
     .infer = channel_shuffle},
    {.schema = "aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor",
     .infer = channel_shuffle},
    {.schema = "aten::meshgrid(Tensor[] tensors) -> Tensor[]",
     .infer = meshgrid,
     .traits = {.may_alias = true}},
    {.schema = "aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]",
     .infer = meshgrid_indexing,
     .traits = {.may_alias = true}},
    {.schema = "aten::block_diag(Tensor[] tensors) -> Tensor", .infer = block_diag},
    {.schema = "aten::cartesian_prod(Tensor[] tensors) -> Tensor",
     .infer = cartesian_prod,
     .traits = {.may_alias = true}},
    {.schema = "aten::one_hot(Tensor self, int num_classes=-1) -> Tensor",
     .infer = one_hot,
     .traits = {.data_dependent = true}},
    {.schema = "aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, "
               "int[2] stride) -> Tensor",
     .infer = im2col},
    {.schema = "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] "
               "dilation, int[2] padding, int[2] stride) -> Tensor",
     .infer = col2im},
};

}  // namespace detail::movement

TREADLE_INLINE std::span<const OpDef> movement_ops() { return detail::movement::movement_table; }

}  // namespace treadle::inline v0
