// Gives each node's outputs to a function of the host.
#pragma once

#include <functional>

#include <treadle/core/result.hpp>
#include <treadle/exec/observe.hpp>

namespace treadle::inline v0 {

/// A tracer that calls `callback` after each node, subgraphs included, with the node and its
/// outputs; see `OutputObserver` for when and on which threads. An error of the callback stops the
/// run. Does nothing while there is no callback:
///
///     treadle::Model<Backend, Serial, treadle::NodeObserver<Backend>> model = …;
///     model.executor().tracer().callback = [](const treadle::RunningNode<Backend>& node) { … };
template <TensorBackend Backend>
struct NodeObserver {
  std::function<Status(const RunningNode<Backend>&)> callback = {};

  void on_begin(NodeId) noexcept {}
  void on_end(NodeId) noexcept {}
  Status on_outputs(const RunningNode<Backend>& node) {
    if (!callback) return {};
    return callback(node);
  }
};

}  // namespace treadle::inline v0
