// Programs as drawings in Graphviz's language.
#pragma once

#include <string>

#include <treadle/config.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0 {

/// What a drawing shows.
struct DotOptions {
  bool shapes = true;    ///< dtypes and sizes on the edges
  bool weights = false;  ///< boxes for parameters, buffers and constants
};

/// The program as a `digraph`: a box for each node, edges from makers to users with the value's
/// type, subgraphs of control nodes as clusters. Colours tell operators, in-place operators,
/// numbers, control, inputs, weights and outputs apart.
[[nodiscard]] std::string to_dot(const GraphModule& module, DotOptions options = {});
/// A graph without a signature: all its inputs look alike.
[[nodiscard]] std::string to_dot(const GraphBody& graph, DotOptions options = {});

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/text/dot-inl.hpp>
#endif
