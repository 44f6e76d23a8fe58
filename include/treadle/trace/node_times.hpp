// Sums up how long each node takes.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <treadle/core/ids.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0 {

/// A tracer that keeps, for each node, how often it ran and for how long altogether. Runs may
/// overlap; read the sums when none is in progress. Measures nothing until `reset` makes room.
class NodeTimes {
 public:
  struct Entry {
    std::uint64_t count = 0;
    std::int64_t nanoseconds = 0;  ///< of all runs of the node
  };

  /// Forgets everything and makes room for nodes with ids below `node_capacity`; see
  /// `GraphBody::node_capacity`. No run may be in progress.
  void reset(std::size_t node_capacity) {
    slots_ = std::make_unique<Slot[]>(node_capacity);
    capacity_ = node_capacity;
  }
  [[nodiscard]] std::size_t node_capacity() const noexcept { return capacity_; }

  /// The sums of one node.
  [[nodiscard]] Entry entry(NodeId node) const noexcept {
    if (node.index >= capacity_) return {};
    const Slot& slot = slots_[node.index];
    return {slot.count.load(std::memory_order_relaxed), slot.sum.load(std::memory_order_relaxed)};
  }

  /// Subtracting the start and adding the end needs no memory of which run is which.
  void on_begin(NodeId node) noexcept {
    if (node.index < capacity_) slots_[node.index].sum.fetch_sub(now(), std::memory_order_relaxed);
  }
  void on_end(NodeId node) noexcept {
    if (node.index >= capacity_) return;
    slots_[node.index].sum.fetch_add(now(), std::memory_order_relaxed);
    slots_[node.index].count.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  struct Slot {
    std::atomic<std::int64_t> sum{0};
    std::atomic<std::uint64_t> count{0};
  };

  [[nodiscard]] static std::int64_t now() noexcept {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  }

  std::unique_ptr<Slot[]> slots_;
  std::size_t capacity_ = 0;
};

static_assert(Tracer<NodeTimes>);

}  // namespace treadle::inline v0
