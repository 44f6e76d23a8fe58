// The frames of a session, and how a swap of weights hands it new ones.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/exec/executor.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/state.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0::detail {

/// What stays the same for one set of input shapes, whatever the weights.
template <TensorBackend Backend>
struct SessionShape {
  std::vector<Value<Backend>> inputs;             ///< tensors are the session's own
  std::vector<typename Backend::Tensor> results;  ///< memory that runs hand out, as in the plan
};

/// One frame a shape, all of one version of the weights.
template <TensorBackend Backend>
struct FrameSet {
  std::vector<std::unique_ptr<Frame<Backend>>> frames;
  std::uint64_t version = 0;
  FrameSet* next = nullptr;
};

/// Owned by one session. The session's thread runs `current`; a thread that swaps weights leaves a
/// new set in `pending_`, which the session takes at its next run by one atomic exchange, and the
/// old set goes to `retired_`, where the swapping thread collects it: the session's thread neither
/// allocates nor frees nor waits.
template <TensorBackend Backend, AnyScheduler S, Tracer T>
class SessionFrames final : public FrameHolder<Backend> {
 public:
  using Set = FrameSet<Backend>;

  /// `lent` are the regions of the arena of every frame: only one runs at a time. Empty: the frames
  /// have their own.
  SessionFrames(Executor<Backend, S, T>& runner, State<Backend> first_state,
                std::vector<std::span<std::byte>> lent)
      : executor(runner),
        state(std::move(first_state)),
        current(std::make_unique<Set>()),
        lent_(std::move(lent)) {}
  ~SessionFrames() override {
    delete pending_.load(std::memory_order_acquire);
    collect();
  }
  SessionFrames(const SessionFrames&) = delete;
  SessionFrames& operator=(const SessionFrames&) = delete;

  /// For the session's thread: takes over frames of newer weights, if there are any.
  void refresh() noexcept {
    if (pending_.load(std::memory_order_relaxed) == nullptr) return;
    Set* newer = pending_.exchange(nullptr, std::memory_order_acq_rel);
    if (newer == nullptr) return;
    Set* old = current.release();
    current.reset(newer);
    old->next = retired_.load(std::memory_order_relaxed);
    while (!retired_.compare_exchange_weak(old->next, old, std::memory_order_acq_rel)) {
    }
  }

  /// Adds a shape; no swap may happen meanwhile.
  Status add(Generation<Backend>& generation, std::vector<Value<Backend>> inputs) {
    const std::lock_guard lock(mutex);
    refresh();
    SessionShape<Backend> shape{std::move(inputs), {}};
    TREADLE_TRY(auto frame, make_frame(generation, shape));
    for (const ValueId v : frame->plan().results) shape.results.push_back(frame->tensor(v));
    current->frames.push_back(std::move(frame));
    current->version = generation.executable->version();
    shapes.push_back(std::move(shape));
    return {};
  }

  Status prepare(Generation<Backend>& next) override {
    const std::lock_guard lock(mutex);
    auto set = std::make_unique<Set>();
    set->version = next.executable->version();
    for (auto& shape : shapes) {
      TREADLE_TRY(auto frame, make_frame(next, shape));
      set->frames.push_back(std::move(frame));
    }
    prepared_ = std::move(set);
    return {};
  }
  void finish(bool commit) noexcept override {
    collect();
    if (commit && prepared_)
      delete pending_.exchange(prepared_.release(), std::memory_order_acq_rel);
    prepared_.reset();
  }

  Executor<Backend, S, T>& executor;
  std::mutex mutex;  ///< guards `shapes` and the replacement of `state`
  State<Backend> state;
  std::vector<SessionShape<Backend>> shapes;
  std::unique_ptr<Set> current;

 private:
  Result<std::unique_ptr<Frame<Backend>>> make_frame(Generation<Backend>& generation,
                                                     SessionShape<Backend>& shape) {
    TREADLE_TRY(auto entry, executor.entry_for(generation, shape.inputs));
    TREADLE_TRY(auto frame, Frame<Backend>::make(entry->plan, lent_));
    TREADLE_CHECK(place_inputs<Backend>(executor.bound(), *frame, shape.inputs));
    frame->bind_state(state);
    if (!shape.results.empty()) {
      frame->adopt_results(shape.results);
    } else {
      TREADLE_CHECK(frame->allocate_results(true));
    }
    frame->bind_run_views();
    return frame;
  }

  void collect() noexcept {
    for (Set* set = retired_.exchange(nullptr, std::memory_order_acq_rel); set != nullptr;)
      delete std::exchange(set, set->next);
  }

  std::atomic<Set*> pending_{nullptr};
  std::atomic<Set*> retired_{nullptr};
  std::unique_ptr<Set> prepared_;
  std::vector<std::span<std::byte>> lent_;
};

}  // namespace treadle::inline v0::detail
