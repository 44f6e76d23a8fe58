// Registration of the view kernels.
#pragma once

#include <algorithm>

#include <treadle/cpu/view.hpp>
#include <treadle/cpu/view/conjugate.hpp>
#include <treadle/cpu/view/view_copy.hpp>
#include <treadle/ops/view/dims-inl.hpp>
#include <treadle/ops/view/element-inl.hpp>
#include <treadle/ops/view/reshape-inl.hpp>
#include <treadle/ops/view/slice-inl.hpp>
#include <treadle/ops/view/split-inl.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// Binds a copying form to the rule of its view.
template <FixedString SchemaText>
void add_copy(KernelRegistry<Backend>& registry, OpDef::Infer rule) {
  registry.add<SchemaText>(ViewCopy{SchemaText.view(), rule});
}

/// Copies of what regroups or reorders dimensions.
inline void add_dimension_copies(KernelRegistry<Backend>& registry) {
  namespace views = treadle::detail::views;
  add_copy<"aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor">(registry,
                                                                             &views::view_dtype);
  add_copy<"aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor">(
      registry, &views::reshape_alias);
  add_copy<
      "aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? "
      "storage_offset=None) -> Tensor">(registry, &views::as_strided);
  add_copy<"aten::alias_copy(Tensor self) -> Tensor">(registry, &views::alias);
  add_copy<"aten::detach_copy(Tensor self) -> Tensor">(registry, &views::alias);
  add_copy<"aten::lift_fresh_copy(Tensor self) -> Tensor">(registry, &views::alias);
  add_copy<"aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor">(
      registry, &views::transpose);
  add_copy<"aten::t_copy(Tensor self) -> Tensor">(registry, &views::t);
  add_copy<"aten::permute_copy(Tensor self, int[] dims) -> Tensor">(registry, &views::permute);
  add_copy<"aten::unsqueeze_copy(Tensor self, int dim) -> Tensor">(registry, &views::unsqueeze);
  add_copy<"aten::squeeze_copy(Tensor self) -> Tensor">(registry, &views::squeeze);
  add_copy<"aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor">(registry,
                                                                     &views::squeeze_dims);
  add_copy<"aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor">(registry,
                                                                        &views::squeeze_dims);
  add_copy<"aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor">(
      registry, &views::expand);
  add_copy<"aten::view_as_real_copy(Tensor self) -> Tensor">(registry, &views::view_as_real);
  add_copy<"aten::view_as_complex_copy(Tensor self) -> Tensor">(registry, &views::view_as_complex);
}

/// Copies of parts.
inline void add_part_copies(KernelRegistry<Backend>& registry) {
  namespace views = treadle::detail::views;
  add_copy<
      "aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, "
      "SymInt step=1) -> Tensor">(registry, &views::slice);
  add_copy<"aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor">(
      registry, &views::narrow);
  add_copy<"aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor">(registry,
                                                                                  &views::select);
  add_copy<"aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]">(registry, &views::unbind);
  add_copy<"aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor">(
      registry, &views::diagonal);
  add_copy<"aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor">(
      registry, &views::unfold);
  add_copy<"aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]">(
      registry, &views::split);
  add_copy<"aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]">(
      registry, &views::split_sizes);
}

/// In-place forms whose whole work is their shape rule.
inline void add_nothing_to_do(KernelRegistry<Backend>& registry) {
  const auto nothing = [](RunContext<Backend>&, Tensor&, const auto&...) -> Status { return {}; };
  registry.add<"aten::detach_(Tensor(a!) self) -> Tensor(a!)">(nothing);
  registry.add<"aten::t_(Tensor(a!) self) -> Tensor(a!)">(nothing);
  registry.add<"aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)">(nothing);
  registry.add<"aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)">(nothing);
  registry.add<"aten::squeeze_(Tensor(a!) self) -> Tensor(a!)">(nothing);
  registry.add<"aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)">(nothing);
  registry.add<"aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)">(nothing);
}

}  // namespace detail

TREADLE_INLINE void add_reshape_kernels(KernelRegistry<Backend>& registry) {
  registry.add<"aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)">(ReshapeCopy{});
  registry.add<"aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor">(ReshapeCopy{});
  registry.add<"aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)">(ReshapeCopy{});
  registry.add<
      "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)">(
      ReshapeCopy{});
  registry.add<"aten::ravel(Tensor(a) self) -> Tensor(a)">(ReshapeCopy{});
  registry.add<"aten::view_copy(Tensor self, SymInt[] size) -> Tensor">(ReshapeCopy{});
  registry.add<"aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor">(ReshapeCopy{});
  registry.add<"aten::adjoint(Tensor(a) self) -> Tensor(a)">(ConjugateTranspose{});
  registry.add<"aten::mH(Tensor(a) self) -> Tensor(a)">(ConjugateTranspose{});
  detail::add_nothing_to_do(registry);
  registry.add<
      "aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)">(
      &narrow_at);
}

TREADLE_INLINE void add_view_copy_kernels(KernelRegistry<Backend>& registry) {
  detail::add_dimension_copies(registry);
  detail::add_part_copies(registry);
}

TREADLE_INLINE void add_view_scatter_kernels(KernelRegistry<Backend>& registry) {
  namespace views = treadle::detail::views;
  registry.add<
      "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? "
      "end=None, SymInt step=1) -> Tensor">(
      ViewScatter{"aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? "
                  "end=None, SymInt step=1) -> Tensor(a)",
                  &views::slice});
  registry.add<"aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor">(
      ViewScatter{"aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
                  &views::select});
  registry.add<
      "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> "
      "Tensor">(ViewScatter{
      "aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
      &views::diagonal});
  registry.add<
      "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
      "storage_offset=None) -> Tensor">(
      ViewScatter{"aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? "
                  "storage_offset=None) -> Tensor(a)",
                  &views::as_strided});
}

TREADLE_INLINE KernelRegistry<Backend> view_kernels() {
  KernelRegistry<Backend> registry;
  add_reshape_kernels(registry);
  add_view_copy_kernels(registry);
  add_view_scatter_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
