// Sums up how long each node takes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <treadle/core/graph_id.hpp>
#include <treadle/core/ids.hpp>
#include <treadle/trace/clock.hpp>
#include <treadle/trace/lanes.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0 {

/// A tracer that keeps, for each node of a program, how often it ran and for how long. Runs may
/// overlap; read the sums when none is in progress. Measures nothing until `reset` makes room, and
/// allocates nothing afterwards.
class NodeTimes {
 public:
  struct Entry {
    std::uint64_t count = 0;
    std::int64_t nanoseconds = 0;       ///< of all runs of the node
    std::int64_t self_nanoseconds = 0;  ///< the same less nodes that ran inside, as in subgraphs
    std::int64_t least = 0;             ///< of one run
  };

  /// Forgets everything and makes room for the outermost graph's nodes with ids below
  /// `node_capacity`; see `GraphBody::node_capacity`. No run may be in progress.
  void reset(std::size_t node_capacity) { reset(std::span(&node_capacity, 1)); }
  /// The same for all graphs of a program, by graph id, and for up to `threads` threads; nodes that
  /// run on more are not measured.
  void reset(std::span<const std::size_t> node_capacities, std::size_t threads = 64) {
    first_.assign(1, 0);
    for (const std::size_t capacity : node_capacities) first_.push_back(first_.back() + capacity);
    lanes_.reset(threads, [&](Lane& lane) { lane.entries.resize(first_.back()); });
  }
  /// Forgets what was measured. No run may be in progress.
  void clear() {
    lanes_.for_each([](Lane& lane) { std::ranges::fill(lane.entries, Entry{}); });
  }

  /// The sums of one node.
  [[nodiscard]] Entry entry(NodeId node, GraphId graph = GraphId(0)) const {
    Entry sum;
    const std::size_t at = place(node, graph);
    if (at == nowhere) return sum;
    lanes_.for_each_taken([&](const Lane& lane) {
      const Entry& own = lane.entries[at];
      if (own.count == 0) return;
      sum.least = sum.count == 0 ? own.least : std::min(sum.least, own.least);
      sum.count += own.count;
      sum.nanoseconds += own.nanoseconds;
      sum.self_nanoseconds += own.self_nanoseconds;
    });
    return sum;
  }

  void on_begin(const NodeRun& at) noexcept {
    Lane* lane = lanes_.mine();
    if (!lane) return;
    if (lane->depth < lane->open.size())
      lane->open[lane->depth] = {place(at.node, at.graph), detail::now_in_nanoseconds(), 0};
    ++lane->depth;
  }
  void on_end(const NodeRun&) noexcept {
    Lane* lane = lanes_.mine();
    if (!lane || lane->depth == 0 || --lane->depth >= lane->open.size()) return;
    const Open& open = lane->open[lane->depth];
    const std::int64_t took = detail::now_in_nanoseconds() - open.begin;
    if (lane->depth > 0) lane->open[lane->depth - 1].inside += took;
    if (open.place == nowhere) return;
    Entry& entry = lane->entries[open.place];
    entry.least = entry.count == 0 ? took : std::min(entry.least, took);
    ++entry.count;
    entry.nanoseconds += took;
    entry.self_nanoseconds += took - open.inside;
  }
  void on_begin(NodeId node) noexcept { on_begin(NodeRun{node, GraphId(0)}); }
  void on_end(NodeId node) noexcept { on_end(NodeRun{node, GraphId(0)}); }

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0};
  struct Open {
    std::size_t place = nowhere;
    std::int64_t begin = 0;
    std::int64_t inside = 0;  ///< of nodes that ran meanwhile on this thread
  };
  struct Lane {
    std::vector<Entry> entries;
    std::array<Open, 64> open;  ///< deeper ones are not measured
    std::size_t depth = 0;
  };

  [[nodiscard]] std::size_t place(NodeId node, GraphId graph) const noexcept {
    if (std::size_t{graph.index} + 1 >= first_.size()) return nowhere;
    const std::size_t at = first_[graph.index] + node.index;
    return node.index < first_[graph.index + 1] - first_[graph.index] ? at : nowhere;
  }

  detail::Lanes<Lane> lanes_;
  std::vector<std::size_t> first_;  ///< where each graph's entries begin
};

static_assert(ProgramTracer<NodeTimes>);

}  // namespace treadle::inline v0
