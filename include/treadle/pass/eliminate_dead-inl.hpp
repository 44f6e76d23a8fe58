// Definitions of dead node removal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <treadle/ops/schema.hpp>
#include <treadle/ops/writes.hpp>
#include <treadle/pass/eliminate_dead.hpp>
#include <treadle/pass/purity.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Users come after what they use, so one walk from the end finds all.
inline Status eliminate_dead_nodes(GraphBody& graph, PurityCheck& purity, bool& changed) {
  std::vector<bool> returned(graph.value_capacity(), false);
  for (const auto& output : graph.outputs())
    output.for_each_value([&](ValueId id) {
      if (id.valid()) returned[id.index] = true;
    });
  NodeId previous;
  for (NodeId id = graph.last(); id.valid(); id = previous) {
    const Node& node = graph.node(id);
    previous = node.previous;
    bool used = false;
    for (const ValueId out : node.outputs)
      used |= out.valid() && (returned[out.index] || !graph.value(out).users.empty());
    if (used || !purity.is_pure(node)) continue;
    TREADLE_CHECK(graph.remove_node(id));
    changed = true;
  }
  return {};
}

}  // namespace detail

TREADLE_INLINE Result<bool> eliminate_dead(GraphBody& graph, const OpSet& ops) {
  bool changed = false;
  detail::PurityCheck purity(ops);
  TREADLE_CHECK(detail::for_each_graph(
      graph, [&](GraphBody& body) { return detail::eliminate_dead_nodes(body, purity, changed); }));
  return changed;
}

}  // namespace treadle::inline v0
