// Turns functional wrappers of in-place operators back into the operators.
#pragma once

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// Replaces `higher_order::auto_functionalized` and `auto_functionalized_v2` by copies of what the
/// operator writes, views of the copies, and the operator on them; and `higher_order::with_effects`
/// by its operator, tokens falling away. In all graphs. True if anything was replaced. `ops` must
/// know the operators' schemas; errors name the node.
[[nodiscard]] Result<bool> inline_functionalized(GraphBody& graph, const OpSet& ops);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/pass/inline_functionalized-inl.hpp>
#endif
