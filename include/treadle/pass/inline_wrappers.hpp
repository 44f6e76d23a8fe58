// Dissolves higher-order operators that only say how their body is run.
#pragma once

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>

namespace treadle::inline v0 {

/// Replaces `higher_order::wrap_with_set_grad_enabled`, `wrap_with_autocast`, `invoke_subgraph`,
/// `run_const_graph`, `hints_wrapper`, `strict_mode`, `wrap` and `tag_activation_checkpoint` by
/// their bodies, in all graphs. In autocast regions the conversions that PyTorch would make become
/// `aten::to.dtype` nodes. True if anything was replaced. Errors name the node.
[[nodiscard]] Result<bool> inline_wrappers(GraphBody& graph);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/pass/inline_wrappers-inl.hpp>
#endif
