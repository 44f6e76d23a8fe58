// Removes nodes that nothing needs.
#pragma once

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// Removes nodes whose results nobody uses, in all graphs, as long as running them has no other
/// trace. Kept are operators that write an argument, have an effect, draw random numbers, give no
/// results at all or are not known to `ops`, and higher-order ones with such a node inside. True if
/// anything was removed. Linear in the size of the graph.
[[nodiscard]] Result<bool> eliminate_dead(GraphBody& graph, const OpSet& ops);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/pass/eliminate_dead-inl.hpp>
#endif
