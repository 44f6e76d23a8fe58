// Tests of `treadle run`: outputs, comparisons, exit statuses.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/npz.hpp>
#include <treadle/core/dtype_visit.hpp>

#include "tool_run.hpp"

using namespace tool_test;
using treadle::NamedArray;

namespace {

template <class T>
NamedArray array(std::string name, const std::vector<T>& elements, treadle::Dims sizes) {
  std::vector<std::byte> bytes(elements.size() * sizeof(T));
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return {std::move(name),
          {treadle::dtype_of<T>(), std::move(sizes), treadle::Bytes::own(std::move(bytes))}};
}

/// Writes the golden file's arrays after `change` had them.
template <class Change>
std::string changed_npz(const Scratch& scratch, const std::string& name, Change change) {
  auto arrays = treadle::read_npz(golden(name));
  REQUIRE(arrays);
  change(*arrays);
  const std::string path = scratch.file("changed.npz");
  REQUIRE(treadle::write_npz(path, *arrays));
  return path;
}

treadle::NpyArray& find(std::vector<NamedArray>& arrays, std::string_view name) {
  for (auto& [other, found] : arrays)
    if (other == name) return found;
  FAIL("no such array");
  return arrays.front().second;
}

}  // namespace

TEST_CASE("every golden program gives PyTorch's outputs on every scheduler") {
  for (const std::string name : {"chain_10", "dense_64", "counter", "cond"})
    for (const std::string scheduler : {"serial", "inline", "pool --threads 2"}) {
      CAPTURE(name);
      CAPTURE(scheduler);
      const auto npz = golden(name + ".npz");
      const auto run = run_tool("run " + golden(name + ".pt2") + " --inputs " + npz + " --expect " +
                                npz + " --repeat 2 --scheduler " + scheduler);
      CAPTURE(run.error);
      CAPTURE(run.out);
      CHECK(run.status == 0);
      CHECK(contains(run.out, "out0_2: "));
      CHECK_FALSE(contains(run.out, "not ok"));
    }
}

TEST_CASE("a comparison says dtype, shape, largest errors and the verdict") {
  const auto npz = golden("chain_10.npz");
  const auto run =
      run_tool("run " + golden("chain_10.pt2") + " --inputs " + npz + " --expect " + npz);
  CHECK(run.out == "out0: float32[16], largest error 0 absolute, 0 relative, ok\n");
  CHECK(run.error.empty());
}

TEST_CASE("an output that is off makes the status 1") {
  const Scratch scratch("off");
  const auto expected = changed_npz(scratch, "chain_10.npz", [](auto& arrays) {
    auto& out = find(arrays, "out0");
    std::vector<float> elements(16);
    std::memcpy(elements.data(), out.data.data(), 64);
    elements[3] += 0.5f;
    out = array("out0", elements, {16}).second;
  });
  const std::string command = "run " + golden("chain_10.pt2") + " --inputs " +
                              golden("chain_10.npz") + " --expect " + expected;
  const auto run = run_tool(command);
  CHECK(run.status == 1);
  CHECK(contains(run.out, "out0: float32[16], largest error 0.5 absolute, "));
  CHECK(contains(run.out, " relative, not ok\n"));
  CHECK(run_tool(command + " --atol 1").status == 0);
  CHECK(run_tool(command + " --rtol 10").status == 0);
}

TEST_CASE("an output of another dtype or shape is not ok") {
  const Scratch scratch("meta");
  const std::string command = "run " + golden("chain_10.pt2") + " --expect ";
  auto expected = changed_npz(scratch, "chain_10.npz", [](auto& arrays) {
    find(arrays, "out0") = array("out0", std::vector<double>(16), {16}).second;
  });
  auto run = run_tool(command + expected);
  CHECK(run.status == 1);
  CHECK(run.out == "out0: float32[16], expected float64[16], not ok\n");
  expected = changed_npz(scratch, "chain_10.npz", [](auto& arrays) {
    find(arrays, "out0") = array("out0", std::vector<float>(16), {4, 4}).second;
  });
  run = run_tool(command + expected);
  CHECK(run.status == 1);
  CHECK(run.out == "out0: float32[16], expected float32[4, 4], not ok\n");
}

TEST_CASE("NaN equals NaN and nothing else") {
  const Scratch scratch("nan");
  const auto inputs = changed_npz(scratch, "chain_10.npz", [](auto& arrays) {
    std::vector<float> elements(16);
    elements[5] = std::numeric_limits<float>::quiet_NaN();
    find(arrays, "in0") = array("in0", elements, {16}).second;
  });
  const auto stored = scratch.file("nan.npz");
  const std::string command = "run " + golden("chain_10.pt2") + " --inputs " + inputs;
  CHECK(contains(run_tool(command + " --outputs " + stored).out, "nan"));
  CHECK(run_tool(command + " --expect " + stored).status == 0);
  const auto run = run_tool(command + " --expect " + golden("chain_10.npz") + " --atol 100");
  CHECK(run.status == 1);
  CHECK(contains(run.out, "largest error inf absolute"));
}

TEST_CASE("an expected output that the program does not have is not ok") {
  const Scratch scratch("surplus");
  const auto expected = changed_npz(scratch, "chain_10.npz", [](auto& arrays) {
    arrays.push_back(array("out1", std::vector<std::int64_t>{1}, {}));
  });
  const auto run = run_tool("run " + golden("chain_10.pt2") + " --inputs " +
                            golden("chain_10.npz") + " --expect " + expected);
  CHECK(run.status == 1);
  CHECK(contains(run.out, "out1: nothing, expected int64[], not ok\n"));
}

TEST_CASE("stored outputs can be read and compared with") {
  const Scratch scratch("stored");
  const auto stored = scratch.file("outputs.npz");
  const std::string command = "run " + golden("chain_10.pt2") + " --repeat 2";
  const auto run = run_tool(command + " --outputs " + stored);
  CHECK(run.status == 0);
  CHECK(contains(run.out, "out0: float32[16] ["));
  const auto arrays = treadle::read_npz(stored);
  REQUIRE(arrays);
  REQUIRE(arrays->size() == 2);
  CHECK((*arrays)[0].first == "out0");
  CHECK((*arrays)[1].first == "out0_2");
  CHECK((*arrays)[0].second.sizes == treadle::Dims{16});
  CHECK(run_tool(command + " --expect " + stored).status == 0);
}

TEST_CASE("wrong inputs are reported by name, with what was expected and found") {
  const Scratch scratch("wrong");
  struct Case {
    NamedArray in0;
    std::vector<std::string> said;
  };
  const std::vector<Case> cases = {
      {array("in0", std::vector<float>(3), {3}), {"'x'", "16", "3"}},
      {array("in0", std::vector<float>(16), {4, 4}), {"'x'", "rank", "[4, 4]"}},
      {array("in0", std::vector<double>(16), {16}), {"'x'", "float32", "float64"}},
  };
  for (const auto& [in0, said] : cases) {
    const auto inputs = changed_npz(scratch, "chain_10.npz",
                                    [&](auto& arrays) { find(arrays, "in0") = in0.second; });
    const auto run = run_tool("run " + golden("chain_10.pt2") + " --inputs " + inputs);
    CHECK(run.status == 3);
    CHECK(run.out.empty());
    for (const auto& word : said) {
      CAPTURE(run.error);
      CHECK(contains(run.error, word));
    }
  }
}

TEST_CASE("missing and unknown input arrays are reported") {
  const Scratch scratch("names");
  const std::string command = "run " + golden("chain_10.pt2") + " --inputs ";
  auto run = run_tool(command + changed_npz(scratch, "chain_10.npz", [](auto& arrays) {
                        std::erase_if(arrays, [](auto& entry) { return entry.first == "in1"; });
                      }));
  CHECK(run.status == 3);
  CHECK(contains(run.error, "there is no array 'in1' for input 'y' (float32[16])"));
  for (const std::string name : {"in2", "in_x", "input"}) {
    run = run_tool(command + changed_npz(scratch, "chain_10.npz", [&](auto& arrays) {
                     arrays.push_back(array(name, std::vector<float>(16), {16}));
                   }));
    CHECK(run.status == 3);
    CHECK(contains(run.error, "the array '" + name + "' belongs to no input"));
  }
}

TEST_CASE("a file to compare with must have the outputs") {
  const Scratch scratch("no_outputs");
  const auto expected = changed_npz(scratch, "chain_10.npz", [](auto& arrays) {
    std::erase_if(arrays, [](auto& entry) { return entry.first == "out0"; });
  });
  const auto run = run_tool("run " + golden("chain_10.pt2") + " --expect " + expected);
  CHECK(run.status == 3);
  CHECK(contains(run.error, "has no array 'out0' to compare with"));
}

TEST_CASE("missing, corrupt and foreign files make the status 3") {
  const Scratch scratch("files");
  const std::string whole = read_file(golden("chain_10.pt2"));
  std::ofstream(scratch.file("half.pt2"), std::ios::binary) << whole.substr(0, whole.size() / 2);
  std::ofstream(scratch.file("text.pt2")) << "no program at all";
  for (const auto& path : {scratch.file("none.pt2"), scratch.file("half.pt2"),
                           scratch.file("text.pt2"), golden("chain_10.npz")})
    for (const std::string command : {"run ", "inspect ", "print ", "dot ", "bench "}) {
      CAPTURE(command);
      CAPTURE(path);
      const auto run = run_tool(command + path);
      CHECK(run.status == 3);
      CHECK(run.out.empty());
      CHECK(contains(run.error, path));
    }
}
