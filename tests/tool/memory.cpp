// Tests of the tool's memory report.
#include <filesystem>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "tool_run.hpp"

using namespace tool_test;

TEST_CASE("inspect --memory lists each value, the peak and what makes it") {
  const auto run = run_tool("inspect --memory " + golden("chain_10.pt2"));
  CHECK(run.status == 0);
  for (const std::string_view said :
       {"memory of chain_10.pt2, steps in program order", "value", "offset", "in place",
        "peak 64 bytes, lower bound 64 bytes, gap 0 bytes (0.00 %)", "most is in use in step 0"})
    CHECK_MESSAGE(contains(run.out, said), said);
  CHECK_FALSE(contains(run.out, "the arena ends with"));
}

TEST_CASE("inspect --memory --scheduler pool shows a plan for any order") {
  const auto run = run_tool("inspect --memory --scheduler pool " + golden("chain_10.pt2"));
  CHECK(run.status == 0);
  CHECK(contains(run.out, "steps in any order"));
}

TEST_CASE("plans of the golden programs need no more than the bound") {
  int planned = 0;
  for (const auto& entry : std::filesystem::directory_iterator(golden("")))
    for (const std::string scheduler : {"serial", "pool"}) {
      if (entry.path().extension() != ".pt2") continue;
      CAPTURE(entry.path().string());
      const auto run =
          run_tool("inspect --memory --scheduler " + scheduler + " " + entry.path().string());
      CHECK(run.status == 0);
      CHECK(contains(run.out, "gap 0 bytes"));
      ++planned;
    }
  CHECK(planned >= 8);
}

TEST_CASE("inspect --memory-svg draws the arena") {
  const Scratch scratch("memory_svg");
  const auto run =
      run_tool("inspect " + golden("chain_10.pt2") + " --memory-svg " + scratch.file("arena.svg"));
  CHECK(run.status == 0);
  CHECK(run.out.empty());
  const std::string svg = read_file(scratch.file("arena.svg"));
  CHECK(svg.starts_with("<svg "));
  CHECK(contains(svg, "<title>Memory of chain_10.pt2, steps in program order</title>"));
  CHECK(contains(svg, "</svg>"));
}

TEST_CASE("a drawing that can't be written is an error") {
  const auto run =
      run_tool("inspect " + golden("chain_10.pt2") + " --memory-svg /no/such/folder/arena.svg");
  CHECK(run.status == 3);
  CHECK(contains(run.error, "'/no/such/folder/arena.svg' could not be written"));
}
