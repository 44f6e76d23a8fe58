// How steps become tasks.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/exec/task_clusters.hpp>

namespace {

using treadle::Dependencies;
using treadle::TaskGraph;
using treadle::TaskOptions;

constexpr TaskOptions always = {.grain_ns = 1000, .least_work_ns = 0, .least_gain = 0};

TaskGraph tasks_of(const Dependencies& edges, const std::vector<double>& costs,
                   const TaskOptions& options = always) {
  return treadle::make_tasks(edges, costs, options);
}

/// Runs the tasks in a random order that the graph allows; says if each step ran once, after those
/// that it waits for.
bool runs_right(const TaskGraph& graph, const Dependencies& edges, std::mt19937& random) {
  std::vector<std::uint32_t> waits(graph.waits), ready(graph.roots);
  std::vector<bool> done(edges.size(), false);
  std::size_t ran = 0;
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const std::uint32_t task = ready.back();
    ready.pop_back();
    for (std::uint32_t k = graph.first_step[task]; k < graph.first_step[task + 1]; ++k, ++ran) {
      const std::uint32_t step = graph.steps[k];
      if (done[step]) return false;
      for (const std::uint32_t before : edges[step])
        if (!done[before]) return false;
      done[step] = true;
    }
    for (std::uint32_t k = graph.first[task]; k < graph.first[task + 1]; ++k)
      if (--waits[graph.successors[k]] == 0) ready.push_back(graph.successors[k]);
  }
  return ran == edges.size();
}

Dependencies random_graph(std::size_t steps, std::mt19937& random) {
  Dependencies edges(steps);
  for (std::uint32_t i = 1; i < steps; ++i)
    for (std::size_t k = random() % 4; k > 0; --k) {
      const auto reach = random() % 2 == 0 ? i : std::min<std::uint32_t>(i, 5);
      const auto before = static_cast<std::uint32_t>(i - 1 - random() % reach);
      if (std::ranges::find(edges[i], before) == edges[i].end()) edges[i].push_back(before);
    }
  return edges;
}

/// One step, then so many that wait for it, then one that waits for all of those.
Dependencies fork_and_join(std::uint32_t width) {
  Dependencies edges(width + 2);
  for (std::uint32_t i = 1; i <= width; ++i) {
    edges[i] = {0};
    edges[width + 1].push_back(i);
  }
  return edges;
}

}  // namespace

TEST_CASE("grouped steps keep their order in random graphs") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const Dependencies edges = random_graph(1 + random() % 60, random);
    std::vector<double> costs;
    for (std::size_t i = 0; i < edges.size(); ++i)
      costs.push_back(400.0 * static_cast<double>(random() % 3));
    TaskOptions options = always;
    if (round % 4 == 0) options.grain_ns = 0;
    const TaskGraph graph = tasks_of(edges, costs, options);
    REQUIRE(runs_right(graph, edges, random));
    if (options.grain_ns == 0) CHECK(graph.size() == edges.size());
  }
}

TEST_CASE("a chain is one task") {
  Dependencies edges(100);
  for (std::uint32_t i = 1; i < 100; ++i) edges[i] = {i - 1};
  for (const double cost : {1.0, 1e6}) {
    const std::vector<double> costs(100, cost);
    CHECK(tasks_of(edges, costs).size() == 1);
    CHECK(tasks_of(edges, costs, {.least_work_ns = 0}).empty());
  }
}

TEST_CASE("a chain with shortcuts is one task") {
  Dependencies edges(100);  // as in networks with residual connections
  for (std::uint32_t i = 1; i < 100; ++i) {
    edges[i] = {i - 1};
    if (i % 5 == 0) edges[i].push_back(i - 5);
  }
  CHECK(tasks_of(edges, std::vector<double>(100, 1e6), {}).empty());
}

TEST_CASE("expensive branches are tasks, cheap ones share tasks") {
  const Dependencies edges = fork_and_join(64);
  std::vector<double> costs(66, 50000);
  CHECK(tasks_of(edges, costs).size() == 66);
  costs.assign(66, 100);  // ten of them are worth a task
  const TaskGraph graph = tasks_of(edges, costs);
  CHECK(graph.size() <= 8);
  CHECK(graph.size() >= 6);
  CHECK(graph.work_ns == doctest::Approx(6600));
  CHECK(graph.path_ns < 4000);
}

TEST_CASE("little work and little to gain make no tasks") {
  const Dependencies edges = fork_and_join(4);
  const struct {
    double root, branch;
    bool tasks;
  } rows[] = {{1000, 1000, false}, {1000, 100000, true}, {9e6, 100000, false}};
  for (const auto& row : rows) {
    CAPTURE(row.branch);
    const std::vector<double> costs = {row.root, row.branch, row.branch, row.branch, row.branch, 0};
    CHECK(tasks_of(edges, costs, {}).empty() == !row.tasks);
  }
}

TEST_CASE("successors on longer paths come first") {
  // 0 → 1 (short), 0 → 2 → 3 (long)
  const Dependencies edges = {{}, {0}, {0}, {2}};
  const TaskGraph graph =
      tasks_of(edges, {5000, 5000, 5000, 5000}, {.grain_ns = 0, .least_work_ns = 0});
  REQUIRE(graph.size() == 4);
  CHECK(graph.successors[graph.first[0]] == 2);
}
