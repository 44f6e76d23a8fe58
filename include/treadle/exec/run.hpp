// The hot loop: a plan's steps in order.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <treadle/analysis/source.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/control.hpp>
#include <treadle/exec/dynamic.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/method_step.hpp>
#include <treadle/exec/observe.hpp>
#include <treadle/exec/prepare_kernel.hpp>
#include <treadle/kernel/run_options.hpp>
#include <treadle/trace/tell.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0 {

template <TensorBackend Backend, Tracer T>
Status run_steps(Frame<Backend>& frame, RunContext<Backend>& context, T& tracer);

namespace detail {

/// Runs a step that is not a plain kernel.
template <TensorBackend Backend, Tracer T>
Status run_special(const Step<Backend>& step, Frame<Backend>& frame, RunContext<Backend>& context,
                   T& tracer) {
  if (step.kind == Step<Backend>::Kind::dynamic) {
    if (frame.plan().known.actions[step.node.index] == Action::method)
      return MethodStep<Backend>(frame, context, step.node).run();
    return DynamicStep<Backend>(frame, context, step.node).run();
  }
  auto& control = frame.control(step.control);
  if (!control) control = std::make_unique<ControlRunner<Backend>>(frame, step.node);
  const auto run_body = [&](Frame<Backend>& body) { return run_steps(body, context, tracer); };
  return control->run(context, run_body);
}

template <TensorBackend Backend, Tracer T>
inline Status run_plain(const Step<Backend>& step, Frame<Backend>& frame,
                        RunContext<Backend>& context, T& tracer) {
  context.set_scratch(frame.scratch() + step.scratch);
  if (step.kind == Step<Backend>::Kind::kernel) [[likely]]
    return step.run(step.prepared, context, frame.call_tensors(step.tensors));
  return run_special(step, frame, context, tracer);
}

/// Runs a step and tells the tracer.
template <TensorBackend Backend, Tracer T>
inline Status run_step(const Step<Backend>& step, Frame<Backend>& frame,
                       RunContext<Backend>& context, T& tracer) {
  if constexpr (!is_tracing<T>) {
    return run_plain(step, frame, context, tracer);
  } else {
    const RunningNode<Backend> view(frame, step.node);
    if constexpr (InputObserver<T, Backend>) TREADLE_CHECK(tracer.on_inputs(view));
    Status status;
    {
      const NodeScope<T> scope(tracer, view.at());
      status = run_plain(step, frame, context, tracer);
    }
    if constexpr (OutputObserver<T, Backend>)
      if (status) status = tracer.on_outputs(view);
    return status;
  }
}

template <TensorBackend Backend>
Error at_node(Error error, const Frame<Backend>& frame, NodeId node) {
  return std::move(error).with_context(describe(frame.plan().graph->graph->node(node)));
}

/// `is_limited`: the context has limits, which are looked at before each step.
template <bool is_limited, TensorBackend Backend, Tracer T>
Status run_loop(Frame<Backend>& frame, RunContext<Backend>& context, T& tracer, NodeId& at) {
  const auto& plan = frame.plan();
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto& step = plan.steps[i];
    at = step.node;
    if constexpr (is_limited)
      if (auto status = check_limits(context.limits()); !status)
        return at_node(std::move(status).error(), frame, step.node);
    Status status = run_step(step, frame, context, tracer);
    if (!status) [[unlikely]]
      return at_node(std::move(status).error(), frame, step.node);
    if (!plan.releases.empty())
      for (const ValueId v : plan.releases[i]) frame.tensor(v) = {};
  }
  return {};
}

template <TensorBackend Backend, Tracer T>
Status run_loop(Frame<Backend>& frame, RunContext<Backend>& context, T& tracer, NodeId& at) {
  return context.limits() ? run_loop<true>(frame, context, tracer, at)
                          : run_loop<false>(frame, context, tracer, at);
}

/// The same for a tracer that is to see the nodes between the steps too.
template <TensorBackend Backend, Tracer T>
Status run_observed(Frame<Backend>& frame, RunContext<Backend>& context, T& tracer, NodeId& at) {
  const auto& plan = frame.plan();
  StepGaps<Backend> gaps(plan);
  const auto pass_gap = [&]() -> Status {
    for (at = gaps.next(); at.valid(); at = gaps.next())
      if (auto status = tracer.on_outputs(RunningNode<Backend>(frame, at)); !status)
        return at_node(std::move(status).error(), frame, at);
    return {};
  };
  TREADLE_CHECK(pass_gap());
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto& step = plan.steps[i];
    at = step.node;
    if (context.limits())
      if (auto status = check_limits(context.limits()); !status)
        return at_node(std::move(status).error(), frame, step.node);
    if (auto status = run_step(step, frame, context, tracer); !status)
      return at_node(std::move(status).error(), frame, step.node);
    gaps.done(step.node);
    TREADLE_CHECK(pass_gap());
    if (!plan.releases.empty())
      for (const ValueId v : plan.releases[i]) frame.tensor(v) = {};
  }
  return {};
}

template <TensorBackend Backend, Tracer T>
Status run_all(Frame<Backend>& frame, RunContext<Backend>& context, T& tracer, NodeId& at) {
  if constexpr (OutputObserver<T, Backend>)
    return run_observed(frame, context, tracer, at);
  else
    return run_loop(frame, context, tracer, at);
}

}  // namespace detail

/// Runs every step in order on the calling thread. Errors name the node and its source line; so do
/// exceptions of kernels, where exceptions are enabled.
template <TensorBackend Backend, Tracer T>
Status run_steps(Frame<Backend>& frame, RunContext<Backend>& context, T& tracer) {
  NodeId at;
#if defined(__cpp_exceptions)
  try {
    return detail::run_all(frame, context, tracer, at);
  } catch (...) {
    return detail::at_node(detail::current_exception_error(), frame, at);
  }
#else
  return detail::run_all(frame, context, tracer, at);
#endif
}

/// The same, and nobody is told.
template <TensorBackend Backend>
Status run_steps(Frame<Backend>& frame, RunContext<Backend>& context) {
  NoTracer nobody;
  return run_steps(frame, context, nobody);
}

}  // namespace treadle::inline v0
