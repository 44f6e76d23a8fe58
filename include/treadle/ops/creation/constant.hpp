// Tensors of known contents: schemas and shape rules.
#pragma once

#include <treadle/ops/creation_rules.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef creation_constant_table[] = {
    {"aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_full,
     OpTraits{},
     {}},
    {"aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_float,
     OpTraits{},
     {}},
    {"aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_float,
     OpTraits{},
     {}},
    {"aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     &rules::made_float,
     OpTraits{},
     {}},
    {"aten::_efficientzerotensor(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_float,
     OpTraits{},
     {}},
    {"aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_new,
     OpTraits{},
     {}},
    {"aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_new,
     OpTraits{},
     {}},
    {"aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_new,
     OpTraits{},
     {}},
    {"aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_new,
     OpTraits{},
     {}},
    {"aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     &rules::made_like,
     OpTraits{},
     {}},
    {"aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     &rules::made_like,
     OpTraits{},
     {}},
    {"aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) "
     "-> Tensor",
     &rules::made_like,
     OpTraits{},
     {}},
    {"aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     &rules::made_like,
     OpTraits{},
     {}},
    {"prims::full_like(Tensor a, Scalar fill_value, *, ScalarType dtype, Device device, bool "
     "requires_grad) -> Tensor",
     &rules::made_like,
     OpTraits{},
     {}},
    {"aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_strided,
     OpTraits{},
     {}},
    {"aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_strided,
     OpTraits{},
     {}},
    {"aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_permuted,
     OpTraits{},
     {}},
    {"aten::fill.Scalar(Tensor self, Scalar value) -> Tensor",
     &rules::same_as_self,
     OpTraits{},
     {}},
    {"aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", nullptr, OpTraits{},
     "aten::fill.Scalar"},
    {"aten::fill.Tensor(Tensor self, Tensor value) -> Tensor",
     &rules::same_as_self,
     OpTraits{},
     {}},
    {"aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", nullptr, OpTraits{},
     "aten::fill.Tensor"},
    {"aten::zero(Tensor self) -> Tensor", &rules::same_as_self, OpTraits{}, {}},
    {"aten::zero_(Tensor(a!) self) -> Tensor(a!)", nullptr, OpTraits{}, "aten::zero"},
    {"aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_scalar,
     OpTraits{},
     {}},
    {"prims::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Device? device=None) -> Tensor",
     &rules::made_scalar,
     OpTraits{},
     {}},
    {"aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor",
     &rules::arange,
     OpTraits{},
     {}},
    {"aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::arange,
     OpTraits{},
     {}},
    {"aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::arange,
     OpTraits{},
     {}},
    {"prims::iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device device, "
     "bool requires_grad) -> Tensor",
     &rules::iota,
     OpTraits{},
     {}},
    {"aten::linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::spaced,
     OpTraits{},
     {}},
    {"aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::spaced,
     OpTraits{},
     {}},
    {"aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::spaced,
     OpTraits{},
     {}},
    {"aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::spaced,
     OpTraits{},
     {}},
    {"aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::spaced,
     OpTraits{},
     {}},
    {"aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10., *, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor",
     &rules::spaced,
     OpTraits{},
     {}},
    {"aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10., *, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor",
     &rules::spaced,
     OpTraits{},
     {}},
    {"aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10., *, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor",
     &rules::spaced,
     OpTraits{},
     {}},
    {"aten::eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=None) -> Tensor",
     &rules::eye,
     OpTraits{},
     {}},
    {"aten::eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor",
     &rules::eye,
     OpTraits{},
     {}},
    {"aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::triangle_indices<false>,
     OpTraits{},
     {}},
    {"aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::triangle_indices<true>,
     OpTraits{},
     {}},
};

}  // namespace treadle::inline v0::detail
