// Contractions: einsum and what can be said by one.
#pragma once

#include <treadle/ops/linear/contraction_rules.hpp>
#include <treadle/ops/linear/product_rules.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef contraction_table[] = {
    {"aten::vdot(Tensor self, Tensor other) -> Tensor", &rules::ranked_product_rule<1, 1>},
    {"aten::outer(Tensor self, Tensor vec2) -> Tensor", &rules::outer_rule},
    {"aten::ger(Tensor self, Tensor vec2) -> Tensor", &rules::outer_rule},
    {"aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor",
     &rules::addr_rule},
    {.schema = "aten::addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar "
               "alpha=1) -> Tensor(a!)",
     .functional = "aten::addr"},
    {"aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
     &rules::tensordot_rule},
    {"aten::inner(Tensor self, Tensor other) -> Tensor", &rules::inner_rule},
    {"aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", &rules::vecdot_rule},
    {"aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
     &rules::einsum_rule,
     {.may_alias = true}},
    {"aten::linalg_multi_dot(Tensor[] tensors) -> Tensor", &rules::chain_rule},
    {"aten::chain_matmul(Tensor[] matrices) -> Tensor", &rules::chain_rule},
    {"aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
     &rules::bilinear_rule},
};

}  // namespace treadle::inline v0::detail
