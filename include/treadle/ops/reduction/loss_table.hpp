// Loss functions and distances.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/reduction/loss_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef loss_table[] = {
    {"aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
     &rules::elementwise_loss_rule},
    {"aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
     &rules::elementwise_loss_rule},
    {"aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> "
     "Tensor",
     &rules::elementwise_loss_rule},
    {"aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> "
     "Tensor",
     &rules::elementwise_loss_rule},
    {"aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
     &rules::elementwise_loss_rule},
    {"aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) "
     "-> Tensor",
     &rules::elementwise_loss_rule},
    {"aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int "
     "reduction=1) -> Tensor",
     &rules::elementwise_loss_rule},
    {"aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? "
     "weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor",
     &rules::elementwise_loss_rule},
};

}  // namespace treadle::inline v0::detail
