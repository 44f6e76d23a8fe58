// Tests of the trace file: it is JSON, it nests, it survives hostile names.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <treadle/trace/chrome_trace.hpp>

using nlohmann::json;
using treadle::GraphId;
using treadle::NodeId;
using treadle::NodeRun;
using treadle::Recorder;

namespace {

const int run = 0;

NodeRun node(std::size_t id, std::size_t graph = 0) { return {NodeId(id), GraphId(graph), &run}; }

const auto plain_label = [](NodeId id, GraphId graph) {
  return treadle::TraceLabel{"n" + std::to_string(graph.index) + "_" + std::to_string(id.index),
                             "aten::relu", "x float32[2]", "y float32[2]", "model.py:3"};
};

void record_nested(Recorder& recorder) {
  recorder.reset();
  recorder.on_run_begin(&run);
  recorder.on_ready(node(0));
  recorder.on_begin(node(0));
  recorder.on_begin(node(0, 1));
  recorder.on_end(node(0, 1));
  recorder.on_end(node(0));
  recorder.on_run_end(&run);
}

}  // namespace

TEST_CASE("a trace file has named threads and a complete event for each run and node") {
  Recorder recorder;
  record_nested(recorder);
  const json file = json::parse(treadle::chrome_trace(recorder, "model.pt2", plain_label));
  CHECK(file.at("otherData").at("dropped_events") == 0);
  const auto& events = file.at("traceEvents");
  REQUIRE(events.size() == 5);
  CHECK(events[0].at("name") == "process_name");
  CHECK(events[0].at("args").at("name") == "model.pt2");
  CHECK(events[1].at("name") == "thread_name");
  CHECK(events[1].at("args").at("name") == "caller 1");
  CHECK(events[2].at("name") == "run");
  CHECK(events[3].at("name") == "n0_0");
  CHECK(events[3].at("args").at("operator") == "aten::relu");
  CHECK(events[3].at("args").at("inputs") == "x float32[2]");
  CHECK(events[3].at("args").at("outputs") == "y float32[2]");
  CHECK(events[3].at("args").at("source") == "model.py:3");
  CHECK(events[3].at("args").at("queue_wait_us").get<double>() >= 0);
  CHECK(events[4].at("name") == "n1_0");
  CHECK_FALSE(events[4].at("args").contains("queue_wait_us"));
  CHECK(events[2].at("ts") == 0);
}

TEST_CASE("events nest: one begins and ends inside the one before it") {
  Recorder recorder;
  record_nested(recorder);
  const json file = json::parse(treadle::chrome_trace(recorder, "p", plain_label));
  const auto& events = file.at("traceEvents");
  for (std::size_t i = 3; i < events.size(); ++i) {
    const auto begin = [&](std::size_t k) { return events[k].at("ts").get<double>(); };
    const auto end = [&](std::size_t k) { return begin(k) + events[k].at("dur").get<double>(); };
    CHECK(events[i].at("ph") == "X");
    CHECK(begin(i) >= begin(i - 1));
    CHECK(end(i) <= end(i - 1) + 1e-6);
  }
}

TEST_CASE("any text can be a name") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"a\"b\\c", "a\"b\\c"},
      {std::string("nul\0tab\t\n\x1f", 10), std::string("nul\0tab\t\n\x1f", 10)},
      {"gr\xc3\xb6\xc3\x9f"
       "e \xf0\x9f\xa7\xb5",
       "gr\xc3\xb6\xc3\x9f"
       "e \xf0\x9f\xa7\xb5"},
      {"cut \xc3", "cut \xef\xbf\xbd"},
      {"\xff\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
  };
  for (const auto& [name, expected] : rows) {
    Recorder recorder;
    recorder.reset();
    recorder.on_begin(node(0));
    recorder.on_end(node(0));
    const auto text = treadle::chrome_trace(recorder, name, [&](NodeId, GraphId) {
      return treadle::TraceLabel{name, name, {}, {}, {}};
    });
    const json file = json::parse(text, nullptr, false);
    REQUIRE_FALSE(file.is_discarded());
    CHECK(file.at("traceEvents")[0].at("args").at("name") == expected);
    CHECK(file.at("traceEvents")[2].at("name") == expected);
    CHECK_FALSE(file.at("traceEvents")[2].at("args").contains("source"));
  }
}

TEST_CASE("a record of nothing is a file of nothing") {
  const Recorder recorder;
  const json file = json::parse(treadle::chrome_trace(recorder, "p", plain_label));
  CHECK(file.at("traceEvents").size() == 1);
}
