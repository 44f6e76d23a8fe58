// The table of view operators with their copying forms.
#pragma once

#include <treadle/ops/view.hpp>
#include <treadle/ops/view/dims-inl.hpp>
#include <treadle/ops/view/element-inl.hpp>
#include <treadle/ops/view/reshape-inl.hpp>
#include <treadle/ops/view/slice-inl.hpp>
#include <treadle/ops/view/split-inl.hpp>

namespace treadle::inline v0 {
namespace detail::views {

inline constexpr OpDef view_table[] = {
    {"aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", view},
    {"aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", view_dtype},
    {"aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)", view_as},
    {"aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor", reshape},
    {"aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", reshape},
    {"aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", reshape_as},
    {"aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)",
     reshape_alias},
    {"aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? "
     "storage_offset=None) -> Tensor(a)",
     as_strided},
    {"aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
     flatten},
    {"aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", unflatten},
    {"aten::ravel(Tensor(a) self) -> Tensor(a)", ravel},
    {"aten::alias(Tensor(a) self) -> Tensor(a)", alias},
    {"aten::detach(Tensor(a) self) -> Tensor(a)", alias},
    {"aten::lift(Tensor self) -> Tensor", alias},
    {"aten::lift_fresh(Tensor(a) self) -> Tensor(a)", alias},
    {"aten::resolve_conj(Tensor(a) self) -> Tensor(a)", alias},
    {"aten::resolve_neg(Tensor(a) self) -> Tensor(a)", alias},
    {"aten::detach_(Tensor(a!) self) -> Tensor(a!)", nullptr},
    // The result carries the new sizes; the argument keeps its own.
    {"aten::t_(Tensor(a!) self) -> Tensor(a!)", t},
    {"aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", transpose},
    {"aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", unsqueeze},
    {"aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", squeeze},
    {"aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", squeeze_dims},
    {"aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", squeeze_dims},
    {"aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", transpose},
    {"aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", transpose},
    {"aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", transpose},
    {"aten::t(Tensor(a) self) -> Tensor(a)", t},
    {"aten::adjoint(Tensor(a) self) -> Tensor(a)", adjoint},
    {"aten::mH(Tensor(a) self) -> Tensor(a)", adjoint},
    {"aten::mT(Tensor(a) self) -> Tensor(a)", matrix_transpose},
    {"aten::numpy_T(Tensor(a) self) -> Tensor(a)", reverse_dims},
    {"aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", permute},
    {"aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", movedim},
    {"aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
     movedim},
    {"aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", movedim},
    {"aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
     movedim},
    {"aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", unsqueeze},
    {"aten::squeeze(Tensor(a) self) -> Tensor(a)", squeeze},
    {"aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", squeeze_dims},
    {"aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", squeeze_dims},
    {"aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", expand},
    {"aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", expand_as},
    {"aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", expand},
    {"aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]", broadcast_tensors},
    {"aten::atleast_1d(Tensor self) -> Tensor", atleast<1>},
    {"aten::atleast_2d(Tensor self) -> Tensor", atleast<2>},
    {"aten::atleast_3d(Tensor self) -> Tensor", atleast<3>},
    {"aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]", atleast_list<1>},
    {"aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]", atleast_list<2>},
    {"aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]", atleast_list<3>},
    {"aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt "
     "step=1) -> Tensor(a)",
     slice},
    {"aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)", narrow},
    {"aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)",
     narrow_tensor},
    {"aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", select},
    {"aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", unbind},
    {"aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", diagonal},
    {"aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", unfold},
    {"aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]", split},
    {"aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
     split_sizes},
    {"aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
     split_sizes},
    {"aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", split},
    {"aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
     split_sizes},
    {"aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", chunk},
    {"aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]", chunk},
    {"aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]",
     tensor_split_sections},
    {"aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]",
     tensor_split_indices},
    {"aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", axis_split<1>},
    {"aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", axis_split_at<1>},
    {"aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", axis_split<0>},
    {"aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", axis_split_at<0>},
    {"aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", axis_split<2>},
    {"aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", axis_split_at<2>},
    {"aten::view_as_real(Tensor(a) self) -> Tensor(a)", view_as_real},
    {"aten::view_as_complex(Tensor(a) self) -> Tensor(a)", view_as_complex},
    {"aten::real(Tensor(a) self) -> Tensor(a)", real},
    {"aten::imag(Tensor(a) self) -> Tensor(a)", imag},
};

inline constexpr OpDef view_copy_table[] = {
    {"aten::view_copy(Tensor self, SymInt[] size) -> Tensor", copy_of<reshape>},
    {"aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor", copy_of<view_dtype>},
    {"aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor", copy_of<reshape>},
    {"aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor",
     copy_of<reshape_alias>},
    {"aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? "
     "storage_offset=None) -> Tensor",
     copy_of<as_strided>},
    {"aten::alias_copy(Tensor self) -> Tensor", copy_of<alias>},
    {"aten::detach_copy(Tensor self) -> Tensor", copy_of<alias>},
    {"aten::lift_fresh_copy(Tensor self) -> Tensor", copy_of<alias>},
    {"aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor", copy_of<transpose>},
    {"aten::t_copy(Tensor self) -> Tensor", copy_of<t>},
    {"aten::permute_copy(Tensor self, int[] dims) -> Tensor", copy_of<permute>},
    {"aten::unsqueeze_copy(Tensor self, int dim) -> Tensor", copy_of<unsqueeze>},
    {"aten::squeeze_copy(Tensor self) -> Tensor", copy_of<squeeze>},
    {"aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor", copy_of<squeeze_dims>},
    {"aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor", copy_of<squeeze_dims>},
    {"aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor",
     copy_of<expand>},
    {"aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt "
     "step=1) -> Tensor",
     copy_of<slice>},
    {"aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor",
     copy_of<narrow>},
    {"aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor", copy_of<select>},
    {"aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", copy_of<unbind>},
    {"aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
     copy_of<diagonal>},
    {"aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor",
     copy_of<unfold>},
    {"aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
     copy_of<split>},
    {"aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
     copy_of<split_sizes>},
    {"aten::view_as_real_copy(Tensor self) -> Tensor", copy_of<view_as_real>},
    {"aten::view_as_complex_copy(Tensor self) -> Tensor", copy_of<view_as_complex>},
};

}  // namespace detail::views

TREADLE_INLINE std::span<const OpDef> view_ops() { return detail::views::view_table; }
TREADLE_INLINE std::span<const OpDef> view_copy_ops() { return detail::views::view_copy_table; }

}  // namespace treadle::inline v0
