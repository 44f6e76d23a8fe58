// One caller's place in a program: inputs and outputs that stay put, a state of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/executor.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/state.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// Keeps one frame and one state. Write the inputs in place, `run`, read the outputs in place. With
/// a serial scheduler and static shapes a run allocates nothing, takes no lock and makes no system
/// call. For one thread at a time. The executor must outlive it.
template <TensorBackend Backend, AnyScheduler S, Tracer T = NoTracer>
class Session {
 public:
  using Tensor = typename Backend::Tensor;

  /// Plans for inputs like these and copies them in. Tensors become the session's own.
  [[nodiscard]] static Result<Session> make(Executor<Backend, S, T>& executor,
                                            std::span<const Value<Backend>> inputs) {
    Session session(executor);
    std::vector<Value<Backend>> own;
    Backend backend = executor.executable().backend();
    for (const auto& input : inputs) {
      const auto* tensor = input.template get_if<Tensor>();
      if (!tensor) {
        own.push_back(input);
        continue;
      }
      TREADLE_TRY(auto copy, clone_tensor(backend, *tensor));
      own.emplace_back(std::move(copy));
    }
    TREADLE_TRY(auto plan, executor.plan_for(own));
    TREADLE_TRY(session.frame_, Frame<Backend>::make(std::move(plan)));
    TREADLE_TRY(auto state, executor.executable().make_state());
    session.state_ = std::make_unique<State<Backend>>(std::move(state));
    TREADLE_CHECK(session.place(std::move(own)));
    return session;
  }

  /// Runs on the inputs as they are now. Never throws.
  Status run() noexcept {
    TREADLE_CHECK(executor_->run_frame(*frame_, *state_));
    if (!writes_back_) return {};
    return executor_->write_back(*frame_);
  }

  [[nodiscard]] std::size_t input_count() const noexcept {
    return executor_->executable().user_input_count();
  }
  /// The session's own tensor for user input `i`; write its elements before a run.
  [[nodiscard]] Tensor& input(std::size_t i) noexcept {
    return frame_->tensor(executor_->executable().user_input(i));
  }
  [[nodiscard]] std::size_t output_count() const noexcept { return outputs_.size(); }
  /// Output `i` of the last run, if it is a tensor. With static shapes the handle and its address
  /// stay the same from run to run.
  [[nodiscard]] Tensor& output(std::size_t i) noexcept { return frame_->tensor(outputs_[i]); }

  [[nodiscard]] State<Backend>& state() noexcept { return *state_; }
  [[nodiscard]] const ExecutionPlan<Backend>& plan() const noexcept { return frame_->plan(); }
  /// Forgets what the program remembers: buffers are as in the file again.
  Status reset() {
    TREADLE_TRY(*state_, executor_->executable().make_state());
    frame_->forget_state();
    frame_->bind_state(*state_);
    return {};
  }

 private:
  explicit Session(Executor<Backend, S, T>& executor) : executor_(&executor) {}

  Status place(std::vector<Value<Backend>> inputs) {
    const auto& executable = executor_->executable();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const ValueId v = executable.user_input(i);
      if (!v.valid()) continue;
      if (auto* tensor = inputs[i].template get_if<Tensor>())
        frame_->tensor(v) = std::move(*tensor);
      else
        frame_->number(v) = executor_->number_in(inputs[i]);
    }
    frame_->bind_state(*state_);
    TREADLE_CHECK(frame_->allocate_results(true));
    frame_->bind_run_views();
    const auto& specs = executable.module().signature.outputs;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].kind == OutputKind::user_output) {
        const auto* v = executable.graph().outputs()[i].value();
        outputs_.push_back(v && v->valid() ? *v : ValueId{});
      } else {
        writes_back_ = true;
      }
    }
    return {};
  }

  Executor<Backend, S, T>* executor_;
  std::unique_ptr<Frame<Backend>> frame_;
  std::unique_ptr<State<Backend>> state_;
  std::vector<ValueId> outputs_;
  bool writes_back_ = false;
};

}  // namespace treadle::inline v0
