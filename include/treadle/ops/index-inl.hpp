// The table of indexing operators.
#pragma once

#include <treadle/ops/index.hpp>
#include <treadle/ops/index/advanced-inl.hpp>
#include <treadle/ops/index/found-inl.hpp>
#include <treadle/ops/index/select-inl.hpp>

namespace treadle::inline v0 {
namespace detail::indexing {

inline constexpr OpDef index_table[] = {
    {.schema = "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
     .infer = index,
     .traits = {.data_dependent = true}},
    {.schema = "aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
     .infer = index,
     .traits = {.data_dependent = true}},
    {"aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> "
     "Tensor",
     index_put},
    {.schema = "aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool "
               "accumulate=False) -> Tensor(a!)",
     .functional = "aten::index_put"},
    {"aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool "
     "accumulate=False) -> Tensor",
     index_put},
    {"aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, "
     "bool unsafe=False) -> Tensor",
     index_put},
    {.schema = "aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool "
               "accumulate=False, bool unsafe=False) -> Tensor(a!)",
     .functional = "aten::_index_put_impl"},
    {"aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", index_select},
    {"aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", index_into},
    {.schema =
         "aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)",
     .functional = "aten::index_copy"},
    {"aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> "
     "Tensor",
     index_into},
    {.schema = "aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar "
               "alpha=1) -> Tensor(a!)",
     .functional = "aten::index_add"},
    {"aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
     "include_self=True) -> Tensor",
     index_into},
    {.schema = "aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str "
               "reduce, *, bool include_self=True) -> Tensor(a!)",
     .functional = "aten::index_reduce"},
    {"aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
     index_fill},
    {.schema = "aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) "
               "-> Tensor(a!)",
     .functional = "aten::index_fill.int_Scalar"},
    {"aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
     index_fill},
    {.schema = "aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) "
               "-> Tensor(a!)",
     .functional = "aten::index_fill.int_Tensor"},
    {"aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
     gather},
    {"aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_tensor},
    {.schema =
         "aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)",
     .functional = "aten::scatter.src"},
    {"aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
     scatter_value},
    {.schema =
         "aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)",
     .functional = "aten::scatter.value"},
    {"aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> "
     "Tensor",
     scatter_tensor},
    {.schema = "aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str "
               "reduce) -> Tensor(a!)",
     .functional = "aten::scatter.reduce"},
    {"aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) "
     "-> Tensor",
     scatter_value},
    {.schema = "aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, "
               "*, str reduce) -> Tensor(a!)",
     .functional = "aten::scatter.value_reduce"},
    {"aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_tensor},
    {.schema =
         "aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)",
     .functional = "aten::scatter_add"},
    {"aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool "
     "include_self=True) -> Tensor",
     scatter_tensor},
    {.schema = "aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str "
               "reduce, *, bool include_self=True) -> Tensor(a!)",
     .functional = "aten::scatter_reduce.two"},
    {"aten::take(Tensor self, Tensor index) -> Tensor", take},
    {"aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", take_along_dim},
    {"aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", put},
    {.schema = "aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> "
               "Tensor(a!)",
     .functional = "aten::put"},
    {"aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", masked_scatter},
    {.schema = "aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)",
     .functional = "aten::masked_scatter"},
    {.schema = "aten::masked_select(Tensor self, Tensor mask) -> Tensor",
     .infer = masked_select,
     .traits = {.data_dependent = true}},
    {.schema = "aten::nonzero(Tensor self) -> Tensor",
     .infer = nonzero,
     .traits = {.data_dependent = true}},
    {.schema = "aten::argwhere(Tensor self) -> Tensor",
     .infer = nonzero,
     .traits = {.data_dependent = true}},
    {"aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor",
     nonzero_static},
    {.schema = "aten::nonzero_numpy(Tensor self) -> Tensor[]",
     .infer = nonzero_numpy,
     .traits = {.data_dependent = true}},
    {"aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool "
     "scale_grad_by_freq=False, bool sparse=False) -> Tensor",
     embedding},
    {"aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
     "bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)",
     embedding_bag},
    {"aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool "
     "include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)",
     embedding_bag},
    {"aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
     "bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
     embedding_bag},
    {"aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
     "bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
     embedding_bag},
};

}  // namespace detail::indexing

TREADLE_INLINE std::span<const OpDef> index_ops() { return detail::indexing::index_table; }

}  // namespace treadle::inline v0
