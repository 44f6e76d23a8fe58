// A tracer that is chosen when the tool runs.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/exec/observe.hpp>
#include <treadle/trace/tell.hpp>
#include <treadle/trace/tracer.hpp>

#include "common.hpp"

namespace tool {

using RunningNode = treadle::RunningNode<Backend>;

/// What the engine tells; see `treadle::Tracer`, `InputObserver` and `OutputObserver`.
class Probe {
 public:
  virtual ~Probe() = default;
  virtual void on_ready(const treadle::NodeRun&) noexcept {}
  virtual void on_begin(const treadle::NodeRun&) noexcept {}
  virtual void on_end(const treadle::NodeRun&) noexcept {}
  virtual void on_run_begin(const void*) noexcept {}
  virtual void on_run_end(const void*) noexcept {}
  virtual treadle::Status on_inputs(const RunningNode&) { return {}; }
  virtual treadle::Status on_outputs(const RunningNode&) { return {}; }
};

/// The tracer of engines with a probe, which must outlive them.
struct ProbeTracer {
  Probe* probe = nullptr;

  void on_ready(const treadle::NodeRun& at) noexcept { probe->on_ready(at); }
  void on_begin(const treadle::NodeRun& at) noexcept { probe->on_begin(at); }
  void on_end(const treadle::NodeRun& at) noexcept { probe->on_end(at); }
  void on_run_begin(const void* run) noexcept { probe->on_run_begin(run); }
  void on_run_end(const void* run) noexcept { probe->on_run_end(run); }
  treadle::Status on_inputs(const RunningNode& node) { return probe->on_inputs(node); }
  treadle::Status on_outputs(const RunningNode& node) { return probe->on_outputs(node); }
};

static_assert(treadle::ProgramTracer<ProbeTracer>);
static_assert(treadle::OutputObserver<ProbeTracer, Backend>);

/// Any of treadle's tracers as a probe.
template <treadle::ProgramTracer T>
class ProbeOf final : public Probe {
 public:
  T tracer;

  void on_ready(const treadle::NodeRun& at) noexcept override {
    treadle::detail::tell_ready(tracer, at);
  }
  void on_begin(const treadle::NodeRun& at) noexcept override { tracer.on_begin(at); }
  void on_end(const treadle::NodeRun& at) noexcept override { tracer.on_end(at); }
  void on_run_begin(const void* run) noexcept override {
    if constexpr (requires(T& t) { t.on_run_begin(run); }) tracer.on_run_begin(run);
  }
  void on_run_end(const void* run) noexcept override {
    if constexpr (requires(T& t) { t.on_run_end(run); }) tracer.on_run_end(run);
  }
  treadle::Status on_inputs(const RunningNode& node) override {
    if constexpr (treadle::InputObserver<T, Backend>)
      return tracer.on_inputs(node);
    else
      return {};
  }
  treadle::Status on_outputs(const RunningNode& node) override {
    if constexpr (treadle::OutputObserver<T, Backend>)
      return tracer.on_outputs(node);
    else
      return {};
  }
};

/// Several observers that are told one after the other; they must outlive it.
class ProbeList final : public Probe {
 public:
  void add(Probe& probe) { probes_.push_back(&probe); }
  [[nodiscard]] bool empty() const noexcept { return probes_.empty(); }

  treadle::Status on_inputs(const RunningNode& node) override {
    for (auto* probe : probes_) TREADLE_CHECK(probe->on_inputs(node));
    return {};
  }
  treadle::Status on_outputs(const RunningNode& node) override {
    for (auto* probe : probes_) TREADLE_CHECK(probe->on_outputs(node));
    return {};
  }

 private:
  std::vector<Probe*> probes_;
};

}  // namespace tool
