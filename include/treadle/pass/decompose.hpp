// Replaces operators that nothing can run by their definitions.
#pragma once

#include <string_view>

#include <treadle/config.hpp>
#include <treadle/core/function_ref.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// Replaces every node whose operator has a definition by others in `ops` and for which
/// `has_kernel` is false, in all graphs, until none is left. In-place forms of such
/// operators become the functional form and `aten::copy_`. True if anything was replaced. Errors
/// name the node; a definition that leads back to itself is one.
[[nodiscard]] Result<bool> decompose(GraphBody& graph, const OpSet& ops,
                                     FunctionRef<bool(std::string_view target)> has_kernel);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/pass/decompose-inl.hpp>
#endif
