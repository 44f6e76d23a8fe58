// One caller's place in a program: inputs and outputs that stay put, a state of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/executor.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/session_frames.hpp>
#include <treadle/exec/size_grid.hpp>
#include <treadle/exec/state.hpp>
#include <treadle/kernel/run_options.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// How a session is made.
struct SessionOptions {
  /// Memory for everything that is planned: intermediate values and workspaces. Must outlive the
  /// session. Without it the session allocates what it needs; `Executor::arena_needs` tells how
  /// much that is, and the alignment. The frames of all shapes and weights take turns in it.
  std::span<std::byte> arena = {};
  /// The same for plans with several regions: one memory for each of `ExecutorOptions::regions`;
  /// the session allocates those that are empty. Workspaces stay with the session then.
  std::vector<std::span<std::byte>> regions = {};
};

/// Keeps frames and one state. Write the inputs in place, `run`, read the outputs in place. With a
/// serial scheduler and sizes known before the run, a run allocates nothing, takes no lock and
/// makes no system call, also while another thread swaps the weights: the swap prepares the
/// session's frames, and the next run takes them. For one thread at a time. The executor must
/// outlive it.
template <TensorBackend Backend, AnyScheduler S, Tracer T = NoTracer>
class Session {
 public:
  using Tensor = typename Backend::Tensor;

  /// Plans for inputs like these and copies them in. Tensors become the session's own. An arena
  /// that is too small gives an error with the bytes needed.
  [[nodiscard]] static Result<Session> make(Executor<Backend, S, T>& executor,
                                            std::span<const Value<Backend>> inputs,
                                            SessionOptions options = {});

  /// Runs on the inputs as they are now. Never throws.
  Status run(const RunOptions& options = {}) noexcept {
    frames_->refresh();
    Frame<Backend>& frame = active();
    TREADLE_CHECK(frames_->executor.run_frame(frame, frames_->state, options));
    return detail::write_back(frame);
  }

  /// The frame of this shape, for those who run its steps themselves as `Stepper` does. Good until
  /// the next run.
  [[nodiscard]] Frame<Backend>& frame() noexcept {
    frames_->refresh();
    return active();
  }

  [[nodiscard]] std::size_t input_count() const noexcept {
    return frames_->executor.bound().user_input_count();
  }
  /// The session's own tensor for user input `i`, which must be one; write its elements before a
  /// run. It stays where it is as long as the session lives.
  [[nodiscard]] Tensor& input(std::size_t i) noexcept {
    return *frames_->shapes[shape_].inputs[i].template get_if<Tensor>();
  }
  [[nodiscard]] std::size_t output_count() const noexcept { return outputs_.size(); }
  /// Output `i` of the last run, if it is a tensor. The reference is good until the next run; where
  /// sizes are known before the run, its elements stay at the same address.
  [[nodiscard]] Tensor& output(std::size_t i) noexcept { return active().tensor(outputs_[i]); }

  // --- several shapes ----------------------------------------------------------------------------
  /// Plans for inputs of other sizes, too, and copies them in; gives the number of the shape, which
  /// is 0 for that of `make`. Not for the real-time thread.
  Result<std::size_t> add_shape(std::span<const Value<Backend>> inputs);
  /// Plans for every combination of sizes that the program's bounds and guards allow, with inputs
  /// of zeros. An error if a size has no bounds or there are more than `limit` combinations.
  Status add_all_shapes(std::size_t limit = 1024);
  [[nodiscard]] std::size_t shape_count() const noexcept { return frames_->shapes.size(); }
  /// The shape of inputs with these sizes, or `shape_count()`.
  [[nodiscard]] std::size_t find_shape(std::span<const Value<Backend>> inputs) const noexcept {
    for (std::size_t k = 0; k < frames_->shapes.size(); ++k)
      if (same_sizes(frames_->shapes[k].inputs, inputs)) return k;
    return shape_count();
  }
  /// The same by the sizes of the input tensors alone, in order.
  [[nodiscard]] std::size_t find_shape(std::span<const Dims> sizes) const noexcept {
    for (std::size_t k = 0; k < frames_->shapes.size(); ++k)
      if (has_sizes(frames_->shapes[k].inputs, sizes)) return k;
    return shape_count();
  }
  /// `input`, `run` and `output` are about this shape from now on. As real-time safe as `run`.
  void select_shape(std::size_t shape) noexcept { shape_ = shape; }

  [[nodiscard]] State<Backend>& state() noexcept { return frames_->state; }
  [[nodiscard]] const ExecutionPlan<Backend>& plan() const noexcept {
    return frames_->current->frames[shape_]->plan();
  }
  /// The version of the weights that the last run used.
  [[nodiscard]] std::uint64_t weights_version() const noexcept { return frames_->current->version; }
  /// Forgets what the program remembers: buffers are as in the current weights again.
  Status reset();

 private:
  using Frames = detail::SessionFrames<Backend, S, T>;

  explicit Session(std::shared_ptr<Frames> frames) : frames_(std::move(frames)) {}

  Frame<Backend>& active() noexcept { return *frames_->current->frames[shape_]; }

  Result<std::vector<Value<Backend>>> own_copies(std::span<const Value<Backend>> inputs) {
    Backend backend = frames_->executor.bound().backend();
    std::vector<Value<Backend>> own;
    for (const auto& input : inputs) {
      const auto* tensor = input.template get_if<Tensor>();
      if (!tensor) {
        own.push_back(input);
        continue;
      }
      TREADLE_TRY(auto copy, clone_tensor(backend, *tensor));
      own.emplace_back(std::move(copy));
    }
    return own;
  }

  /// Inputs of one combination of sizes.
  Result<std::vector<Value<Backend>>> zeros(const Bindings& sizes) {
    const auto& bound = frames_->executor.bound();
    Backend backend = bound.backend();
    std::vector<Value<Backend>> inputs;
    for (std::size_t i = 0; i < bound.user_input_count(); ++i) {
      const ValueId v = bound.user_input(i);
      const auto* type =
          v.valid() && bound.graph().value(v).tensor ? &*bound.graph().value(v).tensor : nullptr;
      if (!type) {
        inputs.push_back(frames_->shapes[0].inputs[i]);
        continue;
      }
      const auto meta = evaluate_type(*type, sizes);
      if (!meta)
        return Error(ErrorCode::invalid_argument,
                     concat("the sizes of input '", bound.graph().value(v).name,
                            "' are not known from the program's bounds"));
      TREADLE_TRY(auto tensor, backend.empty(make_meta(meta->dtype, meta->sizes, meta->device)));
      const std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(*meta)) *
                                         size_of(meta->dtype));
      TREADLE_CHECK(backend.copy_from_host(tensor, bytes));
      inputs.emplace_back(std::move(tensor));
    }
    return inputs;
  }

  bool same_sizes(const std::vector<Value<Backend>>& a,
                  std::span<const Value<Backend>> b) const noexcept {
    const Backend backend = frames_->executor.bound().backend();
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto* x = a[i].template get_if<Tensor>();
      const auto* y = b[i].template get_if<Tensor>();
      if ((x == nullptr) != (y == nullptr)) return false;
      if (x && !(backend.meta(*x).sizes == backend.meta(*y).sizes)) return false;
    }
    return true;
  }
  bool has_sizes(const std::vector<Value<Backend>>& inputs,
                 std::span<const Dims> sizes) const noexcept {
    const Backend backend = frames_->executor.bound().backend();
    std::size_t k = 0;
    for (const auto& input : inputs)
      if (const auto* tensor = input.template get_if<Tensor>())
        if (k >= sizes.size() || !(backend.meta(*tensor).sizes == sizes[k++])) return false;
    return k == sizes.size();
  }

  void find_outputs() {
    const auto& bound = frames_->executor.bound();
    const auto& specs = bound.module().signature.outputs;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].kind != OutputKind::user_output) continue;
      const auto* v = bound.graph().outputs()[i].value();
      outputs_.push_back(v && v->valid() ? *v : ValueId{});
    }
  }

  std::shared_ptr<Frames> frames_;
  std::size_t shape_ = 0;
  std::vector<ValueId> outputs_;
};

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<Session<Backend, S, T>> Session<Backend, S, T>::make(Executor<Backend, S, T>& executor,
                                                            std::span<const Value<Backend>> inputs,
                                                            SessionOptions options) {
  TREADLE_TRY(auto state, executor.make_state());
  if (options.regions.empty() && !options.arena.empty()) options.regions = {options.arena};
  Session session(std::make_shared<Frames>(executor, std::move(state), std::move(options.regions)));
  TREADLE_TRY(auto own, session.own_copies(inputs));
  TREADLE_CHECK(executor.attach(session.frames_, [&](Generation<Backend>& generation) {
    return session.frames_->add(generation, std::move(own));
  }));
  session.find_outputs();
  return session;
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::size_t> Session<Backend, S, T>::add_shape(std::span<const Value<Backend>> inputs) {
  TREADLE_TRY(auto own, own_copies(inputs));
  TREADLE_CHECK(frames_->executor.attach(frames_, [&](Generation<Backend>& generation) {
    return frames_->add(generation, std::move(own));
  }));
  return frames_->shapes.size() - 1;
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Status Session<Backend, S, T>::add_all_shapes(std::size_t limit) {
  TREADLE_TRY(const auto grid, size_grid(frames_->executor.bound().module(), limit));
  for (const auto& sizes : grid) {
    TREADLE_TRY(const auto inputs, zeros(sizes));
    if (find_shape(inputs) != shape_count()) continue;
    auto added = add_shape(inputs);
    if (!added && added.error().code() != ErrorCode::invalid_argument)
      return std::move(added).error();
  }
  return {};
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Status Session<Backend, S, T>::reset() {
  TREADLE_TRY(auto state, frames_->executor.make_state());
  const std::lock_guard lock(frames_->mutex);
  frames_->refresh();
  frames_->state = std::move(state);
  for (auto& frame : frames_->current->frames) {
    frame->forget_state();
    frame->bind_state(frames_->state);
  }
  return {};
}

}  // namespace treadle::inline v0
