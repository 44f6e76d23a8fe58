// Tests of the tracer that sums up times by node.
#include <chrono>
#include <thread>
#include <utility>

#include <doctest/doctest.h>

#include <treadle/trace/node_times.hpp>

using treadle::NodeId;
using treadle::NodeTimes;

TEST_CASE("times of a node are summed up and counted") {
  NodeTimes times;
  times.reset(2);
  for (int i = 0; i < 3; ++i) {
    times.on_begin(NodeId(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    times.on_end(NodeId(1));
  }
  CHECK(times.entry(NodeId(1)).count == 3);
  CHECK(times.entry(NodeId(1)).nanoseconds >= 6'000'000);
  CHECK(times.entry(NodeId(0)).count == 0);
  CHECK(times.entry(NodeId(0)).nanoseconds == 0);
}

TEST_CASE("overlapping runs of a node both count") {
  NodeTimes times;
  times.reset(1);
  times.on_begin(NodeId(0));
  times.on_begin(NodeId(0));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  times.on_end(NodeId(0));
  times.on_end(NodeId(0));
  CHECK(times.entry(NodeId(0)).count == 2);
  CHECK(times.entry(NodeId(0)).nanoseconds >= 4'000'000);
}

TEST_CASE("nodes without room are ignored, and a reset forgets") {
  NodeTimes times;
  times.on_begin(NodeId(0));
  times.on_end(NodeId(0));
  CHECK(times.entry(NodeId(0)).count == 0);
  times.reset(1);
  times.on_begin(NodeId(0));
  times.on_end(NodeId(0));
  CHECK(times.entry(NodeId(0)).count == 1);
  NodeTimes moved = std::move(times);
  CHECK(moved.entry(NodeId(0)).count == 1);
  moved.reset(1);
  CHECK(moved.entry(NodeId(0)).count == 0);
}

TEST_CASE("threads may measure at the same time") {
  NodeTimes times;
  times.reset(1);
  const auto work = [&] {
    for (int i = 0; i < 1000; ++i) {
      times.on_begin(NodeId(0));
      times.on_end(NodeId(0));
    }
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(times.entry(NodeId(0)).count == 2000);
  CHECK(times.entry(NodeId(0)).nanoseconds >= 0);
}

TEST_CASE("a node's own time leaves out the nodes that ran inside it") {
  using treadle::GraphId;
  NodeTimes times;
  const std::size_t capacities[] = {1, 2};
  times.reset(capacities);
  const treadle::NodeRun outer{NodeId(0), GraphId(0)};
  const treadle::NodeRun inner{NodeId(1), GraphId(1)};
  times.on_begin(outer);
  for (int i = 0; i < 2; ++i) {
    times.on_begin(inner);
    std::this_thread::sleep_for(std::chrono::milliseconds(2 + 2 * i));
    times.on_end(inner);
  }
  times.on_end(outer);
  const auto control = times.entry(NodeId(0));
  const auto body = times.entry(NodeId(1), GraphId(1));
  CHECK(body.count == 2);
  CHECK(body.self_nanoseconds == body.nanoseconds);
  CHECK(body.least >= 2'000'000);
  CHECK(body.least < body.nanoseconds - body.least);
  CHECK(control.nanoseconds >= body.nanoseconds);
  CHECK(control.self_nanoseconds == control.nanoseconds - body.nanoseconds);
  CHECK(times.entry(NodeId(1), GraphId(0)).count == 0);
  CHECK(times.entry(NodeId(0), GraphId(2)).count == 0);
  times.clear();
  CHECK(times.entry(NodeId(0)).count == 0);
}
