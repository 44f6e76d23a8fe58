// Definitions of task_clusters.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/sort_places.hpp>
#include <treadle/exec/task_clusters.hpp>

namespace treadle::inline v0 {

namespace detail {

/// Groups steps in one pass over the program. Three rules, none of which can close a cycle:
/// - *chain, fork*: a step all of whose predecessors are in one task joins it, if nothing else
/// waits
///   for that task or both are cheap;
/// - *join*: a cheap task that only this step waits for is moved into the step's task: it could not
///   have been of use earlier;
/// - *siblings*: a cheap step joins a cheap task that waits for exactly the same tasks.
class ClusterBuilder {
 public:
  ClusterBuilder(const Dependencies& edges, std::span<const double> costs, double grain)
      : edges_(edges), costs_(costs), grain_(grain), users_(edges.size()) {
    for (const auto& before : edges)
      for (const std::uint32_t b : before) ++users_[b];
  }

  /// The task of each step; numbers of tasks are those of one of their steps.
  std::vector<std::uint32_t> build() {
    for (std::uint32_t s = 0; s < edges_.size(); ++s) place(s);
    std::vector<std::uint32_t> task(edges_.size());
    for (std::uint32_t s = 0; s < edges_.size(); ++s) task[s] = find(s);
    return task;
  }

 private:
  struct Cluster {
    double cost = 0;
    std::size_t open = 0;               ///< uses of its steps by steps that are not in it
    std::vector<std::uint32_t> before;  ///< clusters that it waits for, perhaps by old numbers
  };

  std::uint32_t find(std::uint32_t c) {
    while (parent_[c] != c) c = parent_[c] = parent_[parent_[c]];
    return c;
  }
  std::vector<std::uint32_t> current(const std::vector<std::uint32_t>& clusters) {
    std::vector<std::uint32_t> now;
    for (const std::uint32_t c : clusters) now.push_back(find(c));
    sort_numbers(now);
    now.erase(std::ranges::unique(now).begin(), now.end());
    return now;
  }
  bool fits(double a, double b) const { return a < grain_ && b < grain_ && a + b <= grain_; }

  void place(std::uint32_t s) {
    parent_.push_back(s);
    clusters_.push_back({costs_[s], users_[s], {}});
    auto before = take_in(s);
    drop_implied(before);
    if (before.size() == 1) {
      const std::uint32_t c = before[0];
      const std::size_t closed = uses(s, c);
      const bool chain = closed == clusters_[c].open && grain_ > 0;
      if (chain || fits(clusters_[c].cost, clusters_[s].cost)) return merge(s, c, closed);
    }
    clusters_[s].before = before;
    if (clusters_[s].cost < grain_) join_siblings(s, before);
  }

  /// The rule for joins; gives the tasks that `s` waits for after it.
  std::vector<std::uint32_t> take_in(std::uint32_t s) {
    const auto before = current(edges_[s]);
    if (before.size() < 2) return before;
    std::vector<std::uint32_t> found;
    for (const std::uint32_t b : edges_[s]) found.push_back(find(b));
    sort_numbers(found);
    std::vector<std::uint32_t> left;
    for (const std::uint32_t c : before) {
      const auto range = std::ranges::equal_range(found, c);
      const auto closed = static_cast<std::size_t>(range.size());
      if (closed == clusters_[c].open && fits(clusters_[c].cost, clusters_[s].cost)) {
        left.insert(left.end(), clusters_[c].before.begin(), clusters_[c].before.end());
        merge(c, s, closed);
      } else {
        left.push_back(c);
      }
    }
    left = current(left);
    std::erase(left, s);
    return left;
  }

  /// What another of them waits for anyway need not be waited for.
  void drop_implied(std::vector<std::uint32_t>& before) {
    if (before.size() < 2) return;
    std::vector<std::uint32_t> implied;
    for (const std::uint32_t c : before)
      for (const std::uint32_t b : clusters_[c].before) implied.push_back(find(b));
    sort_numbers(implied);
    std::erase_if(before, [&](std::uint32_t c) { return std::ranges::binary_search(implied, c); });
  }

  void join_siblings(std::uint32_t s, const std::vector<std::uint32_t>& before) {
    const auto [at, is_new] = siblings_.try_emplace(before, s);
    if (is_new) return;
    const std::uint32_t c = find(at->second);
    auto others = current(clusters_[c].before);
    std::erase(others, c);
    if (c != s && others == before && fits(clusters_[c].cost, clusters_[s].cost))
      merge(s, c, 0);
    else
      at->second = s;
  }

  /// How many steps of cluster `c` step `s` waits for.
  std::size_t uses(std::uint32_t s, std::uint32_t c) {
    return static_cast<std::size_t>(
        std::ranges::count_if(edges_[s], [&](std::uint32_t b) { return find(b) == c; }));
  }

  /// Moves cluster `from` into `into`; `closed` uses are between the two.
  void merge(std::uint32_t from, std::uint32_t into, std::size_t closed) {
    parent_[from] = into;
    clusters_[into].cost += clusters_[from].cost;
    clusters_[into].open += clusters_[from].open - closed;
  }

  const Dependencies& edges_;
  std::span<const double> costs_;
  double grain_;
  std::vector<std::size_t> users_;
  std::vector<std::uint32_t> parent_;
  std::vector<Cluster> clusters_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> siblings_;  ///< latest task by what it awaits
};

/// Fills in the tables of a graph whose steps have been grouped.
class TaskGraphBuilder {
 public:
  TaskGraphBuilder(const Dependencies& edges, std::span<const double> costs,
                   const std::vector<std::uint32_t>& cluster) {
    std::vector<std::uint32_t> number(edges.size(), nobody);
    for (std::size_t s = 0; s < edges.size(); ++s)
      if (auto& n = number[cluster[s]]; n == nobody) n = static_cast<std::uint32_t>(tasks_++);
    steps_.resize(tasks_);
    before_.resize(tasks_);
    costs_.resize(tasks_);
    for (std::size_t s = 0; s < edges.size(); ++s) {
      const std::uint32_t task = number[cluster[s]];
      steps_[task].push_back(static_cast<std::uint32_t>(s));
      costs_[task] += costs[s];
      for (const std::uint32_t b : edges[s])
        if (number[cluster[b]] != task) before_[task].push_back(number[cluster[b]]);
    }
    for (auto& before : before_) {
      sort_numbers(before);
      before.erase(std::ranges::unique(before).begin(), before.end());
    }
  }

  TaskGraph finish() {
    TaskGraph graph;
    graph.first_step.push_back(0);
    for (const auto& steps : steps_) {
      graph.steps.insert(graph.steps.end(), steps.begin(), steps.end());
      graph.first_step.push_back(static_cast<std::uint32_t>(graph.steps.size()));
    }
    list_successors(graph);
    measure(graph);
    return graph;
  }

 private:
  static constexpr std::uint32_t nobody = 0xffff'ffffu;

  void list_successors(TaskGraph& graph) {
    graph.waits.resize(tasks_);
    graph.first.assign(tasks_ + 1, 0);
    for (std::size_t i = 0; i < tasks_; ++i) {
      graph.waits[i] = static_cast<std::uint32_t>(before_[i].size());
      if (before_[i].empty()) graph.roots.push_back(static_cast<std::uint32_t>(i));
      for (const std::uint32_t b : before_[i]) ++graph.first[b + 1];
    }
    for (std::size_t i = 0; i < tasks_; ++i) graph.first[i + 1] += graph.first[i];
    graph.successors.resize(graph.first[tasks_]);
    std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
    for (std::size_t i = 0; i < tasks_; ++i)
      for (const std::uint32_t b : before_[i])
        graph.successors[next[b]++] = static_cast<std::uint32_t>(i);
  }

  /// Longest paths from each task to the end, backwards in an order that respects the edges.
  void measure(TaskGraph& graph) {
    std::vector<std::uint32_t> left(graph.waits), order(graph.roots);
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::uint32_t k = graph.first[order[i]]; k < graph.first[order[i] + 1]; ++k)
        if (--left[graph.successors[k]] == 0) order.push_back(graph.successors[k]);
    std::vector<double> path(tasks_, 0);
    const auto longest_first = [&](std::uint32_t a, std::uint32_t b) {
      return path[a] != path[b] ? path[a] > path[b] : a < b;
    };
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t task = order[i];
      const auto next = std::span(graph.successors)
                            .subspan(graph.first[task], graph.first[task + 1] - graph.first[task]);
      sort_places(next, longest_first);
      path[task] = costs_[task] + (next.empty() ? 0 : path[next.front()]);
      graph.work_ns += costs_[task];
      graph.path_ns = std::max(graph.path_ns, path[task]);
    }
    sort_places(graph.roots, longest_first);
  }

  std::size_t tasks_ = 0;
  std::vector<std::vector<std::uint32_t>> steps_;
  Dependencies before_;
  std::vector<double> costs_;
};

}  // namespace detail

TREADLE_INLINE TaskGraph make_tasks(const Dependencies& edges, std::span<const double> costs,
                                    const TaskOptions& options) {
  double work = 0;
  for (const double cost : costs) work += cost;
  if (work < options.least_work_ns || edges.empty()) return {};
  const auto clusters = detail::ClusterBuilder(edges, costs, options.grain_ns).build();
  TaskGraph graph = detail::TaskGraphBuilder(edges, costs, clusters).finish();
  if (graph.work_ns < options.least_gain * graph.path_ns) return {};
  return graph;
}

}  // namespace treadle::inline v0
