// Takes away what exporters wrap around operators.
#pragma once

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// Dissolves what only wraps other operators: regions without gradients, under autocast or over a
/// batch, called subgraphs, functionalised in-place operators.
[[nodiscard]] Status dissolve_wrappers(GraphModule& module, const OpSet& ops);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/model/dissolve_wrappers-inl.hpp>
#endif
