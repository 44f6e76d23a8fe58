// Tests of editing graphs.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/graph/graph_body.hpp>
#include <treadle/graph/lint.hpp>
#include <treadle/graph/parse.hpp>
#include <treadle/graph/print.hpp>

using namespace treadle;

namespace {
GraphBody graph_of(std::string_view text) {
  auto graph = parse_graph(text);
  if (!graph) FAIL(graph.error().message());
  return *std::move(graph);
}
void check(const GraphBody& graph, std::string_view expected) {
  for (const auto& error : lint(graph)) FAIL_CHECK(error.message());
  CHECK(print(graph) == print(graph_of(expected)));
}
NodeId node_named(const GraphBody& graph, std::string_view name) {
  for (const NodeId id : graph.nodes())
    if (graph.node(id).name == name) return id;
  return {};
}
constexpr std::string_view chain = R"(graph(%x: float32[2]):
  %a: float32[2] = aten::relu(self=%x)
  %b: float32[2] = aten::tanh(self=%a)
  %c: float32[2] = aten::add.Tensor(self=%a, other=%b)
  return (%c, %a))";
}  // namespace

TEST_CASE("replacing all uses reaches nodes, lists and graph outputs") {
  auto graph = graph_of(chain);
  graph.replace_all_uses(graph.find_value("a"), graph.find_value("x"));
  check(graph, R"(graph(%x: float32[2]):
    %a: float32[2] = aten::relu(self=%x)
    %b: float32[2] = aten::tanh(self=%x)
    %c: float32[2] = aten::add.Tensor(self=%x, other=%b)
    return (%c, %x))");
  CHECK_FALSE(graph.is_used(graph.find_value("a")));
}

TEST_CASE("replacing uses after a node leaves those before it") {
  auto graph = graph_of(chain);
  graph.replace_uses_after(graph.find_value("a"), graph.find_value("x"), node_named(graph, "b"));
  check(graph, R"(graph(%x: float32[2]):
    %a: float32[2] = aten::relu(self=%x)
    %b: float32[2] = aten::tanh(self=%a)
    %c: float32[2] = aten::add.Tensor(self=%x, other=%b)
    return (%c, %x))");
}

TEST_CASE("a node is removed only when nobody uses its outputs") {
  auto graph = graph_of(chain);
  const auto refused = graph.remove_node(node_named(graph, "b"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message() ==
        "node 'b' (aten::tanh) can't be removed: its output 'b' is still used");
  graph.set_outputs({Argument(graph.find_value("a"))});
  CHECK(graph.remove_node(node_named(graph, "c")));
  CHECK(graph.remove_node(node_named(graph, "b")));
  check(graph, R"(graph(%x: float32[2]):
    %a: float32[2] = aten::relu(self=%x)
    return (%a))");
  CHECK_FALSE(graph.find_value("b").valid());
  CHECK(graph.node_count() == 1);
}

TEST_CASE("nodes move to any place, and their order is known") {
  auto graph = graph_of(R"(graph(%x: float32[]):
    %a: float32[] = aten::relu(self=%x)
    %b: float32[] = aten::tanh(self=%x)
    %c: float32[] = aten::exp(self=%x)
    return (%a, %b, %c))");
  const NodeId a = node_named(graph, "a"), b = node_named(graph, "b"), c = node_named(graph, "c");
  graph.move_node(c, a);
  CHECK(graph.is_before(c, a));
  graph.move_node(a, {});
  CHECK(graph.is_before(b, a));
  CHECK(std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end()) ==
        std::vector<NodeId>{c, b, a});
  graph.move_node(b, b);
  CHECK(graph.last() == a);
  CHECK(verify(graph));
}

TEST_CASE("nodes inserted again and again in one place keep their order") {
  auto graph = graph_of(chain);
  const NodeId before = node_named(graph, "c");
  NodeId previous;
  for (int i = 0; i < 3000; ++i) {
    Node node;
    node.target = "aten::relu";
    node.arguments.push_back({"self", graph.find_value("x"), false});
    GraphValue value;
    value.name = "n";
    value.tensor = make_type(DType::float32, {2});
    node.outputs.push_back(graph.add_value(std::move(value)));
    node.result_lengths.push_back(Node::single);
    const NodeId id = graph.add_node(std::move(node), before);
    if (previous.valid()) REQUIRE(graph.is_before(previous, id));
    REQUIRE(graph.is_before(id, before));
    previous = id;
  }
  CHECK(verify(graph));
}

TEST_CASE("names are made unique and values are renamed") {
  auto graph = graph_of(chain);
  CHECK(graph.unique_name("d") == "d");
  CHECK(graph.unique_name("a") == "a_1");
  CHECK(graph.unique_name("") == "v");
  graph.rename(graph.find_value("b"), "a");
  CHECK(graph.find_value("a_1").valid());
  CHECK_FALSE(graph.find_value("b").valid());
  CHECK(verify(graph));
}

TEST_CASE("an argument takes the place of the list that holds it, and its own") {
  Argument argument(Argument::List{Argument(Argument::List{Argument(ValueId(3)), Argument("x")}),
                                   Argument(std::int64_t{7})});
  argument = std::move((*argument.list())[0]);
  REQUIRE(argument.list());
  REQUIRE(argument.list()->size() == 2);
  argument = (*argument.list())[1];
  REQUIRE(argument.get<std::string>());
  Argument& same = argument;
  argument = std::move(same);
  argument = same;
  CHECK(*argument.get<std::string>() == "x");
}

TEST_CASE("changed arguments change users") {
  auto graph = graph_of(chain);
  const NodeId c = node_named(graph, "c");
  graph.set_arguments(
      c, {{"tensors", Argument::List{graph.find_value("x"), graph.find_value("x")}, false}});
  CHECK(graph.value(graph.find_value("b")).users.empty());
  CHECK(graph.value(graph.find_value("x")).users.size() == 2);
  CHECK(verify(graph));
}

TEST_CASE("a graph is inlined with its inputs bound and its names made unique") {
  auto graph = graph_of(chain);
  const auto body = graph_of(R"(graph(%p: float32[2], %q: float32[2]):
    %a: float32[2] = aten::mul.Tensor(self=%p, other=%q)
    return (%a, %q, 7))");
  const std::vector<ValueId> arguments = {graph.find_value("a"), graph.find_value("b")};
  const auto results = graph.inline_graph(body, arguments, node_named(graph, "c"));
  REQUIRE(results);
  REQUIRE(results->size() == 3);
  CHECK(*(*results)[1].value() == arguments[1]);
  CHECK(*(*results)[2].get<std::int64_t>() == 7);
  graph.set_outputs({(*results)[0]});
  CHECK(graph.value(*(*results)[0].value()).name == "a_1");
  CHECK(verify(graph));
  const auto refused = graph.inline_graph(body, {}, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message() == "inlining a graph of 2 inputs: found 0 arguments");
}

TEST_CASE("a clone is equal and independent, subgraphs included") {
  const auto graph = graph_of(R"(graph(%p: bool[], %x: float32[2]):
    %y: float32[2] = higher_order::cond(%p,
      graph "a"(%x: float32[2]): return (%x),
      graph "b"(%x: float32[2]):
        %z: float32[2] = aten::neg(self=%x)
        return (%z), [%x])
    return (%y))");
  auto copy = graph.clone();
  CHECK(equal(copy, graph));
  auto& sub = *copy.node(copy.first()).arguments[2].value.subgraph()->body;
  sub.rename(sub.find_value("z"), "other");
  CHECK_FALSE(equal(copy, graph));
}
