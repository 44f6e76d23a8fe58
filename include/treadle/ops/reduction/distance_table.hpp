// Distances.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/reduction/loss_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef distance_table[] = {
    {"aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float "
     "eps=9.9999999999999995e-07, bool keepdim=False) -> Tensor",
     &rules::distance_rule<true>},
    {"aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
     &rules::distance_rule<false>},
    {"aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor",
     &rules::pair_distance_rule},
    {"aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
     &rules::pair_distance_rule},
    {"aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor", &rules::pair_distance_rule},
};

}  // namespace treadle::inline v0::detail
