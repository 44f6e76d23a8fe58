// Sorting and selecting by rank.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/sort/sort_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef sort_table[] = {
    {"aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, "
     "Tensor indices)",
     &rules::sort_rule},
    {"aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) "
     "-> (Tensor values, Tensor indices)",
     &rules::sort_rule},
    {"aten::msort(Tensor self) -> Tensor", &rules::sort_rule},
    {"aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
     &rules::argsort_rule},
    {"aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool "
     "descending=False) -> Tensor",
     &rules::argsort_rule},
    {"aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) "
     "-> (Tensor values, Tensor indices)",
     &rules::topk_rule},
    {"aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor "
     "values, Tensor indices)",
     &rules::kthvalue_rule},
    {"aten::median(Tensor self) -> Tensor", &rules::median_rule},
    {"aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, "
     "Tensor indices)",
     &rules::value_and_place_rule},
    {"aten::nanmedian(Tensor self) -> Tensor", &rules::median_rule},
    {"aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, "
     "Tensor indices)",
     &rules::value_and_place_rule},
    {"aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor "
     "indices)",
     &rules::value_and_place_rule},
};

}  // namespace treadle::inline v0::detail
