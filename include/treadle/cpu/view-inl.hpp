// Registration of the view kernels.
#pragma once

#include <string_view>

#include <treadle/cpu/uniform_kernel.hpp>
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
inline void add_copy(KernelRegistry<Backend>& registry, std::string_view schema,
                     OpDef::Infer rule) {
  add_uniform(registry, schema, ViewCopy{schema, rule});
}

/// Copies of what regroups or reorders dimensions.
inline void add_dimension_copies(KernelRegistry<Backend>& registry) {
  namespace views = treadle::detail::views;
  add_copy(registry, "aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor",
           &views::view_dtype);
  add_copy(registry,
           "aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor",
           &views::reshape_alias);
  add_copy(registry,
           "aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? "
           "storage_offset=None) -> Tensor",
           &views::as_strided);
  add_copy(registry, "aten::alias_copy(Tensor self) -> Tensor", &views::alias);
  add_copy(registry, "aten::detach_copy(Tensor self) -> Tensor", &views::alias);
  add_copy(registry, "aten::lift_fresh_copy(Tensor self) -> Tensor", &views::alias);
  add_copy(registry, "aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor",
           &views::transpose);
  add_copy(registry, "aten::t_copy(Tensor self) -> Tensor", &views::t);
  add_copy(registry, "aten::permute_copy(Tensor self, int[] dims) -> Tensor", &views::permute);
  add_copy(registry, "aten::unsqueeze_copy(Tensor self, int dim) -> Tensor", &views::unsqueeze);
  add_copy(registry, "aten::squeeze_copy(Tensor self) -> Tensor", &views::squeeze);
  add_copy(registry, "aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor",
           &views::squeeze_dims);
  add_copy(registry, "aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor",
           &views::squeeze_dims);
  add_copy(registry,
           "aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor",
           &views::expand);
  add_copy(registry, "aten::view_as_real_copy(Tensor self) -> Tensor", &views::view_as_real);
  add_copy(registry, "aten::view_as_complex_copy(Tensor self) -> Tensor", &views::view_as_complex);
}

/// Copies of parts.
inline void add_part_copies(KernelRegistry<Backend>& registry) {
  namespace views = treadle::detail::views;
  add_copy(registry,
           "aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, "
           "SymInt step=1) -> Tensor",
           &views::slice);
  add_copy(registry,
           "aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor",
           &views::narrow);
  add_copy(registry, "aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor",
           &views::select);
  add_copy(registry, "aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", &views::unbind);
  add_copy(registry,
           "aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
           &views::diagonal);
  add_copy(registry, "aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor",
           &views::unfold);
  add_copy(registry,
           "aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
           &views::split);
  add_copy(registry,
           "aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
           &views::split_sizes);
}

/// In-place forms whose whole work is their shape rule.
struct NothingToDo {
  struct Prepared {};

  Result<Prepared> prepare(PrepareContext<Backend>&) const { return Prepared{}; }
  Status run(const Prepared&, RunContext<Backend>&, Tensor* const*) const { return {}; }
};
inline void add_nothing_to_do(KernelRegistry<Backend>& registry) {
  add_uniform(registry, "aten::detach_(Tensor(a!) self) -> Tensor(a!)", NothingToDo{});
  add_uniform(registry, "aten::t_(Tensor(a!) self) -> Tensor(a!)", NothingToDo{});
  add_uniform(registry, "aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)",
              NothingToDo{});
  add_uniform(registry, "aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", NothingToDo{});
  add_uniform(registry, "aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", NothingToDo{});
  add_uniform(registry, "aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)",
              NothingToDo{});
  add_uniform(registry, "aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)",
              NothingToDo{});
}

}  // namespace detail

TREADLE_INLINE void add_reshape_kernels(KernelRegistry<Backend>& registry) {
  add_uniform(registry, "aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)",
              ReshapeCopy{});
  add_uniform(registry, "aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor", ReshapeCopy{});
  add_uniform(registry, "aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
              ReshapeCopy{.tensors = 2});
  add_uniform(
      registry,
      "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
      ReshapeCopy{});
  add_uniform(registry, "aten::ravel(Tensor(a) self) -> Tensor(a)", ReshapeCopy{});
  add_uniform(registry, "aten::view_copy(Tensor self, SymInt[] size) -> Tensor", ReshapeCopy{});
  add_uniform(registry, "aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor", ReshapeCopy{});
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
  add_uniform(
      registry,
      "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? "
      "end=None, SymInt step=1) -> Tensor",
      ViewScatter{"aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? "
                  "end=None, SymInt step=1) -> Tensor(a)",
                  &views::slice});
  add_uniform(registry,
              "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
              ViewScatter{"aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
                          &views::select});
  add_uniform(
      registry,
      "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> "
      "Tensor",
      ViewScatter{
          "aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
          &views::diagonal});
  add_uniform(
      registry,
      "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
      "storage_offset=None) -> Tensor",
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
