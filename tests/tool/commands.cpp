// Tests of the other subcommands and of the command line itself.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <treadle/archive/npz.hpp>
#include <treadle/exported/write.hpp>
#include <treadle/graph/parse.hpp>

#include "tool_run.hpp"

using namespace tool_test;
using nlohmann::json;

namespace {

const std::vector<std::string> subcommands = {"run",   "inspect", "print", "dot", "bench",
                                              "trace", "diff",    "step",  "save"};

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const auto start = text.rfind('\n', end);
  return text.substr(start == std::string::npos ? 0 : start + 1,
                     end - (start == std::string::npos ? 0 : start + 1) + 1);
}

}  // namespace

TEST_CASE("help shows examples") {
  for (const std::string words : {"--help", "-h", "help"}) {
    const auto run = run_tool(words);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "examples:\n  treadle "));
    for (const auto& name : subcommands) CHECK(contains(run.out, "treadle " + name));
  }
  for (const auto& name : subcommands) {
    const auto run = run_tool(name + " --help");
    CHECK(run.status == 0);
    CHECK(contains(run.out, "usage: treadle " + name));
    CHECK(contains(run.out, "examples:\n  treadle " + name));
  }
}

TEST_CASE("wrong usage makes the status 2 and says what is wrong") {
  struct Case {
    std::string words;
    std::string said;
  };
  const std::string model = golden("chain_10.pt2");
  const std::vector<Case> cases = {
      {"fly", "there is no subcommand 'fly'"},
      {"run", "'treadle run' needs MODEL"},
      {"save " + model, "'treadle save' needs OUT.pt2"},
      {"run " + model + " more", "does not take the operand 'more'"},
      {"run " + model + " --input a.npz", "no option --input; did you mean --inputs?"},
      {"run " + model + " --frobnicate", "no option --frobnicate"},
      {"run " + model + " --inputs", "--inputs needs a value"},
      {"run " + model + " --repeat 0", "--repeat takes a whole number from 1, found '0'"},
      {"run " + model + " --repeat x", "found 'x'"},
      {"run " + model + " --rtol -1", "--rtol takes a number from 0, found '-1'"},
      {"run " + model + " --scheduler fast", "one of serial|inline|pool, found 'fast'"},
      {"run " + model + " --rtol 1 --rtol=2", "--rtol is given twice"},
      {"bench " + model + " --json=yes", "--json takes no value"},
  };
  for (const auto& [words, said] : cases) {
    const auto run = run_tool(words);
    CAPTURE(words);
    CAPTURE(run.error);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.error, said));
  }
  CHECK(run_tool("").status == 2);
}

TEST_CASE("inspect's JSON has the program's facts") {
  const auto run = run_tool("inspect --json " + golden("chain_10.pt2"));
  REQUIRE(run.status == 0);
  const json report = json::parse(run.out);
  CHECK(report.at("layout") == "archive");
  CHECK(report.at("torch_version").get<std::string>().starts_with("2."));
  REQUIRE(report.at("inputs").size() == 2);
  CHECK(report["inputs"][0].at("name") == "x");
  CHECK(report["inputs"][0].at("dtype") == "float32");
  CHECK(report["inputs"][0].at("sizes") == json{16});
  CHECK(report.at("outputs").size() == 1);
  CHECK(report.at("weights").at("count") == 0);
  CHECK(report.at("operators").size() == 2);
  for (const auto& entry : report["operators"]) {
    CHECK(entry.at("count") == 5);
    CHECK(entry.at("kernel") == true);
  }
  CHECK(report.at("memory").at("lower_bound") == 64);  // each result takes an argument's place
  CHECK(report["memory"].at("planned_peak") == 64);
}

TEST_CASE("inspect counts weights and their bytes") {
  const auto run = run_tool("inspect --json " + golden("dense_64.pt2"));
  REQUIRE(run.status == 0);
  const json weights = json::parse(run.out).at("weights");
  CHECK(weights.at("parameters").get<int>() == weights.at("count").get<int>());
  CHECK(weights.at("bytes").get<int>() >= 64 * 64 * 4);
  CHECK(weights.at("shared") == 0);
}

TEST_CASE("inspect tells people the same") {
  const auto run = run_tool("inspect " + golden("chain_10.pt2"));
  CHECK(run.status == 0);
  for (const std::string_view said :
       {"layout:    archive", "inputs: ((x, y), {})", "float32[16]", "aten::add.Tensor",
        "0 without a kernel", "planned peak 64 B (64 bytes), lower bound 64 B (64 bytes)"})
    CHECK_MESSAGE(contains(run.out, said), said);
}

TEST_CASE("the emitted header names the program's kernels and no others") {
  const auto run = run_tool("inspect --emit-kernels " + golden("chain_10.pt2"));
  CHECK(run.status == 0);
  CHECK(contains(run.out, "#pragma once"));
  CHECK(contains(run.out, "\"aten::add.Tensor\""));
  CHECK(contains(run.out, "\"aten::mul.Tensor\""));
  CHECK_FALSE(contains(run.out, "\"aten::sub.Tensor\""));
}

TEST_CASE("the emitted dialect has the operators of the program, and what they need") {
  const auto block = run_tool("inspect --emit-kernels " + golden("programs/transformer_block.pt2"));
  CHECK(block.status == 0);
  for (const std::string_view said :
       {"#include <treadle/model/basic_model.hpp>", "struct ModelDialect {",
        "ops.add(treadle::product_ops());", "ops.add(treadle::view_ops());",
        "treadle::cpu::add_product_kernels(family);", "return {};  // it has none"})
    CHECK_MESSAGE(contains(block.out, said), said);
  CHECK_FALSE(contains(block.out, "standard_ops"));
  CHECK_FALSE(contains(block.out, "fft"));
  // Definitions by other operators lead to who knows which.
  auto module = treadle::parse_module(
      "module \"m\" {\n  input user_input \"x\" \"\"\n  output user_output \"\"\n"
      "  arguments [\"x\"]\n  in_spec tuple(tuple(*), dict())\n  out_spec *\n}\n"
      "graph(%x: float32[3, 4]):\n  %y: float32[100] = aten::histc(self=%x)\n  return (%y)\n");
  REQUIRE(module);
  const Scratch scratch("dialect");
  REQUIRE(treadle::write_pt2(*module, {}, scratch.file("composite.pt2")));
  const auto spread = run_tool("inspect --emit-kernels " + scratch.file("composite.pt2"));
  CHECK(contains(spread.out, "return treadle::standard_ops();"));
  const auto wrapped = run_tool("inspect --emit-kernels " + golden("programs/wrapped.pt2"));
  CHECK(contains(wrapped.out, "return treadle::dissolve_wrappers(module, ops);"));
}

TEST_CASE("a printed program parses") {
  for (const std::string name : {"chain_10", "cond"}) {
    const auto run = run_tool("print " + golden(name + ".pt2"));
    CHECK(run.status == 0);
    const auto parsed = treadle::parse_module(run.out);
    CHECK(parsed);
  }
}

TEST_CASE("a drawing has a box for each node and clusters for subgraphs") {
  const auto run = run_tool("dot " + golden("cond.pt2"));
  CHECK(run.status == 0);
  CHECK(run.out.starts_with("digraph"));
  CHECK(contains(run.out, "label=\"higher_order::cond\\ncond\""));
  CHECK(contains(run.out, "subgraph cluster_1"));
  CHECK(contains(run.out, "subgraph cluster_2"));
  CHECK(contains(run.out, "[label=\"float32[4, 3]\""));
}

TEST_CASE("bench ends with the median") {
  const std::string command = "bench --seconds 0.02 " + golden("chain_10.pt2");
  const auto run = run_tool(command);
  CHECK(run.status == 0);
  const std::string line = last_line(run.out);
  REQUIRE(line.starts_with("median_us "));
  CHECK(std::stod(line.substr(10)) > 0);
  CHECK(contains(run.out, "model_run_median_us "));
  CHECK(run.error.empty());
  CHECK(
      last_line(run_tool(command + " --scheduler pool --threads 2").out).starts_with("median_us "));
}

TEST_CASE("bench by node lists every node and sums operators up") {
  const std::string command = "bench --seconds 0.02 --per-node " + golden("chain_10.pt2");
  const auto run = run_tool(command);
  CHECK(contains(run.out, "instances  operator"));
  CHECK(last_line(run.out).starts_with("median_us "));
  const json report = json::parse(run_tool(command + " --json").out);
  CHECK(report.at("median_us").get<double>() > 0);
  CHECK(report.at("nodes").size() == 10);
  for (const auto& node : report["nodes"]) {
    CHECK(node.at("count") == 1);
    CHECK(node.at("min_us").get<double>() > 0);
    CHECK(node["min_us"].get<double>() <= node.at("mean_us").get<double>());
    CHECK(node.at("self_us") == node.at("total_us"));
  }
  double percent = 0;
  for (const auto& op : report.at("operators")) {
    CHECK(op.at("instances") == 5);
    percent += op.at("percent").get<double>();
  }
  CHECK(percent == doctest::Approx(100));
}

TEST_CASE("bench counts a branch's nodes once, in themselves") {
  const std::string command = "bench --seconds 0.02 --json " + golden("cond.pt2");
  const json report = json::parse(run_tool(command + " --per-node").out);
  double self = 0, percent = 0, control = 0;
  std::size_t inside = 0;
  for (const auto& node : report.at("nodes")) {
    const auto name = node.at("name").get<std::string>();
    percent += node.at("percent").get<double>();
    if (name == "cond") control = node.at("total_us").get<double>();
    if (name == "cond" || name.starts_with("cond/")) self += node.at("self_us").get<double>();
    if (name.starts_with("cond/")) ++inside;
  }
  CHECK(inside > 0);
  CHECK(percent == doctest::Approx(100));
  CHECK(self == doctest::Approx(control));
  const json operators = json::parse(run_tool(command + " --per-operator").out);
  CHECK_FALSE(operators.contains("nodes"));
  CHECK(operators.at("operators").size() >= 3);
}

TEST_CASE("a saved program gives the same outputs") {
  const Scratch scratch("save");
  const auto path = scratch.file("again.pt2");
  const auto saved = run_tool("save " + golden("chain_10.pt2") + " " + path);
  CAPTURE(saved.error);
  CHECK(saved.status == 0);
  const auto npz = golden("chain_10.npz");
  CHECK(run_tool("run " + path + " --inputs " + npz + " --expect " + npz).status == 0);
  CHECK(run_tool("save " + golden("chain_10.pt2") + " " + scratch.file("no/folder/a.pt2")).status ==
        3);
}
