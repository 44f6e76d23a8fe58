// Steps that rewriting passes share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/analysis/source.hpp>
#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>

namespace treadle::inline v0::detail {

/// Graphs nested deeper than this are refused.
inline constexpr std::size_t max_graph_depth = 128;

/// An `invalid_graph` error that names the node.
template <class... Pieces>
[[nodiscard]] Error node_error(const Node& node, const Pieces&... pieces) {
  const Piece list[] = {pieces...};
  return join_error(ErrorCode::invalid_graph, describe(node), list, sizeof...(Pieces));
}

/// `argument` with every `from` in it, lists and dictionaries included, replaced by `to`.
[[nodiscard]] Argument with_replaced(const Argument& argument, ValueId from, const Argument& to);

/// Puts `to`, which may be a constant, wherever `from` is used.
void replace_value(GraphBody& graph, ValueId from, const Argument& to);

/// Appends everything that is no list, in order.
void flatten_into(const Argument& argument, std::vector<Argument>& out);

/// Calls `function(GraphBody&)` on each subgraph of a node; stops at the first error.
template <class Function>
[[nodiscard]] Status for_each_subgraph(const Node& node, Function&& function) {
  std::vector<Argument> flat;
  for (const auto& argument : node.arguments) flatten_into(argument.value, flat);
  for (const auto& argument : flat)
    if (const auto* sub = argument.subgraph()) TREADLE_CHECK(function(*sub->body));
  return {};
}

/// Applies `pass(GraphBody&) -> Status` to a graph after all graphs inside it.
template <class Pass>
[[nodiscard]] Status for_each_graph(GraphBody& graph, Pass&& pass, std::size_t depth = 0) {
  if (depth > max_graph_depth)
    return Error(ErrorCode::limit_exceeded,
                 concat("graphs are nested deeper than ", max_graph_depth, " levels"));
  for (const NodeId id : graph.nodes())
    TREADLE_CHECK(for_each_subgraph(
        graph.node(id), [&](GraphBody& body) { return for_each_graph(body, pass, depth + 1); }));
  return pass(graph);
}

}  // namespace treadle::inline v0::detail

#if !TREADLE_COMPILED
#include <treadle/pass/rewrite-inl.hpp>
#endif
