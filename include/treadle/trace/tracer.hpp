// The tracer concept: who is told when a node begins and ends.
#pragma once

#include <concepts>
#include <type_traits>

#include <treadle/core/graph_id.hpp>
#include <treadle/core/ids.hpp>

namespace treadle::inline v0 {

/// One run of one node. Every graph of a program numbers its nodes anew, and runs of a program may
/// overlap, so a node's id alone does not say which is meant.
struct NodeRun {
  NodeId node;
  GraphId graph;              ///< 0 for the outermost graph
  const void* run = nullptr;  ///< differs between runs that go on at the same time
};

/// A tracer that hears of the outermost graph's nodes only; control nodes are one piece to it.
template <class T>
concept NodeTracer = requires(T& tracer, NodeId node) {
  { tracer.on_begin(node) } noexcept;
  { tracer.on_end(node) } noexcept;
};

/// A tracer that hears of the nodes of subgraphs too, between begin and end of their control node.
template <class T>
concept ProgramTracer = requires(T& tracer, const NodeRun& at) {
  { tracer.on_begin(at) } noexcept;
  { tracer.on_end(at) } noexcept;
};

/// What the executor tells a tracer, on the thread that runs the node. Calls may come from several
/// threads at once, except under a serial scheduler. On one thread they nest: a node that waits may
/// run others meanwhile. Neither throws. Hooks that a tracer may have besides:
/// - `on_ready(node)`: all that the node waits for is done and it goes to the scheduler's queue; on
///   the thread that saw it, only under schedulers with a queue;
/// - `on_run_begin(run)`, `on_run_end(run)`: around all nodes of a run, on the caller's thread.
template <class T>
concept Tracer = NodeTracer<T> || ProgramTracer<T>;

/// Tells nobody; compiles to nothing.
struct NoTracer {
  static constexpr void on_begin(NodeId) noexcept {}
  static constexpr void on_end(NodeId) noexcept {}
};

static_assert(Tracer<NoTracer>);

/// Whether there is anybody to tell.
template <class T>
inline constexpr bool is_tracing = !std::is_same_v<T, NoTracer>;

}  // namespace treadle::inline v0
