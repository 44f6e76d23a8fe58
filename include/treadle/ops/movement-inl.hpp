// The table of movement operators.
#pragma once

#include <treadle/ops/movement.hpp>
#include <treadle/ops/movement/concat-inl.hpp>

namespace treadle::inline v0 {
namespace detail::movement {

inline constexpr OpDef movement_table[] = {
    {"aten::cat(Tensor[] tensors, int dim=0) -> Tensor", join_as<Joining::cat>},
    {"aten::concat(Tensor[] tensors, int dim=0) -> Tensor", join_as<Joining::cat>},
    {"aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor", join_as<Joining::cat>},
    {"aten::stack(Tensor[] tensors, int dim=0) -> Tensor", join_as<Joining::stack>},
    {"aten::hstack(Tensor[] tensors) -> Tensor", join_as<Joining::hstack>},
    {"aten::vstack(Tensor[] tensors) -> Tensor", join_as<Joining::vstack>},
    {"aten::row_stack(Tensor[] tensors) -> Tensor", join_as<Joining::vstack>},
    {"aten::dstack(Tensor[] tensors) -> Tensor", join_as<Joining::dstack>},
    {"aten::column_stack(Tensor[] tensors) -> Tensor", join_as<Joining::column_stack>},
};

}  // namespace detail::movement

TREADLE_INLINE std::span<const OpDef> movement_ops() { return detail::movement::movement_table; }

}  // namespace treadle::inline v0
