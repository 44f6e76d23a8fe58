// Tests of the checks of graphs.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/core/function_ref.hpp>
#include <treadle/graph/lint.hpp>
#include <treadle/graph/parse.hpp>

using namespace treadle;

namespace {
GraphModule good() {
  auto module = parse_module(R"(module "m" {
  range "s0" [2, 4]
  input buffer "b" "state"
  input user_input "x" ""
  output buffer_mutation "state"
  output user_output ""
  in_spec tuple(tuple(*), dict())
  out_spec *
}
graph(%b: float32[2], %x: float32[2]):
  %y: float32[2] = aten::add.Tensor(self=%x, other=%b)
  %z: float32[2] = aten::relu(self=%y)
  return (%y, %z))");
  if (!module) FAIL(module.error().message());
  return *std::move(module);
}
bool finds(const std::vector<Error>& errors, std::string_view message) {
  for (const auto& error : errors)
    if (error.message().find(message) != std::string::npos) return true;
  return false;
}
}  // namespace

TEST_CASE("a good program has nothing to report") {
  CHECK(lint(good()).empty());
  CHECK(verify(good()));
}

TEST_CASE("every broken invariant has its message") {
  struct Row {
    FunctionRef<void(GraphModule&)> damage;
    const char* message;
  };
  const auto use_early = [](GraphModule& m) { m.graph.move_node(m.graph.last(), m.graph.first()); };
  const auto wrong_producer = [](GraphModule& m) {
    m.graph.value(m.graph.find_value("y")).producer = m.graph.last();
  };
  const auto lost_user = [](GraphModule& m) {
    m.graph.value(m.graph.find_value("y")).users.clear();
  };
  const auto false_user = [](GraphModule& m) {
    m.graph.value(m.graph.find_value("x")).users.push_back(m.graph.last());
  };
  const auto double_user = [](GraphModule& m) {
    m.graph.value(m.graph.find_value("x")).users.push_back(m.graph.first());
  };
  const auto dangling = [](GraphModule& m) {
    *m.graph.node(m.graph.last()).arguments[0].value.value() = ValueId(99);
  };
  const auto missing = [](GraphModule& m) {
    *m.graph.node(m.graph.last()).arguments[0].value.value() = ValueId{};
  };
  const auto erased = [](GraphModule& m) { m.graph.value(m.graph.find_value("y")).erased = true; };
  const auto same_name = [](GraphModule& m) { m.graph.value(m.graph.find_value("z")).name = "y"; };
  const auto node_name = [](GraphModule& m) { m.graph.node(m.graph.last()).name = "y"; };
  const auto no_target = [](GraphModule& m) { m.graph.node(m.graph.last()).target.clear(); };
  const auto lengths = [](GraphModule& m) {
    m.graph.node(m.graph.last()).result_lengths.push_back(2);
  };
  const auto negative_length = [](GraphModule& m) {
    m.graph.node(m.graph.last()).result_lengths[0] = -3;
  };
  const auto back_link = [](GraphModule& m) { m.graph.node(m.graph.last()).previous = NodeId{}; };
  const auto circle = [](GraphModule& m) { m.graph.node(m.graph.last()).next = m.graph.first(); };
  const auto order = [](GraphModule& m) { m.graph.node(m.graph.last()).order = 0; };
  const auto erased_node = [](GraphModule& m) { m.graph.node(m.graph.last()).erased = true; };
  const auto strides = [](GraphModule& m) {
    m.graph.value(m.graph.find_value("y")).tensor->strides.clear();
  };
  const auto negative = [](GraphModule& m) {
    m.graph.value(m.graph.find_value("y")).tensor->sizes[0] = -1;
  };
  const auto kind = [](GraphModule& m) {
    m.graph.value(m.graph.find_value("y")).kind = ValueKind::sym_int;
  };
  const auto no_graph = [](GraphModule& m) {
    m.graph.set_arguments(m.graph.last(), {{"", Subgraph{"g", nullptr}, false}});
  };
  const auto fewer_inputs = [](GraphModule& m) { m.signature.inputs.pop_back(); };
  const auto fewer_outputs = [](GraphModule& m) { m.signature.outputs.pop_back(); };
  const auto input_name = [](GraphModule& m) { m.signature.inputs[0].name = "q"; };
  const auto no_spec_target = [](GraphModule& m) { m.signature.inputs[0].target.clear(); };
  const auto mutation = [](GraphModule& m) { m.signature.outputs[0].target = "other"; };
  const auto leaves = [](GraphModule& m) {
    m.signature.out_spec = {TreeKind::tuple, {}, {}, "", ""};
  };
  const auto range = [](GraphModule& m) { m.ranges["s0"].minimum = 9; };
  const auto constant = [](GraphModule& m) {
    m.signature.inputs[1].kind = InputKind::constant_input;
  };
  const Row rows[] = {
      {use_early, "node 1 'z' (aten::relu) uses value '%y' before its definition"},
      {wrong_producer, "value '%y' does not name node 0 'y' (aten::add.Tensor) as its producer"},
      {lost_user, "value '%y' does not list its user node 1"},
      {false_user, "value '%x' lists node 1 as a user, which does not use it"},
      {double_user, "value '%x' lists a user twice"},
      {dangling, "uses value 99, which does not exist"},
      {missing, "uses a value that is not there"},
      {erased, "uses the erased value '%y'"},
      {same_name, "has the name of another value"},
      {node_name, "node 1 'y' (aten::relu) has the name of another node"},
      {no_target, "has no operator"},
      {lengths, "has 1 outputs, its results need 3"},
      {negative_length, "has a result of the length -3"},
      {back_link, "does not link back to the node before it"},
      {circle, "the links of the nodes go round in a circle"},
      {order, "has no greater order number"},
      {erased_node, "is erased but still linked"},
      {strides, "has 1 sizes and 0 strides"},
      {negative, "has the negative size -1"},
      {kind, "is a sym_int and has a tensor type"},
      {no_graph, "has a subgraph that is null"},
      {fewer_inputs, "the signature has 1 inputs, the graph 2"},
      {fewer_outputs, "the signature has 1 outputs, the graph 2"},
      {input_name, "input 0 'q' (buffer) stands for the value '%b'"},
      {no_spec_target, "input 0 'b' (buffer) has no target"},
      {mutation, "output 0 (buffer_mutation) writes 'other', which is no buffer of the program"},
      {leaves, "the tree of outputs has 0 leaves, the signature 1"},
      {range, "the range of 's0' is empty"},
      {constant, "input 1 'x' (constant_input) stands for the value '%x'"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.message);
    auto module = good();
    row.damage(module);
    CHECK(finds(lint(module), row.message));
    CHECK_FALSE(verify(module));
  }
}

TEST_CASE("subgraphs are checked, and errors say where they are") {
  auto graph = parse_graph(R"(graph(%x: float32[2]):
    %y: float32[2] = higher_order::wrap(graph "body"(%p: float32[2]):
      %q: float32[2] = aten::relu(self=%p)
      return (%q), %x)
    return (%y))");
  REQUIRE(graph);
  CHECK(lint(*graph).empty());
  auto& body = *graph->node(graph->first()).arguments[0].value.subgraph()->body;
  body.node(body.first()).target.clear();
  CHECK(finds(lint(*graph),
              "node 0 'y' (higher_order::wrap): graph 'body': node 0 'q' () has no operator"));
}
