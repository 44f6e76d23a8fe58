// Definitions of rewrite.hpp.
#pragma once

#include <utility>
#include <vector>

#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0::detail {

TREADLE_INLINE Argument with_replaced(const Argument& argument, ValueId from, const Argument& to) {
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

TREADLE_INLINE void replace_value(GraphBody& graph, ValueId from, const Argument& to) {
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

TREADLE_INLINE void flatten_into(const Argument& argument, std::vector<Argument>& out) {
  if (const auto* items = argument.list()) {
    for (const auto& item : *items) flatten_into(item, out);
  } else if (const auto* entries = argument.dict()) {
    for (const auto& entry : *entries) flatten_into(entry.second, out);
  } else {
    out.push_back(argument);
  }
}

}  // namespace treadle::inline v0::detail
