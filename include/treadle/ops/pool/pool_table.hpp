// Pooling.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/pool/pool_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef pool_table[] = {
    {"aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
     "padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor",
     &rules::pool_rule<1, false>},
    {"aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], "
     "int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)",
     &rules::pool_rule<1, true>},
    {"aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
     "padding=[0], bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
     &rules::pool_rule<1, false>},
    {"aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
     &rules::adaptive_pool_rule<1, false>},
    {"aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)",
     &rules::adaptive_pool_rule<1, true>},
    {"aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
     "padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor",
     &rules::pool_rule<2, false>},
    {"aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], "
     "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
     &rules::pool_rule<2, true>},
    {"aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
     "padding=0, bool ceil_mode=False, bool count_include_pad=True, int? "
     "divisor_override=None) -> Tensor",
     &rules::pool_rule<2, false>},
    {"aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
     &rules::adaptive_pool_rule<2, false>},
    {"aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
     &rules::adaptive_pool_rule<2, true>},
    {"aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
     &rules::adaptive_pool_rule<2, false>},
    {"aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
     "padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor",
     &rules::pool_rule<3, false>},
    {"aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], "
     "int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
     &rules::pool_rule<3, true>},
    {"aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
     "padding=0, bool ceil_mode=False, bool count_include_pad=True, int? "
     "divisor_override=None) -> Tensor",
     &rules::pool_rule<3, false>},
    {"aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
     &rules::adaptive_pool_rule<3, false>},
    {"aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
     &rules::adaptive_pool_rule<3, true>},
    {"aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
     &rules::adaptive_pool_rule<3, false>},
};

inline constexpr OpDef fractional_pool_table[] = {
    {"aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor "
     "random_samples) -> (Tensor, Tensor)",
     &rules::fractional_pool_rule<2>},
    {"aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor "
     "random_samples) -> (Tensor, Tensor)",
     &rules::fractional_pool_rule<3>},
};

}  // namespace treadle::inline v0::detail
