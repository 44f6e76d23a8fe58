// Which steps must wait for which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <treadle/config.hpp>

namespace treadle::inline v0 {

/// When a plan's steps become tasks, and how large those are. Times are estimates from shapes; see
/// `estimate_nanoseconds`. Neither depends on the number of threads.
struct TaskOptions {
  /// Steps that cost less are put together until a task costs about this much. With 0 every step is
  /// a task of its own.
  double grain_ns = 5000;
  /// Programs that cost less in all run as a plain loop.
  double least_work_ns = 60000;
  /// So do programs whose longest path leaves less than this to be gained: work over path.
  double least_gain = 1.1;
};

/// Tasks, each a few steps that run one after the other, and their successors, as flat tables.
struct TaskGraph {
  std::vector<std::uint32_t> steps;       ///< of all tasks, in program order within each
  std::vector<std::uint32_t> first_step;  ///< where a task's steps begin; one entry more at the end
  std::vector<std::uint32_t> waits;       ///< number of tasks that each task waits for
  std::vector<std::uint32_t> first;       ///< where a task's successors begin; one more at the end
  std::vector<std::uint32_t> successors;  ///< those on the longest paths first
  std::vector<std::uint32_t> roots;       ///< tasks that wait for none
  double work_ns = 0;                     ///< estimate of all steps
  double path_ns = 0;                     ///< estimate of the longest path

  [[nodiscard]] bool empty() const noexcept { return waits.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return waits.size(); }
};

/// For each step or task, those that it waits for, each once. All come before it.
using Dependencies = std::vector<std::vector<std::uint32_t>>;

/// Collects the steps' uses of memory in program order and turns them into dependencies: read after
/// write, write after read, write after write.
class DependencyBuilder {
 public:
  /// Begins the next step; its uses follow.
  void begin_step() { edges_.emplace_back(); }

  void read(std::uint32_t resource);
  void write(std::uint32_t resource);

  [[nodiscard]] const Dependencies& edges() const noexcept { return edges_; }

 private:
  static constexpr std::uint32_t nobody = 0xffff'ffffu;
  struct Resource {
    std::uint32_t writer = nobody;
    std::vector<std::uint32_t> readers;
  };

  [[nodiscard]] std::uint32_t current() const noexcept {
    return static_cast<std::uint32_t>(edges_.size() - 1);
  }
  void depend(std::uint32_t step);

  std::unordered_map<std::uint32_t, Resource> resources_;
  Dependencies edges_;
};

/// Which steps surely run before which, as bit sets: for plans that must hold in any order.
class Ancestors {
 public:
  explicit Ancestors(const std::vector<std::vector<std::uint32_t>>& edges);
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const noexcept {
    return (bits_[b * words_ + a / 64] >> (a % 64)) & 1;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Turns steps into tasks, as `make_tasks` does.
using TaskMaker = TaskGraph (*)(const Dependencies& edges, std::span<const double> costs,
                                const TaskOptions& options);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exec/task_graph-inl.hpp>
#endif
