// Calls a tracer's hooks, as far as it has them.
#pragma once

#include <treadle/core/ids.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0::detail {

/// Tells of a node's begin, and in its destructor of its end. `tracer` must outlive it.
template <Tracer T>
class NodeScope {
 public:
  NodeScope(T& tracer, const NodeRun& at) noexcept : tracer_(tracer), at_(at) {
    if constexpr (ProgramTracer<T>)
      tracer_.on_begin(at_);
    else if (at_.graph.index == 0)
      tracer_.on_begin(at_.node);
  }
  NodeScope(const NodeScope&) = delete;
  NodeScope& operator=(const NodeScope&) = delete;
  ~NodeScope() {
    if constexpr (ProgramTracer<T>)
      tracer_.on_end(at_);
    else if (at_.graph.index == 0)
      tracer_.on_end(at_.node);
  }

 private:
  T& tracer_;
  NodeRun at_;
};

/// Tells of a run's begin, and in its destructor of its end. `tracer` must outlive it.
template <Tracer T>
class RunScope {
 public:
  RunScope(T& tracer, const void* run) noexcept : tracer_(tracer), run_(run) {
    if constexpr (requires { tracer.on_run_begin(run); }) tracer_.on_run_begin(run_);
  }
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;
  ~RunScope() {
    if constexpr (requires { this->tracer_.on_run_end(this->run_); }) tracer_.on_run_end(run_);
  }

 private:
  T& tracer_;
  const void* run_;
};

/// Tells that a node may begin, if the tracer wants to know.
template <Tracer T>
void tell_ready(T& tracer, const NodeRun& at) noexcept {
  if constexpr (requires { tracer.on_ready(at); })
    tracer.on_ready(at);
  else if constexpr (requires { tracer.on_ready(at.node); })
    tracer.on_ready(at.node);
}

}  // namespace treadle::inline v0::detail
