// Losses of classes.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/reduction/loss_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef class_loss_table[] = {
    {"aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
     "SymInt ignore_index=-100) -> Tensor",
     &rules::class_loss_rule},
    {"aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
     "SymInt ignore_index=-100) -> Tensor",
     &rules::class_loss_rule},
    {"aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
     "SymInt ignore_index=-100) -> Tensor",
     &rules::class_loss_rule},
    {"aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
     "SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
     &rules::class_loss_rule},
    {"aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
     "SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
     &rules::class_loss_rule},
    {"aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int "
     "reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor",
     &rules::class_loss_rule},
};

}  // namespace treadle::inline v0::detail
