// The tracer concept: who is told when a node begins and ends.
#pragma once

#include <concepts>

#include <treadle/core/ids.hpp>

namespace treadle::inline v0 {

/// What the executor tells a tracer, on the thread that runs the node. Calls may come from several
/// threads at once, except under a serial scheduler. Neither throws.
template <class T>
concept Tracer = requires(T& tracer, NodeId node) {
  { tracer.on_begin(node) } noexcept;
  { tracer.on_end(node) } noexcept;
};

/// Tells nobody; compiles to nothing.
struct NoTracer {
  static constexpr void on_begin(NodeId) noexcept {}
  static constexpr void on_end(NodeId) noexcept {}
};

static_assert(Tracer<NoTracer>);

}  // namespace treadle::inline v0
