// Tests of the Graphviz printer.
#include <algorithm>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/graph/parse.hpp>
#include <treadle/text/dot.hpp>

namespace {

constexpr std::string_view program = R"(module "m" {
  input user_input "x" ""
  input parameter "w" "layer.weight"
  output user_output ""
}
graph(%x: float32[s0, 4], %w: float32[4]):
  %y: float32[s0, 4] = aten::mul.Tensor(self=%x, other=%w)
  %z: float32[s0, 4] = aten::add_.Tensor(self=%y, other=1)
  return (%z)
)";

constexpr std::string_view branches = R"(graph(%p: bool[], %x: float32[2]):
  %y: float32[2] = higher_order::cond(%p,
    graph "yes"(%x: float32[2]):
      %a: float32[2] = aten::sin(self=%x)
      return (%a),
    graph "no"(%x: float32[2]):
      %b: float32[2] = aten::cos(self=%x)
      return (%b), [%x])
  return (%y)
)";

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

treadle::GraphModule parsed_program() {
  auto module = treadle::parse_module(program);
  REQUIRE_MESSAGE(module, (module ? std::string() : module.error().message()));
  return *std::move(module);
}

}  // namespace

TEST_CASE("edges go from makers to users and carry types") {
  const auto text = treadle::to_dot(parsed_program());
  CHECK(contains(text, "g0i0 -> g0n0 [label=\"float32[s0, 4]\", tooltip=\"x as self\"];"));
  CHECK(contains(text, "g0n0 -> g0n1 [label=\"float32[s0, 4]\", tooltip=\"y as self\"];"));
  CHECK(contains(text, "g0n1 -> g0o0 ["));
}

TEST_CASE("shapes can be left out") {
  const auto text = treadle::to_dot(parsed_program(), {.shapes = false});
  CHECK(contains(text, "g0n0 -> g0n1 [label=\"\""));
}

TEST_CASE("weights are drawn only on request") {
  const auto without = treadle::to_dot(parsed_program());
  CHECK_FALSE(contains(without, "layer.weight"));
  CHECK_FALSE(contains(without, "g0i1"));
  const auto with = treadle::to_dot(parsed_program(), {.weights = true});
  CHECK(contains(with, "g0i1 [label=\"layer.weight\\nfloat32[4]\""));
  CHECK(contains(with, "g0i1 -> g0n0 ["));
}

TEST_CASE("kinds of nodes have colours of their own") {
  const auto text = treadle::to_dot(parsed_program());
  CHECK(contains(text, "label=\"aten::mul.Tensor\\ny\", fillcolor=\"#cfe2f7\""));
  CHECK(contains(text, "fillcolor=\"#f6c6a8\""));  // in place
  CHECK(contains(text, "fillcolor=\"#cdeac0\""));  // user input
  CHECK(contains(text, "fillcolor=\"#f4b6c2\""));  // output
}

TEST_CASE("subgraphs are clusters with names of their own") {
  const auto graph = treadle::parse_graph(branches);
  REQUIRE_MESSAGE(graph, (graph ? std::string() : graph.error().message()));
  const auto text = treadle::to_dot(*graph);
  CHECK(contains(text, "subgraph cluster_1 {"));
  CHECK(contains(text, "subgraph cluster_2 {"));
  CHECK(contains(text, "label=\"yes of y\""));
  CHECK(contains(text, "g1i0 -> g1n0"));
  CHECK(contains(text, "g2i0 -> g2n0"));
  CHECK(std::ranges::count(text, '{') == std::ranges::count(text, '}'));
}

TEST_CASE("names cannot break out of their quotes") {
  treadle::GraphBody graph;
  treadle::GraphValue value;
  value.name = "a\"]; evil [label=\"\\\n";
  value.tensor = treadle::make_type(treadle::DType::float32, {2});
  graph.add_input(std::move(value));
  const auto text = treadle::to_dot(graph);
  CHECK(contains(text, "label=\"a\\\"]; evil [label=\\\"\\\\\\n\\nfloat32[2]\""));
}
