// The mutable part of one run: slots, arena, numbers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/plan.hpp>
#include <treadle/exec/state.hpp>
#include <treadle/exec/transfer.hpp>
#include <treadle/symbolic/number.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

template <TensorBackend Backend>
class ControlRunner;

/// Runs one plan, one run at a time. Kept between runs: with static shapes the slots keep their
/// headers and addresses.
template <TensorBackend Backend>
class Frame {
 public:
  using Tensor = typename Backend::Tensor;
  using Plan = ExecutionPlan<Backend>;

  /// Allocates the arena and makes everything that stays from run to run. `lent` is empty or has
  /// one memory for each region of the plan's arena, perhaps empty: then it is allocated. Lent ones
  /// must outlive the frame. Subgraphs of control nodes and results that are handed out have memory
  /// of their own in any case.
  [[nodiscard]] static Result<std::unique_ptr<Frame>> make(
      std::shared_ptr<const Plan> plan, std::span<const std::span<std::byte>> lent = {}) {
    std::unique_ptr<Frame> frame(new Frame(std::move(plan)));
    TREADLE_CHECK(frame->allocate(lent));
    frame->point();
    return frame;
  }

  [[nodiscard]] const Plan& plan() const noexcept { return *plan_; }
  [[nodiscard]] const std::shared_ptr<const Plan>& shared_plan() const noexcept { return plan_; }
  [[nodiscard]] Backend& backend() noexcept { return backend_; }
  [[nodiscard]] Tensor& tensor(ValueId v) noexcept { return slots_[v.index]; }
  [[nodiscard]] std::optional<Number>& number(ValueId v) noexcept { return numbers_[v.index]; }
  /// Known before the run, or made in it.
  [[nodiscard]] std::optional<Number> number_of(ValueId v) const noexcept {
    const auto& known = plan_->known.values[v.index].number;
    return known ? known : numbers_[v.index];
  }
  [[nodiscard]] CustomObject& object(ValueId v) noexcept { return objects_[v.index]; }
  [[nodiscard]] Tensor* const* call_tensors(std::uint32_t first) const noexcept {
    return pointers_.data() + first;
  }
  [[nodiscard]] std::byte* scratch() const noexcept { return scratch_; }
  [[nodiscard]] std::unique_ptr<ControlRunner<Backend>>& control(std::uint32_t i) noexcept {
    return controls_[i];
  }
  /// Steps left to wait for, one a step; for executors that run tasks.
  [[nodiscard]] std::span<std::atomic<std::uint32_t>> waits() noexcept {
    return {waits_.get(), plan_->tasks.waits.size()};
  }

  /// Puts a state's tensors in place. Does nothing if they are there.
  void bind_state(const State<Backend>& state) {
    if (state_ == &state) return;
    state_ = &state;
    const auto& executable = *plan_->executable;
    for (std::size_t i = 0; i < executable.inputs().size(); ++i) {
      const ValueId v = graph().inputs()[i];
      if (v.valid() && executable.inputs()[i].kind == InputSource::Kind::object)
        objects_[v.index] = state.object(executable.inputs()[i].index);
      if (!v.valid() || executable.inputs()[i].kind != InputSource::Kind::weight) continue;
      if (const auto* own = state.find(executable.inputs()[i].index)) slots_[v.index] = *own;
    }
    bind_views(plan_->state_views);
  }
  /// The next `bind_state` puts its tensors in place, even if it is the same object with new ones.
  void forget_state() noexcept { state_ = nullptr; }

  /// New memory for what the run hands out. Keeps what is there if `reuse`.
  Status allocate_results(bool reuse) {
    for (const ValueId v : plan_->results) {
      if (reuse && has_results_) break;
      TREADLE_TRY(slots_[v.index], backend_.empty(*plan_->known.values[v.index].meta));
    }
    has_results_ = reuse;
    return {};
  }

  /// Memory for what the run hands out, aligned with the plan's `results`, from a frame of the same
  /// shapes.
  void adopt_results(std::span<const Tensor> results) {
    for (std::size_t i = 0; i < results.size(); ++i) slots_[plan_->results[i].index] = results[i];
    has_results_ = true;
  }

  /// Points the views of inputs and results to this run's tensors.
  void bind_run_views() { bind_views(plan_->run_views); }

  /// Lets go of the caller's tensors and of what the run handed out.
  void release_run_tensors() {
    for (const ValueId v : graph().inputs())
      if (v.valid() && plan_->sources[v.index] == SlotSource::input) slots_[v.index] = {};
    for (const ValueId v : plan_->results) slots_[v.index] = {};
    for (const ValueId v : plan_->run_views) slots_[v.index] = {};
    for (auto& object : objects_) object = {};
    if (plan_->releases.empty() && plan_->control_steps == 0 && !has_dynamic()) return;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (plan_->sources[i] == SlotSource::none) slots_[i] = {};
  }

 private:
  explicit Frame(std::shared_ptr<const Plan> plan)
      : plan_(std::move(plan)), backend_(plan_->executable->backend()) {}

  [[nodiscard]] const GraphBody& graph() const noexcept { return *plan_->graph->graph; }
  [[nodiscard]] bool has_dynamic() const noexcept {
    for (const auto& step : plan_->steps)
      if (step.kind != Step<Backend>::Kind::kernel) return true;
    return false;
  }

  [[nodiscard]] bool has_objects() const noexcept {
    for (std::size_t i = 0; i < graph().value_capacity(); ++i)
      if (graph().value(ValueId(i)).kind == ValueKind::custom_object) return true;
    return false;
  }

  Status allocate(std::span<const std::span<std::byte>> lent) {
    slots_.resize(graph().value_capacity());
    numbers_.resize(graph().value_capacity());
    objects_.resize(has_objects() ? graph().value_capacity() : 0);
    controls_.resize(plan_->control_steps);
    waits_ = std::make_unique<std::atomic<std::uint32_t>[]>(plan_->tasks.waits.size());
    TREADLE_CHECK(allocate_arena(lent));
    if (plan_->is_root) place_weights();
    bind_views(plan_->fixed_views);
    return {};
  }

  /// Checks memory that a caller lends.
  [[nodiscard]] Status check_lent(std::span<std::byte> lent, std::size_t bytes) const {
    const ArenaNeeds needs = plan_->arena_needs();
    if constexpr (!BorrowingBackend<Backend>)
      return Error(ErrorCode::invalid_argument, "the backend can't use an arena of the caller's");
    if (lent.size() < bytes)
      return Error(ErrorCode::out_of_memory,
                   concat("the arena has ", lent.size(), " bytes, the plan needs ", bytes));
    if (reinterpret_cast<std::uintptr_t>(lent.data()) % needs.alignment != 0)
      return Error(ErrorCode::invalid_argument,
                   concat("the arena must begin at a multiple of ", needs.alignment, " bytes"));
    return {};
  }

  /// One region of the arena: the caller's memory, or its own.
  Status add_region(const ArenaRegion& region, std::span<std::byte> lent) {
    if (!lent.empty()) TREADLE_CHECK(check_lent(lent, region.bytes));
    if constexpr (PlannableBackend<Backend>) {
      if constexpr (BorrowingBackend<Backend>)
        if (!lent.empty()) {
          arena_.push_back(backend_.borrow(lent));
          return {};
        }
      TREADLE_TRY(auto storage, backend_.allocate(region.bytes));
      arena_.push_back(std::move(storage));
    }
    return {};
  }

  Status allocate_arena(std::span<const std::span<std::byte>> lent) {
    const auto& regions = plan_->regions;
    if (!lent.empty() && lent.size() != regions.size())
      return Error(
          ErrorCode::invalid_argument,
          concat("the plan's arena has ", regions.size(),
                 regions.size() == 1 ? " region, " : " regions, ", lent.size(), " are lent"));
    for (std::size_t r = 0; r < regions.size(); ++r) {
      auto status = add_region(regions[r], lent.empty() ? std::span<std::byte>() : lent[r]);
      if (status) continue;
      if (regions.size() == 1) return status;
      return std::move(status).with_context(concat("memory region ", r));
    }
    if constexpr (PlannableBackend<Backend>) {
      for (const auto& placed : plan_->arena) {
        TensorMeta meta = *plan_->known.values[placed.value.index].meta;
        slots_[placed.value.index] = backend_.place(
            arena_[placed.region], placed.offset - regions[placed.region].begin, meta);
      }
      if constexpr (HostBackend<Backend>)
        if (regions.size() == 1) {
          arena_start_ = backend_.place(arena_[0], 0, make_meta(DType::uint8, {1}));
          scratch_ = backend_.data(arena_start_);
          return {};
        }
    } else {
      for (std::size_t i = 0; i < plan_->sources.size(); ++i) {
        const auto& known = plan_->known.values[i];
        if (plan_->sources[i] != SlotSource::arena || known.root != ValueId(i)) continue;
        TREADLE_TRY(slots_[i], backend_.empty(*known.meta));
      }
    }
    workspace_.resize(plan_->scratch_bytes + 64);
    const auto address = reinterpret_cast<std::uintptr_t>(workspace_.data());
    scratch_ = workspace_.data() + (64 - address % 64) % 64;
    return {};
  }

  void place_weights() {
    const auto& executable = *plan_->executable;
    for (std::size_t i = 0; i < executable.inputs().size(); ++i) {
      const auto& input = executable.inputs()[i];
      const ValueId v = graph().inputs()[i];
      if (v.valid() && input.kind == InputSource::Kind::weight)
        slots_[v.index] = executable.weights().entries()[input.index].tensor;
    }
  }

  void bind_views(const std::vector<ValueId>& views) {
    if constexpr (ViewBackend<Backend>) {
      for (const ValueId v : views) {
        const auto& known = plan_->known.values[v.index];
        const Tensor& root = slots_[known.root.index];
        const std::int64_t planned = plan_->known.values[known.root.index].meta->storage_offset;
        const std::int64_t actual = backend_.meta(root).storage_offset;
        if (planned == actual) {
          slots_[v.index] = backend_.view(root, *known.meta);
        } else {
          TensorMeta meta = *known.meta;
          meta.storage_offset += actual - planned;
          slots_[v.index] = backend_.view(root, meta);
        }
      }
    } else {
      for (const ValueId v : views)
        slots_[v.index] = slots_[plan_->known.values[v.index].root.index];
    }
  }

  /// Slots do not move any more: calls may keep their addresses.
  void point() {
    constants_ = plan_->constants;
    pointers_.reserve(plan_->call_tensors.size());
    for (const std::uint32_t entry : plan_->call_tensors) {
      if (entry == Plan::no_tensor)
        pointers_.push_back(nullptr);
      else if (entry >= Plan::constant_base)
        pointers_.push_back(&constants_[entry - Plan::constant_base]);
      else
        pointers_.push_back(&slots_[entry]);
    }
  }

  std::shared_ptr<const Plan> plan_;
  Backend backend_;
  std::vector<Tensor> slots_;  ///< by value id
  std::vector<Tensor> constants_;
  std::vector<Tensor*> pointers_;
  std::vector<std::optional<Number>> numbers_;
  std::vector<CustomObject> objects_;  ///< by value id; empty in graphs without any
  std::vector<std::unique_ptr<ControlRunner<Backend>>> controls_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> waits_;
  const State<Backend>* state_ = nullptr;
  bool has_results_ = false;
  std::vector<std::byte> workspace_;
  std::byte* scratch_ = nullptr;
  Tensor arena_start_{};
  struct NoStorage {};
  template <class B>
  struct StorageOf {
    using type = NoStorage;
  };
  template <PlannableBackend B>
  struct StorageOf<B> {
    using type = typename B::Storage;
  };
  std::vector<typename StorageOf<Backend>::type> arena_;  ///< by region
};

}  // namespace treadle::inline v0
