// Checks what every graph promises.
#pragma once

#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0 {

/// Every broken invariant of a graph and its subgraphs, one `invalid_graph` error each: order and
/// links of nodes, uses after definitions, producers and users, names, results, types. Linear in
/// the size of the graph. Ids out of range are reported, not followed.
[[nodiscard]] std::vector<Error> lint(const GraphBody& graph);

/// The same for a program: its graph, and that signature, trees and ranges fit it.
[[nodiscard]] std::vector<Error> lint(const GraphModule& module);

/// The first of what `lint` finds.
[[nodiscard]] Status verify(const GraphBody& graph);
[[nodiscard]] Status verify(const GraphModule& module);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/graph/lint-inl.hpp>
#endif
