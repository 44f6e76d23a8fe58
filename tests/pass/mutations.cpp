// Tests of the settling of mutations that a signature lists.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/graph/parse.hpp>
#include <treadle/graph/print.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/pass/settle_mutations.hpp>

#include "graphs.hpp"

using namespace treadle;

namespace {

/// The graph's last lines after the pass; `outputs` are lines of a signature.
std::string settled(std::string_view outputs, std::string_view graph) {
  const std::string text =
      "module \"m\" {\n  input buffer \"b\" \"b\"\n  input buffer \"c\" \"c\"\n"
      "  input user_input \"x\" \"\"\n" +
      std::string(outputs) +
      "  arguments [\"x\"]\n  in_spec tuple(tuple(*), dict())\n  out_spec *\n}\n" +
      "graph(%b: float32[2], %c: bfloat16[2], %x: float32[2]):\n" + std::string(graph);
  auto module = parse_module(text);
  if (!module) return module.error().message();
  const bool changed = settle_mutations(*module, standard_ops());
  test::check_lint(module->graph);
  const std::string printed = print(module->graph);
  const std::string rest = printed.substr(printed.find('\n') + 1);
  CHECK(changed == (rest != graph));
  return rest;
}

constexpr std::string_view writes_b = "  output buffer_mutation \"b\"\n  output user_output \"\"\n";

}  // namespace

TEST_CASE("what is computed anew is written back as it is") {
  const std::string_view graph =
      "  %y: float32[2] = aten::add.Tensor(self=%b, other=%x)\n  return (%y, %y)\n";
  CHECK(settled(writes_b, graph) == graph);
}

TEST_CASE("an input that nobody writes is written back as it is") {
  const std::string_view graph = "  return (%x, %x)\n";
  CHECK(settled(writes_b, graph) == graph);
}

TEST_CASE("a mutation of another dtype is cast, and the user gets the buffer") {
  CHECK(settled("  output buffer_mutation \"c\"\n  output user_output \"\"\n",
                "  return (%x, %x)\n") ==
        "  %c_written: bfloat16[2] = aten::copy(self=%c, src=%x)\n"
        "  return (%c_written, %c_written)\n");
}

TEST_CASE("a mutation of other sizes is broadcast") {
  CHECK(settled(writes_b, "  %y: float32[] = aten::sum(self=%x)\n  return (%y, %x)\n") ==
        "  %y: float32[] = aten::sum(self=%x)\n"
        "  %b_written: float32[2] = aten::copy(self=%b, src=%y)\n"
        "  return (%b_written, %x)\n");
}

TEST_CASE("a view of an input that is written, too, is copied first") {
  CHECK(settled("  output buffer_mutation \"b\"\n  output user_input_mutation \"x\"\n"
                "  output user_output \"\"\n",
                "  %v: float32[2] = aten::view(self=%x, size=[2])\n"
                "  %y: float32[2] = aten::add.Tensor(self=%x, other=1)\n"
                "  return (%v, %y, %v)\n") ==
        "  %v: float32[2] = aten::view(self=%x, size=[2])\n"
        "  %y: float32[2] = aten::add.Tensor(self=%x, other=1)\n"
        "  %b_written: float32[2] = aten::copy(self=%b, src=%v)\n"
        "  return (%b_written, %y, %b_written)\n");
}

TEST_CASE("a buffer that goes to another one is copied first") {
  CHECK(settled("  output buffer_mutation \"b\"\n  output user_input_mutation \"x\"\n",
                "  return (%x, %b)\n") ==
        "  %b_written: float32[2] = aten::copy(self=%b, src=%x)\n"
        "  %x_written: float32[2] = aten::copy(self=%x, src=%b)\n"
        "  return (%b_written, %x_written)\n");
}
