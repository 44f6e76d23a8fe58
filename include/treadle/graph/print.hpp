// Programs as text that parses back.
#pragma once

#include <string>

#include <treadle/config.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0 {

/// What a printed graph tells besides its nodes.
struct PrintOptions {
  bool types = true;      ///< types of values; without them the text no longer gives an equal graph
  bool metadata = false;  ///< stack traces and the like
};

/// The graph as text, one node a line:
///
///     graph(%x: float32[1, 64], %w: float32[8, 64]):
///       %y: float32[1, 8] = aten::linear(input=%x, weight=%w, bias=None)
///       return (%y)
///
/// Strides stand in braces where they are not row-major; other facts of a type in angle brackets. A
/// lone `_` is a value that is not there; an argument with `*` is by keyword; `@name` is the name
/// of a node where it is not that of its first result; subgraphs are indented. `parse_graph` reads
/// it back to an equal graph.
[[nodiscard]] std::string print(const GraphBody& graph, PrintOptions options = {});

/// The program as text: signature, trees, ranges and guards before the graph.
[[nodiscard]] std::string print(const GraphModule& module, PrintOptions options = {});

/// One node as it stands in the graph's text, for messages.
[[nodiscard]] std::string print(const GraphBody& graph, NodeId node, PrintOptions options = {});

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/graph/print-inl.hpp>
#endif
