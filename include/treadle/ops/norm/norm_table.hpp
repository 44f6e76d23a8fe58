// Normalisation.
#pragma once

#include <treadle/ops/norm/norm_rules.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::detail {

/// `running_mean` and `running_var`, updated when `training` or `use_input_stats` is true.
inline constexpr OpTraits updates_statistics = {
    .unmarked_writes = {.arguments = 1U << 3 | 1U << 4, .decider = 5}};

inline constexpr OpDef norm_table[] = {
    {"aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, "
     "Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> "
     "Tensor",
     &rules::layer_norm_rule},
    {"aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, "
     "Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)",
     &rules::native_layer_norm_rule},
    {"aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? "
     "eps=None) -> Tensor",
     &rules::rms_norm_rule},
    {"aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? "
     "eps) -> (Tensor, Tensor)",
     &rules::fused_rms_norm_rule},
    {"aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
     "Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) "
     "-> Tensor",
     &rules::batch_norm_rule, updates_statistics},
    {"aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
     "running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, "
     "bool cudnn_enabled) -> Tensor",
     &rules::instance_norm_rule, updates_statistics},
    {"aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
     "running_mean, Tensor? running_var, bool training, float momentum, float eps) -> "
     "(Tensor, Tensor, Tensor)",
     &rules::native_batch_norm_rule, updates_statistics},
    {"aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, "
     "Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, "
     "float eps) -> (Tensor, Tensor, Tensor)",
     &rules::native_batch_norm_rule},
    {"aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, "
     "bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
     &rules::native_batch_norm_rule},
    {"aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? "
     "bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> "
     "(Tensor, Tensor, Tensor)",
     &rules::native_batch_norm_rule},
    {"aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? "
     "bias=None, float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor",
     &rules::group_norm_rule},
    {"aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, "
     "SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)",
     &rules::native_group_norm_rule},
    {"aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor", &rules::weight_norm_rule},
    {"aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)",
     &rules::weight_norm_rule},
};

}  // namespace treadle::inline v0::detail
