// Plans by the metadata of the inputs they were made for, with their frames.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <treadle/exec/frame_pool.hpp>
#include <treadle/exec/plan.hpp>
#include <treadle/exec/snapshot_cell.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// The number that a value is, if it is one.
template <TensorBackend Backend>
[[nodiscard]] std::optional<Number> number_in(const Value<Backend>& value) {
  if (const auto* v = value.template get_if<std::int64_t>()) return Number(*v);
  if (const auto* v = value.template get_if<double>()) return Number(*v);
  if (const auto* v = value.template get_if<bool>()) return Number(*v);
  return std::nullopt;
}

/// What a plan may rely on in an input: of a tensor, everything but its place in its storage.
template <TensorBackend Backend>
[[nodiscard]] InputFacts facts_in(const Backend& backend, const Value<Backend>& value) {
  InputFacts facts;
  if (const auto* tensor = value.template get_if<typename Backend::Tensor>()) {
    facts.meta = backend.meta(*tensor);
    facts.meta->storage_offset = 0;
  }
  facts.number = number_in(value);
  return facts;
}

/// One plan and the frames that run it.
template <TensorBackend Backend>
struct PlanEntry {
  PlanEntry(std::vector<InputFacts> facts, std::shared_ptr<const ExecutionPlan<Backend>> made,
            std::size_t max_idle_frames)
      : inputs(std::move(facts)), plan(std::move(made)), frames(max_idle_frames) {}

  std::vector<InputFacts> inputs;  ///< aligned with the user inputs
  std::shared_ptr<const ExecutionPlan<Backend>> plan;
  FramePool<Backend> frames;
  std::atomic<std::uint64_t> last_use{0};
};

/// Finds plans without waiting; adding one takes a lock. Bounded: the plan whose last use is
/// longest ago gives way.
template <TensorBackend Backend>
class PlanCache {
 public:
  using Entry = PlanEntry<Backend>;
  using Entries = std::vector<std::shared_ptr<Entry>>;

  explicit PlanCache(std::size_t max_plans)
      : max_plans_(std::max<std::size_t>(max_plans, 1)),
        entries_(std::make_shared<const Entries>()) {}

  /// The entry for inputs of the same metadata, or null. As many inputs as the program has.
  [[nodiscard]] std::shared_ptr<Entry> find(const Backend& backend,
                                            std::span<const Value<Backend>> inputs) {
    const auto entries = entries_.load();
    for (const auto& entry : *entries) {
      bool match = true;
      for (std::size_t i = 0; match && i < inputs.size(); ++i)
        match = fits(backend, entry->inputs[i], inputs[i]);
      if (!match) continue;
      entry->last_use.store(clock_.fetch_add(1, std::memory_order_relaxed) + 1,
                            std::memory_order_relaxed);
      return entry;
    }
    return nullptr;
  }

  /// Adds a plan; gives the one that another thread added for the same inputs meanwhile.
  std::shared_ptr<Entry> add(std::shared_ptr<Entry> entry) {
    const std::lock_guard lock(mutex_);
    const auto known = entries_.load();
    for (const auto& other : *known)
      if (suit_one_plan(other->inputs, entry->inputs)) return other;
    entry->last_use.store(clock_.fetch_add(1, std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
    auto entries = std::make_shared<Entries>(*known);
    if (entries->size() >= max_plans_)
      entries->erase(
          std::min_element(entries->begin(), entries->end(), [](const auto& a, const auto& b) {
            return a->last_use.load(std::memory_order_relaxed) <
                   b->last_use.load(std::memory_order_relaxed);
          }));
    entries->push_back(entry);
    entries_.store(std::move(entries));
    return entry;
  }

  /// The plans of now. To be held while they are read: the next one that is added replaces them.
  [[nodiscard]] std::shared_ptr<const Entries> entries() const noexcept { return entries_.load(); }

 private:
  /// Compared field by field, so that the usual case copies nothing. The offset does not matter.
  static bool fits(const Backend& backend, const InputFacts& planned, const Value<Backend>& value) {
    if (const auto* tensor = value.template get_if<typename Backend::Tensor>()) {
      const TensorMeta& meta = backend.meta(*tensor);
      return planned.meta && meta.dtype == planned.meta->dtype &&
             meta.sizes == planned.meta->sizes && meta.strides == planned.meta->strides;
    }
    return !planned.meta && planned.number == number_in(value);
  }

  std::size_t max_plans_;
  std::atomic<std::uint64_t> clock_{0};
  std::mutex mutex_;
  SnapshotCell<const Entries> entries_;
};

}  // namespace treadle::inline v0
