// Running sums, products and extremes.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/reduction/scan_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef scan_table[] = {
    {"aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
     &rules::running_sum_rule},
    {"aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)",
     nullptr,
     {},
     "aten::cumsum"},
    {"aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
     &rules::running_sum_rule},
    {"aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)",
     nullptr,
     {},
     "aten::cumprod"},
    {"aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)",
     &rules::running_extreme_rule},
    {"aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)",
     &rules::running_extreme_rule},
    {"aten::logcumsumexp(Tensor self, int dim) -> Tensor", &rules::running_logsumexp_rule},
    {"aten::_logcumsumexp(Tensor self, int dim) -> Tensor", &rules::running_logsumexp_rule},
};

}  // namespace treadle::inline v0::detail
