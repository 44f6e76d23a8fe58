// The forms of softmax.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/reduction/scan_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef softmax_table[] = {
    {"aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
     &rules::softmax_rule},
    {"aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", &rules::softmax_rule},
    {"aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
     &rules::softmax_rule},
    {"aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
     &rules::softmax_rule},
    {"aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
     &rules::softmax_rule},
    {"aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
     &rules::softmax_rule},
    {"aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
     &rules::softmax_rule},
};

}  // namespace treadle::inline v0::detail
