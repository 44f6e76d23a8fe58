// Steps that rewriting passes share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/analysis/source.hpp>
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
[[nodiscard]] inline Argument with_replaced(const Argument& argument, ValueId from,
                                            const Argument& to) {
  if (const auto* id = argument.value()) return *id == from ? to : argument;
  if (const auto* items = argument.list()) {
    Argument::List out;
    for (const auto& item : *items) out.push_back(with_replaced(item, from, to));
    return out;
  }
  if (const auto* items = argument.dict()) {
    Argument::Dict out;
    for (const auto& [key, item] : *items) out.emplace_back(key, with_replaced(item, from, to));
    return out;
  }
  return argument;
}

/// Puts `to`, which may be a constant, wherever `from` is used.
inline void replace_value(GraphBody& graph, ValueId from, const Argument& to) {
  if (const auto* id = to.value(); id && id->valid()) return graph.replace_all_uses(from, *id);
  for (const NodeId user : std::vector<NodeId>(graph.value(from).users)) {
    auto arguments = graph.node(user).arguments;
    for (auto& argument : arguments) argument.value = with_replaced(argument.value, from, to);
    graph.set_arguments(user, std::move(arguments));
  }
  auto outputs = graph.outputs();
  for (auto& output : outputs) output = with_replaced(output, from, to);
  graph.set_outputs(std::move(outputs));
}

/// Appends everything that is no list, in order.
inline void flatten_into(const Argument& argument, std::vector<Argument>& out) {
  if (const auto* items = argument.list()) {
    for (const auto& item : *items) flatten_into(item, out);
  } else if (const auto* entries = argument.dict()) {
    for (const auto& entry : *entries) flatten_into(entry.second, out);
  } else {
    out.push_back(argument);
  }
}

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
