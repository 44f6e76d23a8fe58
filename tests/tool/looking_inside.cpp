// Tests of the subcommands that look inside a run: trace, diff, step, and run's watches.
#include <cstddef>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <treadle/archive/npz.hpp>

#include "tool_run.hpp"

using namespace tool_test;
using nlohmann::json;

namespace {

/// Writes an array file anew after `change` had its arrays.
template <class Change>
std::string changed_npz(const Scratch& scratch, const std::string& path, Change change) {
  auto arrays = treadle::read_npz(path);
  REQUIRE(arrays);
  change(*arrays);
  const std::string changed = scratch.file("changed.npz");
  REQUIRE(treadle::write_npz(changed, *arrays));
  return changed;
}

/// Sets one float of an array.
void set(std::vector<treadle::NamedArray>& arrays, std::string_view name, std::size_t at,
         float value) {
  for (auto& [other, array] : arrays) {
    if (other != name) continue;
    std::vector<std::byte> bytes(array.data.span().begin(), array.data.span().end());
    REQUIRE(bytes.size() >= (at + 1) * sizeof(float));
    std::memcpy(bytes.data() + at * sizeof(float), &value, sizeof(float));
    array.data = treadle::Bytes::own(std::move(bytes));
    return;
  }
  FAIL("no such array");
}

}  // namespace

TEST_CASE("a trace file has every node of every run on named threads") {
  const Scratch scratch("trace");
  for (const std::string scheduler : {"serial", "inline", "pool --threads 2"}) {
    const auto out = scratch.file("trace.json");
    const auto run = run_tool("trace " + golden("chain_10.pt2") + " --repeat 3 --out " + out +
                              " --scheduler " + scheduler);
    CAPTURE(run.error);
    REQUIRE(run.status == 0);
    CHECK(contains(run.out, "33 events"));
    const json file = json::parse(read_file(out));
    std::multiset<std::string> names;
    for (const auto& event : file.at("traceEvents"))
      if (event.at("ph") == "X") names.insert(event.at("name").get<std::string>());
    CHECK(names.count("run") == 3);
    CHECK(names.count("mul") == 3);
    CHECK(names.count("add_4") == 3);
    CHECK(file.at("otherData").at("dropped_events") == 0);
  }
}

TEST_CASE("a trace shows a branch's nodes inside it, with shapes and source lines") {
  const Scratch scratch("trace_cond");
  const auto out = scratch.file("trace.json");
  REQUIRE(run_tool("trace " + golden("cond.pt2") + " --out " + out).status == 0);
  const json file = json::parse(read_file(out));
  const json* control = nullptr;
  std::size_t inside = 0;
  for (const auto& event : file.at("traceEvents")) {
    if (event.at("ph") != "X" || event.at("name") == "run") continue;
    if (event.at("args").at("operator") == "higher_order::cond") control = &event;
    if (!control || &event == control) continue;
    const double begin = control->at("ts").get<double>();
    const double end = begin + control->at("dur").get<double>();
    const double ts = event.at("ts").get<double>();
    if (ts <= end) {
      ++inside;
      CHECK(ts + event.at("dur").get<double>() <= end + 1e-6);
    }
    CHECK(contains(event.at("args").at("inputs").get<std::string>(), "float32[4, 3]"));
  }
  REQUIRE(control);
  CHECK(inside > 0);
}

TEST_CASE("a trace that can't be written makes the status 3") {
  const auto run = run_tool("trace " + golden("chain_10.pt2") + " --out /no/such/folder/t.json");
  CHECK(run.status == 3);
  CHECK(contains(run.error, "can't be written"));
}

TEST_CASE("watching finds no NaN where there is none") {
  const auto run = run_tool("run --watch-nan " + golden("chain_10.pt2"));
  CHECK(run.status == 0);
  CHECK(contains(run.out, "watch: no node makes a NaN or an infinity\n"));
}

TEST_CASE("watching names the node that makes an infinity, and inputs that have one already") {
  const Scratch scratch("watch");
  const std::string command = "run --watch-nan " + golden("chain_10.pt2") + " --inputs ";
  const auto npz = golden("chain_10.npz");
  auto run = run_tool(command + changed_npz(scratch, npz, [](auto& arrays) {
                        set(arrays, "in0", 3, 3e38f);
                        set(arrays, "in1", 3, 3e38f);
                      }));
  CAPTURE(run.out);
  CHECK(run.status == 1);
  CHECK(contains(run.out, "watch: node 'mul' aten::mul.Tensor"));
  CHECK(contains(run.out, "makes infinity at [3] (0 NaN, 1 infinite of 16), in output 0 'mul'"));
  run = run_tool(command + changed_npz(scratch, npz, [](auto& arrays) {
                   set(arrays, "in1", 5, std::numeric_limits<float>::quiet_NaN());
                 }));
  CHECK(run.status == 1);
  CHECK(contains(run.out, "watch: input 'y' already has NaN at [5] (1 NaN, 0 infinite of 16)"));
  CHECK(contains(run.out, "watch: no node makes"));
}

TEST_CASE("a record has every node by name, and a run agrees with its own record") {
  const Scratch scratch("record");
  for (const std::string name : {"chain_10", "dense_64", "counter", "cond"}) {
    CAPTURE(name);
    const auto record = scratch.file(name + ".npz");
    const auto run = run_tool("run " + golden(name + ".pt2") + " --inputs " +
                              golden(name + ".npz") + " --repeat 2 --record-nodes " + record);
    CAPTURE(run.error);
    CHECK(run.status == 0);
    const auto diff = run_tool("diff " + golden(name + ".pt2") + " " + record);
    CAPTURE(diff.out);
    CAPTURE(diff.error);
    CHECK(diff.status == 0);
    CHECK(contains(diff.out, " 0 differ\n"));
  }
  const auto arrays = treadle::read_npz(scratch.file("chain_10.npz"));
  REQUIRE(arrays);
  std::set<std::string> names;
  for (const auto& [array_name, array] : *arrays) names.insert(array_name);
  CHECK(names == std::set<std::string>{"in0", "in1", "mul", "add", "mul_1", "add_1", "mul_2",
                                       "add_2", "mul_3", "add_3", "mul_4", "add_4"});
}

TEST_CASE("a program without nodes agrees with its record") {
  const Scratch scratch("unchanged");
  const auto record = scratch.file("record.npz");
  const auto program = golden("programs/unchanged.pt2");
  CHECK(run_tool("run " + program + " --record-nodes " + record).status == 0);
  const auto diff = run_tool("diff " + program + " " + record);
  CAPTURE(diff.error);
  CHECK(diff.status == 0);
  CHECK(contains(diff.out, "compared 0 values"));
}

TEST_CASE("a PyTorch record of every node agrees") {
  for (const std::string name : {"chain_10", "counter", "cond"}) {
    CAPTURE(name);
    const auto run =
        run_tool("diff " + golden(name + ".pt2") + " " + golden("nodes/" + name + ".npz"));
    CAPTURE(run.out);
    CAPTURE(run.error);
    CHECK(run.status == 0);
    CHECK_FALSE(contains(run.out, "compared 0"));
  }
}

TEST_CASE("diff names the first node that differs, with its inputs' errors") {
  const Scratch scratch("diff");
  const auto record = changed_npz(scratch, golden("nodes/chain_10.npz"), [](auto& arrays) {
    set(arrays, "add_1", 7, 1000);
    set(arrays, "mul_3", 0, 1000);
  });
  const std::string command = "diff " + golden("chain_10.pt2") + " " + record;
  const auto run = run_tool(command);
  CAPTURE(run.out);
  CHECK(run.status == 1);
  CHECK(run.out.starts_with("first difference: node 'add_1' aten::add.Tensor"));
  CHECK(contains(run.out, "  output add_1: float32[16], largest error "));
  CHECK(contains(run.out, ", not ok\n"));
  CHECK(
      contains(run.out, "  input mul_1: float32[16], largest error 0 absolute, 0 relative, ok\n"));
  CHECK(contains(run.out, "  input y: an input of the program\n"));
  CHECK(contains(run.out, "compared 10 values: 8 agree, 2 differ\n"));
  CHECK(contains(run_tool(command + " --all").out, "differs: mul_3: float32[16]"));
  CHECK(run_tool(command + " --atol 10000").status == 0);
}

TEST_CASE("diff leaves out what empty_like makes, whose contents are undefined") {
  const Scratch scratch("undefined");
  const std::string own = scratch.file("own.npz");
  const std::string model = golden("programs/undefined_contents.pt2");
  REQUIRE(run_tool("run " + model + " --record-nodes " + own).status == 0);
  const auto record =
      changed_npz(scratch, own, [](auto& arrays) { set(arrays, "empty_like", 3, 1000); });
  const auto run = run_tool("diff " + model + " " + record);
  CAPTURE(run.out);
  CHECK(run.status == 0);
  CHECK(contains(run.out,
                 " 0 differ; 1 values have undefined contents (empty and its kind) and "
                 "are skipped\n"));
}

TEST_CASE("a record that has nothing to compare is refused") {
  const auto run = run_tool("diff " + golden("chain_10.pt2") + " " + golden("chain_10.npz"));
  CHECK(run.status == 3);
  CHECK(contains(run.error, "has no array with the name of a node's output"));
}

TEST_CASE("step obeys a script") {
  const Scratch scratch("step");
  const auto script = scratch.file("script");
  std::ofstream(script)
      << "n\np mul\np add_4\n\nrun add_2\nn 2\nwhat\nn x\nrun mul\nc\np add_4\nq\nn\n";
  const auto run = run_tool("step " + golden("chain_10.pt2") + " <" + script);
  CAPTURE(run.out);
  CHECK(run.status == 0);
  for (const std::string_view said :
       {"1/10 node 'mul' aten::mul.Tensor", "2/10 node 'add' aten::add.Tensor",
        "mul: float32[16] [", "'add_4' is not computed yet: it takes node 'add_4'",
        "6/10 node 'add_2'", "8/10 node 'add_3'", "run NODE    run until",
        "n takes a number, found 'x'", "node 'mul' has run already", "the run is over: 10 nodes",
        "add_4: float32[16] ["})
    CHECK_MESSAGE(contains(run.out, said), said);
}
