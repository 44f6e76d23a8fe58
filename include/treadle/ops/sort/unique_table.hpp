// Unique elements.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/sort/search_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef unique_table[] = {
    {"aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool "
     "return_counts=False) -> (Tensor, Tensor, Tensor)",
     &rules::unique_rule,
     {.data_dependent = true}},
    {"aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, "
     "Tensor)",
     &rules::unique_rule,
     {.data_dependent = true}},
    {"aten::unique_consecutive(Tensor self, bool return_inverse=False, bool "
     "return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)",
     &rules::unique_rule,
     {.data_dependent = true}},
    {"aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, "
     "bool return_counts=False) -> (Tensor, Tensor, Tensor)",
     &rules::unique_rule,
     {.data_dependent = true}},
};

}  // namespace treadle::inline v0::detail
