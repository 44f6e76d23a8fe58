// What the executor tells tracers and observers, on every scheduler.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/exec/nan_watch.hpp>
#include <treadle/exec/node_observer.hpp>
#include <treadle/exec/program_trace.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>
#include <treadle/trace/node_times.hpp>
#include <treadle/trace/recorder.hpp>

#include "support/control_programs.hpp"
#include "support/engine.hpp"
#include "support/programs.hpp"

using Cpu = treadle::cpu::Backend;
using test::elements_of;
using test::vector_of;
using treadle::Serial;

namespace {

const std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<float> y = {8, 7, 6, 5, 4, 3, 2, 1};

template <class S, class T>
std::vector<float> run_once(treadle::Executor<Cpu, S, T>& executor,
                            const test::Values<Cpu>& inputs) {
  treadle::State<Cpu> state;
  auto outputs = executor.run(inputs, state);
  if (!outputs) FAIL(outputs.error().message());
  return elements_of((*outputs)[0]);
}

/// Events of nodes by graph and node, and how many runs there were.
struct Record {
  std::map<std::pair<treadle::GraphId, treadle::NodeId>, std::vector<treadle::TraceEvent>> nodes;
  std::vector<treadle::TraceEvent> runs;

  explicit Record(const treadle::Recorder& recorder) {
    for (const auto& thread : recorder.threads())
      for (const auto& event : thread.events) {
        if (event.at.node.valid())
          nodes[{event.at.graph, event.at.node}].push_back(event);
        else
          runs.push_back(event);
      }
  }
};

}  // namespace

TEST_CASE_TEMPLATE("every node is recorded once a run, inside its run", S, Serial, treadle::Inline,
                   treadle::ThreadPool) {
  S scheduler;
  treadle::Executor<Cpu, S, treadle::Recorder> executor(test::bind<Cpu>(test::diamond()),
                                                        scheduler);
  executor.tracer().reset();
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x), vector_of<Cpu>(y)};
  for (int i = 0; i < 3; ++i) CHECK(run_once(executor, inputs)[7] == 84);
  const Record record(executor.tracer());
  CHECK(executor.tracer().dropped() == 0);
  REQUIRE(record.runs.size() == 3);
  CHECK(record.nodes.size() == 11);
  std::size_t waits = 0;
  for (const auto& [at, events] : record.nodes) {
    CHECK(events.size() == 3);
    for (const auto& event : events) {
      waits += event.queue_wait != treadle::TraceEvent::no_wait;
      CHECK(std::ranges::any_of(record.runs, [&](const treadle::TraceEvent& run) {
        return run.at.run == event.at.run && run.begin <= event.begin && event.end <= run.end;
      }));
    }
  }
  // Only plans of tasks have a queue; the first root is not submitted.
  const auto plan = executor.plan_for(inputs);
  REQUIRE(plan);
  const std::size_t roots = (*plan)->tasks.roots.size();
  CHECK(waits >= (roots > 1 ? 3 * (roots - 1) : 0));
  if (roots == 0) CHECK(waits == 0);
}

TEST_CASE("runs from many threads are recorded together") {
  treadle::ThreadPool pool(2);
  treadle::Executor<Cpu, treadle::ThreadPool, treadle::Recorder> executor(
      test::bind<Cpu>(test::diamond()), pool);
  executor.tracer().reset({.threads = 16, .events_a_thread = 4096});
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t)
    callers.emplace_back([&] {
      treadle::State<Cpu> state;
      const test::Values<Cpu> inputs = {vector_of<Cpu>(x), vector_of<Cpu>(y)};
      for (int i = 0; i < 20; ++i) CHECK(executor.run(inputs, state).has_value());
    });
  for (auto& caller : callers) caller.join();
  const Record record(executor.tracer());
  CHECK(executor.tracer().dropped() == 0);
  CHECK(record.runs.size() == 60);
  for (const auto& [at, events] : record.nodes) CHECK(events.size() == 60);
}

TEST_CASE_TEMPLATE("nodes of a subgraph are told apart and nest in their control node", S, Serial,
                   treadle::Inline) {
  S scheduler;
  treadle::Executor<Cpu, S, treadle::Recorder> executor(test::bind<Cpu>(test::branching()),
                                                        scheduler);
  executor.tracer().reset();
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 2, 3, 4})};
  CHECK(run_once(executor, inputs) == std::vector<float>{60, 120, 180, 240});
  const Record record(executor.tracer());
  const auto graphs = treadle::graphs_of(executor.bound().program());
  REQUIRE(graphs.size() == 3);
  std::map<std::size_t, std::size_t> counts;
  for (const auto& [at, events] : record.nodes) counts[at.first.index] += events.size();
  CHECK(counts == std::map<std::size_t, std::size_t>{{0, 3}, {1, 2}});
  const auto& control = record.nodes.at({treadle::GraphId(0), treadle::NodeId(1)})[0];
  for (const auto& [at, events] : record.nodes)
    if (at.first.index == 1) {
      CHECK(events[0].begin >= control.begin);
      CHECK(events[0].end <= control.end);
    }
}

TEST_CASE("a trace file names nodes, shapes and lines, in subgraphs too") {
  Serial scheduler;
  treadle::Executor<Cpu, Serial, treadle::Recorder> executor(test::bind<Cpu>(test::branching()),
                                                             scheduler);
  executor.tracer().reset();
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 2, 3, 4})};
  run_once(executor, inputs);
  const auto plan = executor.plan_for(inputs);
  REQUIRE(plan);
  const std::string file = treadle::chrome_trace(executor.tracer(), **plan);
  for (const char* part :
       {"\"operator\":\"higher_order::cond\"", "\"inputs\":\"x float32[4]\"",
        "\"inputs\":\"arg0 float32[4], arg0 float32[4]\"", "\"source\":\"model.py:31\""})
    CHECK_MESSAGE(file.find(part) != std::string::npos, part);
}

TEST_CASE("times of a subgraph's nodes are not counted twice") {
  Serial scheduler;
  treadle::Executor<Cpu, Serial, treadle::NodeTimes> executor(test::bind<Cpu>(test::branching()),
                                                              scheduler);
  executor.tracer().reset(treadle::node_capacities(executor.bound().program()));
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 2, 3, 4})};
  for (int i = 0; i < 5; ++i) run_once(executor, inputs);
  const auto control = executor.tracer().entry(treadle::NodeId(1));
  std::int64_t inside = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto body = executor.tracer().entry(treadle::NodeId(i), treadle::GraphId(1));
    CHECK(body.count == 5);
    inside += body.nanoseconds;
    CHECK(executor.tracer().entry(treadle::NodeId(i), treadle::GraphId(2)).count == 0);
  }
  CHECK(control.count == 5);
  CHECK(control.self_nanoseconds == control.nanoseconds - inside);
}

TEST_CASE("a throwing kernel leaves the record in order") {
  Serial scheduler;
  auto kernels = test::elementwise_kernels<Cpu>();
  kernels.add<"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor">(
      [](treadle::RunContext<Cpu>&, const treadle::cpu::Tensor&, const treadle::cpu::Tensor&,
         treadle::Scalar,
         treadle::cpu::Tensor&) -> treadle::Status { throw std::runtime_error("boom"); });
  auto executable =
      treadle::Executable<Cpu>::make(test::diamond(), {}, kernels, treadle::standard_ops(), {});
  REQUIRE(executable);
  treadle::Executor<Cpu, Serial, treadle::Recorder> executor(*executable, scheduler);
  executor.tracer().reset();
  treadle::State<Cpu> state;
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x), vector_of<Cpu>(y)};
  for (int i = 0; i < 70; ++i) CHECK(!executor.run(inputs, state));
  const Record record(executor.tracer());
  CHECK(record.runs.size() == 70);
  CHECK(executor.tracer().dropped() == 0);
}

TEST_CASE_TEMPLATE("an observer sees every node's outputs", S, Serial, treadle::Inline,
                   treadle::ThreadPool) {
  using Observer = treadle::NodeObserver<Cpu>;
  S scheduler;
  treadle::Executor<Cpu, S, Observer> executor(test::bind<Cpu>(test::diamond()), scheduler);
  std::mutex mutex;
  std::map<std::string, float> last;
  executor.tracer().callback = [&](const treadle::RunningNode<Cpu>& node) -> treadle::Status {
    const auto* tensor = node.tensor(node.node().outputs[0]);
    const std::lock_guard lock(mutex);
    if (tensor) last[node.node().name] = tensor->template data<float>()[7];
    return {};
  };
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x), vector_of<Cpu>(y)};
  run_once(executor, inputs);
  CHECK(last.size() == 11);
  CHECK(last["n"] == 8);
  CHECK(last["n_1"] == 9);
  CHECK(last["n_2"] == 16);
  CHECK(last["n_10"] == 84);
}

TEST_CASE("an observer also sees nodes that need no step, at their place") {
  test::ProgramBuilder b(4);
  const auto in = b.input("x");
  const auto doubled = b.binary("aten::mul.Tensor", in, treadle::Constant(2.0));
  const auto shown = b.call("aten::alias", {{"self", doubled}});
  const auto sum = b.binary("aten::add.Tensor", shown, in);
  Serial scheduler;
  treadle::Executor<Cpu, Serial, treadle::NodeObserver<Cpu>> executor(
      test::bind<Cpu>(b.finish({sum})), scheduler);
  std::vector<std::string> order;
  executor.tracer().callback = [&](const treadle::RunningNode<Cpu>& node) -> treadle::Status {
    const auto* tensor = node.tensor(node.node().outputs[0]);
    REQUIRE(tensor);
    order.push_back(treadle::concat(node.node().name, ' ', tensor->data<float>()[0]));
    return {};
  };
  const test::Values<Cpu> inputs = {vector_of<Cpu>({3, 2, 1, 0})};
  CHECK(run_once(executor, inputs)[0] == 9);
  CHECK(order == std::vector<std::string>{"n 6", "n_1 6", "n_2 9"});
}

TEST_CASE_TEMPLATE("an observer's error stops the run and names the node", S, Serial,
                   treadle::Inline) {
  S scheduler;
  treadle::Executor<Cpu, S, treadle::NodeObserver<Cpu>> executor(test::bind<Cpu>(test::diamond()),
                                                                 scheduler);
  executor.tracer().callback = [](const treadle::RunningNode<Cpu>& node) -> treadle::Status {
    if (node.node().name != "n_3") return {};
    return treadle::Error(treadle::ErrorCode::cancelled, "enough");
  };
  treadle::State<Cpu> state;
  const test::Values<Cpu> inputs = {vector_of<Cpu>(x), vector_of<Cpu>(y)};
  const auto outputs = executor.run(inputs, state);
  REQUIRE(!outputs);
  CHECK(outputs.error().message() == "node 'n_3' aten::add.Tensor (model.py:31): enough");
}

TEST_CASE_TEMPLATE("the node that makes an infinity or a NaN is named, not those after it", S,
                   Serial, treadle::ThreadPool) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const struct {
    std::vector<float> x, y;
    std::size_t findings;
    std::string node, what;
  } rows[] = {
      {x, y, 0, {}, {}},
      // n_6 = x * 4 overflows, and so does the sum of the others, n_9.
      {{1, 1, 1e38f, 1, 1, 1, 1, 1},
       y,
       2,
       "node 'n_6' aten::mul.Tensor (model.py:31)",
       "infinity at [2] (0 NaN, 1 infinite of 8)"},
      // Infinite inputs are handed on, but inf - inf makes a NaN in each branch's sum.
      {{1, inf, 1, 1, 1, 1, 1, 1},
       {1, -inf, 1, 1, 1, 1, 1, 1},
       4,
       "node 'n_1' aten::add.Tensor (model.py:31)",
       "NaN at [1] (1 NaN, 0 infinite of 8)"},
      {{1, nan, 1, 1, 1, 1, 1, 1}, y, 0, {}, {}},
  };
  S scheduler;
  for (const auto& row : rows) {
    treadle::Executor<Cpu, S, treadle::NanWatch<Cpu>> executor(test::bind<Cpu>(test::diamond()),
                                                               scheduler);
    const test::Values<Cpu> inputs = {vector_of<Cpu>(row.x), vector_of<Cpu>(row.y)};
    run_once(executor, inputs);
    const auto& findings = executor.tracer().findings();
    REQUIRE(findings.size() == row.findings);
    if (findings.empty()) continue;
    CHECK(std::ranges::any_of(findings, [&](const auto& finding) {
      return finding.node == row.node && finding.what == row.what && finding.output == 0;
    }));
  }
}

TEST_CASE("a node that is told to make infinities is not blamed, a node in a branch is") {
  test::ProgramBuilder b(4);
  const auto in = b.input("x");
  const auto mask =
      b.binary("aten::mul.Tensor", in, treadle::Constant(-std::numeric_limits<double>::infinity()));
  Serial scheduler;
  treadle::Executor<Cpu, Serial, treadle::NanWatch<Cpu>> masked(test::bind<Cpu>(b.finish({mask})),
                                                                scheduler);
  run_once(masked, {vector_of<Cpu>({1, 1, 1, 1})});
  CHECK(masked.tracer().findings().empty());
  treadle::Executor<Cpu, Serial, treadle::NanWatch<Cpu>> branch(test::bind<Cpu>(test::branching()),
                                                                scheduler);
  run_once(branch, {vector_of<Cpu>({1, 1, 1, 8e37f})});
  REQUIRE(branch.tracer().findings().size() == 1);
  const auto& finding = branch.tracer().findings()[0];
  CHECK(finding.at.graph == treadle::GraphId(1));
  CHECK(finding.value == "n_1");
  CHECK(finding.what == "infinity at [3] (0 NaN, 1 infinite of 4)");
}
