// The engine for one scheduler type.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <treadle/cpu/kernels.hpp>
#include <treadle/model/model.hpp>

#include "engine.hpp"

namespace tool {

template <class Session>
class SessionOf final : public EngineSession {
 public:
  explicit SessionOf(Session session) : session_(std::move(session)) {}
  treadle::Status run() noexcept override { return session_.run(); }
  treadle::Stepper<Backend> stepper() override { return treadle::Stepper<Backend>(session_); }

 private:
  Session session_;
};

/// Owns the scheduler, which the model refers to.
template <class S, class T>
class EngineOf final : public Engine {
 public:
  using Model = treadle::Model<Backend, S, T>;

  EngineOf(std::unique_ptr<S> scheduler, Model model)
      : scheduler_(std::move(scheduler)), model_(std::move(model)) {}

  [[nodiscard]] const treadle::GraphModule& module() const override { return model_.module(); }
  treadle::Result<std::vector<Value>> run(std::span<const Value> inputs) override {
    return model_.run(inputs);
  }
  treadle::Result<std::unique_ptr<EngineSession>> session(std::span<const Value> inputs) override {
    TREADLE_TRY(auto made, model_.session(inputs));
    return std::unique_ptr<EngineSession>(
        std::make_unique<SessionOf<treadle::Session<Backend, S, T>>>(std::move(made)));
  }
  treadle::Result<std::shared_ptr<const Plan>> plan_for(std::span<const Value> inputs) override {
    return model_.executor().plan_for(inputs);
  }

 private:
  std::unique_ptr<S> scheduler_;
  Model model_;
};

template <class S, class T>
treadle::Result<std::unique_ptr<Engine>> make_engine_of(treadle::ExportedArchive archive,
                                                        std::unique_ptr<S> scheduler, T tracer) {
  TREADLE_TRY(auto model, (treadle::Model<Backend, S, T>::from(std::move(archive), *scheduler,
                                                               treadle::cpu::kernels())));
  model.executor().tracer() = tracer;
  return std::unique_ptr<Engine>(
      std::make_unique<EngineOf<S, T>>(std::move(scheduler), std::move(model)));
}

template <class S>
treadle::Result<std::unique_ptr<Engine>> make_engine_on(treadle::ExportedArchive archive,
                                                        std::unique_ptr<S> scheduler,
                                                        Probe* probe) {
  return probe ? make_engine_of(std::move(archive), std::move(scheduler), ProbeTracer{probe})
               : make_engine_of(std::move(archive), std::move(scheduler), treadle::NoTracer{});
}

}  // namespace tool
