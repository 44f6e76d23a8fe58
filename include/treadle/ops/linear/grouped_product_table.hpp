// Products of groups, as layers of experts have them.
#pragma once

#include <treadle/ops/linear/grouped_product_rules.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef grouped_product_table[] = {
    {"aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, "
     "ScalarType? "
     "out_dtype=None) -> Tensor",
     &rules::grouped_mm_rule},
    // What the transformers package puts in its place where PyTorch's does not serve.
    {"transformers::grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs) -> Tensor",
     &rules::grouped_product_rule},
};

}  // namespace treadle::inline v0::detail
