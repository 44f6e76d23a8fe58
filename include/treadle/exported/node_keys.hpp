// Keys of node metadata for facts of program files that graphs have no place for.
#pragma once

#include <string_view>

namespace treadle::inline v0::detail {

/// The node is a higher-order operator that returns a tensor, not a tuple of one.
inline constexpr std::string_view single_result_key = "is_hop_single_tensor_return";
/// Names of the node's subgraphs that return a tensor, not a tuple of one, with commas between.
inline constexpr std::string_view single_graphs_key = "single_tensor_graphs";

}  // namespace treadle::inline v0::detail
