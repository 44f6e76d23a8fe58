// Which steps must wait for which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace treadle::inline v0 {

/// Steps and their successors, as one flat table.
struct TaskGraph {
  std::vector<std::uint32_t> waits;  ///< number of steps that each step waits for
  std::vector<std::uint32_t> first;  ///< where a step's successors begin; one entry more at the end
  std::vector<std::uint32_t> successors;
  std::vector<std::uint32_t> roots;  ///< steps that wait for none

  [[nodiscard]] bool empty() const noexcept { return waits.empty(); }
};

/// Collects the steps' uses of memory in program order and turns them into dependencies: read after
/// write, write after read, write after write.
class DependencyBuilder {
 public:
  /// Begins the next step; its uses follow.
  void begin_step() { edges_.emplace_back(); }

  void read(std::uint32_t resource) {
    auto& state = resources_[resource];
    depend(state.writer);
    state.readers.push_back(current());
  }
  void write(std::uint32_t resource) {
    auto& state = resources_[resource];
    depend(state.writer);
    for (const std::uint32_t reader : state.readers) depend(reader);
    state.readers.clear();
    state.writer = current();
  }

  /// The steps that each step waits for, in step order; each once.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& edges() const noexcept {
    return edges_;
  }

  [[nodiscard]] TaskGraph finish() const {
    TaskGraph graph;
    const std::size_t count = edges_.size();
    graph.waits.resize(count);
    graph.first.assign(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
      graph.waits[i] = static_cast<std::uint32_t>(edges_[i].size());
      if (edges_[i].empty()) graph.roots.push_back(static_cast<std::uint32_t>(i));
      for (const std::uint32_t before : edges_[i]) ++graph.first[before + 1];
    }
    for (std::size_t i = 0; i < count; ++i) graph.first[i + 1] += graph.first[i];
    graph.successors.resize(graph.first[count]);
    std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
    for (std::size_t i = 0; i < count; ++i)
      for (const std::uint32_t before : edges_[i])
        graph.successors[next[before]++] = static_cast<std::uint32_t>(i);
    return graph;
  }

 private:
  static constexpr std::uint32_t nobody = 0xffff'ffffu;
  struct Resource {
    std::uint32_t writer = nobody;
    std::vector<std::uint32_t> readers;
  };

  [[nodiscard]] std::uint32_t current() const noexcept {
    return static_cast<std::uint32_t>(edges_.size() - 1);
  }
  void depend(std::uint32_t step) {
    if (step == nobody || step == current()) return;
    auto& before = edges_.back();
    for (const std::uint32_t known : before)
      if (known == step) return;
    before.push_back(step);
  }

  std::vector<std::vector<std::uint32_t>> edges_;
  std::unordered_map<std::uint32_t, Resource> resources_;
};

/// Which steps surely run before which, as bit sets: for plans that must hold in any order.
class Ancestors {
 public:
  explicit Ancestors(const std::vector<std::vector<std::uint32_t>>& edges)
      : words_((edges.size() + 63) / 64), bits_(edges.size() * words_) {
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (const std::uint32_t before : edges[i]) {
        for (std::size_t w = 0; w < words_; ++w)
          bits_[i * words_ + w] |= bits_[before * words_ + w];
        bits_[i * words_ + before / 64] |= std::uint64_t{1} << (before % 64);
      }
  }
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const noexcept {
    return (bits_[b * words_ + a / 64] >> (a % 64)) & 1;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace treadle::inline v0
