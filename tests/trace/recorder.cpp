// Tests of the tracer that records when and where nodes run.
#include <chrono>
#include <cstddef>
#include <thread>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/trace/recorder.hpp>
#include <treadle/trace/tell.hpp>

using treadle::GraphId;
using treadle::NodeId;
using treadle::NodeRun;
using treadle::Recorder;
using treadle::TraceEvent;

namespace {

const int run = 0;

NodeRun node(std::size_t id, std::size_t graph = 0) { return {NodeId(id), GraphId(graph), &run}; }

void run_node(Recorder& recorder, std::size_t id) {
  recorder.on_begin(node(id));
  recorder.on_end(node(id));
}

/// Nothing but the concept.
struct MinimalTracer {
  int calls = 0;
  void on_begin(NodeId) noexcept { ++calls; }
  void on_end(NodeId) noexcept { ++calls; }
};
static_assert(treadle::Tracer<MinimalTracer> && !treadle::ProgramTracer<MinimalTracer>);
static_assert(std::is_empty_v<treadle::NoTracer> && !treadle::is_tracing<treadle::NoTracer>);

}  // namespace

TEST_CASE("a run and its nodes are recorded, what encloses others first") {
  Recorder recorder;
  recorder.reset();
  recorder.on_run_begin(&run);
  run_node(recorder, 3);
  recorder.on_begin(node(5));
  run_node(recorder, 7);
  recorder.on_end(node(5));
  recorder.on_run_end(&run);
  const auto threads = recorder.threads();
  REQUIRE(threads.size() == 1);
  CHECK(threads[0].begins_runs);
  const auto& events = threads[0].events;
  REQUIRE(events.size() == 4);
  CHECK(!events[0].at.node.valid());
  CHECK(events[1].at.node == NodeId(3));
  CHECK(events[2].begin <= events[3].begin);
  for (const auto& event : events) {
    CHECK(event.begin <= event.end);
    CHECK(event.begin >= events[0].begin);
    CHECK(event.end <= events[0].end);
    CHECK(event.queue_wait == TraceEvent::no_wait);
  }
  CHECK(recorder.dropped() == 0);
}

TEST_CASE("a full ring keeps the last events and counts the others") {
  Recorder recorder;
  recorder.reset({.threads = 1, .events_a_thread = 4});
  for (std::size_t i = 0; i < 10; ++i) run_node(recorder, i);
  const auto events = recorder.threads().at(0).events;
  REQUIRE(events.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(events[i].at.node == NodeId(6 + i));
  CHECK(recorder.dropped() == 6);
  recorder.clear();
  CHECK(recorder.threads().empty());
  CHECK(recorder.dropped() == 0);
}

TEST_CASE("nodes that nest too deeply are counted, those around them kept") {
  Recorder recorder;
  recorder.reset();
  for (std::size_t i = 0; i < 100; ++i) recorder.on_begin(node(i));
  for (std::size_t i = 100; i-- > 0;) recorder.on_end(node(i));
  CHECK(recorder.threads().at(0).events.size() == 64);
  CHECK(recorder.dropped() == 36);
}

TEST_CASE("the wait in the queue belongs to the node, its graph and its run") {
  Recorder recorder;
  recorder.reset();
  const int other = 0;
  recorder.on_ready(node(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  recorder.on_begin(node(1, 2));
  recorder.on_end(node(1, 2));
  recorder.on_begin({NodeId(1), GraphId(0), &other});
  recorder.on_end({NodeId(1), GraphId(0), &other});
  run_node(recorder, 1);
  run_node(recorder, 1);  // not ready before
  const auto events = recorder.threads().at(0).events;
  REQUIRE(events.size() == 4);
  CHECK(events[0].queue_wait == TraceEvent::no_wait);
  CHECK(events[1].queue_wait == TraceEvent::no_wait);
  CHECK(events[2].queue_wait >= 2'000'000);
  CHECK(events[3].queue_wait == TraceEvent::no_wait);
}

TEST_CASE("every thread has its own events") {
  Recorder recorder;
  recorder.reset({.threads = 4, .events_a_thread = 1000});
  const auto work = [&](std::size_t id) {
    for (int i = 0; i < 1000; ++i) {
      recorder.on_ready(node(id));
      run_node(recorder, id);
    }
  };
  std::vector<std::thread> others;
  for (std::size_t id = 1; id < 4; ++id) others.emplace_back(work, id);
  work(0);
  for (auto& other : others) other.join();
  std::size_t events = 0;
  for (const auto& thread : recorder.threads()) {
    events += thread.events.size();
    for (const auto& event : thread.events) CHECK(event.queue_wait >= 0);
  }
  CHECK(events + recorder.dropped() == 4000);
  CHECK(recorder.threads().size() <= 4);
}

TEST_CASE("threads without room are counted, and so is a recorder without any") {
  Recorder recorder;
  run_node(recorder, 0);
  CHECK(recorder.threads().empty());
  recorder.reset({.threads = 1, .events_a_thread = 8});
  run_node(recorder, 0);
  std::thread([&] { run_node(recorder, 1); }).join();
  const auto threads = recorder.threads();
  REQUIRE(threads.size() == 1);
  CHECK(threads[0].events.size() + recorder.dropped() >= 2);
}

TEST_CASE("a tracer without the optional hooks is called for the outermost graph alone") {
  MinimalTracer tracer;
  {
    const treadle::detail::RunScope<MinimalTracer> scope(tracer, &run);
    const treadle::detail::NodeScope<MinimalTracer> outer(tracer, node(1));
    const treadle::detail::NodeScope<MinimalTracer> inner(tracer, node(1, 1));
    treadle::detail::tell_ready(tracer, node(2));
  }
  CHECK(tracer.calls == 2);
}
