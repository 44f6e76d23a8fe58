// Products of matrices and vectors.
#pragma once

#include <treadle/ops/linear/product_rules.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef product_table[] = {
    {"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", &rules::linear_rule},
    {"aten::matmul(Tensor self, Tensor other) -> Tensor", &rules::matmul_rule},
    {"aten::linalg_matmul(Tensor self, Tensor other) -> Tensor", &rules::matmul_rule},
    {"aten::mm(Tensor self, Tensor mat2) -> Tensor", &rules::ranked_product_rule<2, 2>},
    {"aten::bmm(Tensor self, Tensor mat2) -> Tensor", &rules::ranked_product_rule<3, 3>},
    {"aten::mv(Tensor self, Tensor vec) -> Tensor", &rules::ranked_product_rule<2, 1>},
    {"aten::dot(Tensor self, Tensor tensor) -> Tensor", &rules::ranked_product_rule<1, 1>},
    {"aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor",
     &rules::added_product_rule<2, 2>},
    {.schema = "aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar "
               "alpha=1) -> Tensor(a!)",
     .functional = "aten::addmm"},
    {"aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
     &rules::added_product_rule<2, 1>},
    {.schema = "aten::addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar "
               "alpha=1) -> Tensor(a!)",
     .functional = "aten::addmv"},
    {"aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) "
     "-> Tensor",
     &rules::added_product_rule<3, 3>},
    {.schema = "aten::baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, "
               "Scalar alpha=1) -> Tensor(a!)",
     .functional = "aten::baddbmm"},
    {"aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor",
     &rules::addbmm_rule},
    {.schema = "aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, "
               "Scalar alpha=1) -> Tensor(a!)",
     .functional = "aten::addbmm"},
};

}  // namespace treadle::inline v0::detail
