// Tests of graph text.
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/graph/lint.hpp>
#include <treadle/graph/parse.hpp>
#include <treadle/graph/print.hpp>
#include <treadle/symbolic/parse.hpp>

using namespace treadle;

namespace {
/// A graph of one node with this argument.
GraphBody with(Argument argument) {
  GraphBody graph;
  GraphValue x;
  x.name = "x";
  x.tensor = make_type(DType::float32, {2});
  graph.add_input(std::move(x));
  Node node;
  node.target = "test::op";
  node.arguments.push_back({"a", std::move(argument), true});
  graph.add_node(std::move(node));
  return graph;
}
/// The text of the argument.
std::string text_of(const GraphBody& graph) {
  const auto text = print(graph, graph.first());
  const std::string before = "test::op(*a=";
  return text.substr(before.size(), text.size() - before.size() - 1);
}
GraphBody round_trip(const GraphBody& graph) {
  const auto text = print(graph);
  CAPTURE(text);
  auto parsed = parse_graph(text);
  if (!parsed) FAIL(parsed.error().message());
  CHECK(print(*parsed) == text);
  return *std::move(parsed);
}
}  // namespace

TEST_CASE("every kind of argument prints and parses to an equal one") {
  using List = Argument::List;
  const auto integer = [](std::int64_t value) { return Argument(Constant(value)); };
  const ValueId x(0);
  struct Row {
    Argument argument;
    const char* text;
  };
  const Row rows[] = {
      {Constant(None{}), "None"},
      {Constant(true), "True"},
      {integer(INT64_MIN), "-9223372036854775808"},
      {Constant(0.1), "0.1"},
      {Constant(3.0), "3.0"},
      {Constant(1e300), "1e+300"},
      {Constant(5e-324), "5e-324"},
      {Constant(HUGE_VAL), "inf"},
      {Constant(-HUGE_VAL), "-inf"},
      {Constant(std::complex<double>(1.5, -HUGE_VAL)), "complex(1.5, -inf)"},
      {Constant(std::string("a \"b\"\\\n\t\x01 # é")), R"("a \"b\"\\\n\x09\x01 # é")"},
      {Constant(DType::bool_), "bool"},
      {Constant(DType::float8_e4m3fn), "float8_e4m3fn"},
      {Constant(Device{DeviceType::cuda, 1}), "device(cuda:1)"},
      {Constant(Device{}), "device(cpu)"},
      {Constant(Layout::sparse_coo), "layout(sparse_coo)"},
      {Constant(MemoryFormat::channels_last), "memory_format(channels_last)"},
      {Constant(OperatorName{"aten::add_.Tensor"}), "operator(aten::add_.Tensor)"},
      {Constant(std::vector<bool>{true, false}), "[True, False]"},
      {Constant(std::vector<std::int64_t>{1, -2}), "[1, -2]"},
      {Constant(std::vector<double>{1, 0.5}), "[1.0, 0.5]"},
      {Constant(std::vector<std::string>{"a", ""}), R"(["a", ""])"},
      {Constant(std::vector<bool>{}), "bools[]"},
      {Constant(std::vector<std::int64_t>{}), "ints[]"},
      {Constant(std::vector<double>{}), "floats[]"},
      {Constant(std::vector<std::string>{}), "strings[]"},
      {List{}, "[]"},
      {List{integer(1), integer(2)}, "list[1, 2]"},
      {List{integer(1), Constant(2.0)}, "[1, 2.0]"},
      {List{x, Constant(None{}), x}, "[%x, None, %x]"},
      {List{List{x}, List{}, List{x, x}}, "[[%x], [], [%x, %x]]"},
      {List{Constant(std::vector<std::int64_t>{1}), integer(2)}, "[[1], 2]"},
      {Argument::Dict{{"k y", x}, {"", List{}}}, R"({"k y": %x, "": []})"},
      {x, "%x"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const auto graph = with(row.argument);
    CHECK(text_of(graph) == row.text);
    CHECK(equal(round_trip(graph), graph));
  }
}

TEST_CASE("floats keep their sign and NaN stays NaN") {
  const auto zero = round_trip(with(Constant(-0.0)));
  CHECK(std::signbit(*zero.node(zero.first()).arguments[0].value.get<double>()));
  const auto nan = round_trip(with(Constant(std::nan(""))));
  CHECK(std::isnan(*nan.node(nan.first()).arguments[0].value.get<double>()));
}

TEST_CASE("types of every kind print and parse to equal ones") {
  const std::string text =
      R"(graph(%x: float32[s0, 64], %y: int8[2, 3]{1, 2}<offset=4, device=cuda:1, layout=sparse_coo, grad>, %n: sym_int(s0 * 2), %f: sym_float, %b: sym_bool(s0 <= 4), %o: custom_object("my.Class"), %t: token, %u: tensor, %"odd name": string, _, %z: bool[]<offset=(s0 + 1)>):
  return (%x, 3, None, [%y, %n])
)";
  const auto graph = parse_graph(text);
  if (!graph) FAIL(graph.error().message());
  CHECK(print(*graph) == text);
  CHECK(graph->inputs().size() == 11);
  CHECK_FALSE(graph->inputs()[9].valid());
  const auto& y = *graph->value(graph->find_value("y")).tensor;
  CHECK(y.device == Device{DeviceType::cuda, 1});
  CHECK(y.requires_grad);
  CHECK(y.strides == SymDims{1, 2});
}

TEST_CASE("several results, lists of results, unused ones and subgraphs print and parse") {
  const std::string text = R"(graph(%x: float32[2]):
  %a: float32[2], _, [%b: float32[1], _], [] = test::many(%x) @many
  test::nothing()
  %y: float32[2] = higher_order::map(
    graph "body"(%x: float32[2], _):
      %z: float32[2] = aten::neg(self=%x)
      return (%z, [%z]), %a, *k=%b)
  return (%y)
)";
  const auto graph = parse_graph(text);
  if (!graph) FAIL(graph.error().message());
  CHECK(print(*graph) == text);
  const Node& many = graph->node(graph->first());
  CHECK(many.result_lengths == SmallVector<std::int32_t, 2>{-1, -1, 2, 0});
  CHECK(many.outputs.size() == 4);
  CHECK(many.name == "many");
  CHECK(verify(*graph));
}

TEST_CASE("text written by hand needs neither types nor line breaks") {
  const auto graph = parse_graph("graph(%x): %y = aten::relu(%x) # a comment\n return (%y)");
  REQUIRE(graph);
  CHECK(graph->node(graph->first()).target == "aten::relu");
  CHECK(print(*graph, {.types = false}) == "graph(%x):\n  %y = aten::relu(%x)\n  return (%y)\n");
}

TEST_CASE("a program prints with its signature, trees, ranges and guards") {
  const std::string text = R"(module "m" {
  torch_version "2.13.0"
  opset {"aten": 10}
  metadata {"a": "b\nc"}
  range "s0" [2, 16]
  range "s1" [_, _]
  guard "L['x'].size()[0] == 3"
  input parameter "p_w" "fc.weight"
  input buffer "b_b" "b" not_persistent
  input user_input "x" ""
  input constant_input "flag" "" = True
  output buffer_mutation "b"
  output user_output ""
  arguments ["x", "flag"]
  in_spec tuple(tuple(*, *), dict())
  out_spec named_tuple<"collections.namedtuple", "my.Point">("x": dict("k": none<"builtins.NoneType", "">(), 3: *))
}
graph(%p_w: float32[], %b_b: float32[], %x: float32[], _):
  %y: float32[] = aten::add.Tensor(self=%x, other=%b_b) meta {"stack_trace": "line 1\nline 2"}
  return (%y, %y)
)";
  const auto module = parse_module(text);
  if (!module) FAIL(module.error().message());
  CHECK(print(*module, {.metadata = true}) == text);
  CHECK(module->signature.out_spec.children[0].context == R"(["k", 3])");
  CHECK(module->graph.node(module->graph.first()).meta("stack_trace") == "line 1\nline 2");
  CHECK(verify(*module));
}

TEST_CASE("broken text is refused with line and column") {
  struct Row {
    const char* text;
    const char* message;
  };
  const Row rows[] = {
      {"", "1:1: expected 'graph', found the end of the text"},
      {"graph(", "1:7: expected '%'"},
      {"graph(%x", "1:9: expected ')'"},
      {"graph(%x: flot32[2]): return ()", "1:11: 'flot32' is no type"},
      {"graph(%x: float32[2): return ()", "expected ']'"},
      {"graph(%x: float32[s0 +]): return ()", "1:19: "},
      {"graph(%x, %x): return ()", "1:12: value '%x' is defined twice"},
      {"graph():\n %y = a::b(%x)\n return ()", "2:12: value '%x' is used before it is defined"},
      {"graph(%x): %y a::b(%x) return ()", "expected '='"},
      {"graph(%x): %y = (%x) return ()", "expected an operator"},
      {"graph(%x): %y = a::b(%x return ()", "1:25: expected ')', found \"return ()\""},
      {"graph(%x): return (maybe)", "'maybe' begins no argument"},
      {"graph(%x): return (\"abc)", "1:20: the string that begins here has no end"},
      {"graph(%x): return (\"\\q\")", "expected one of n, x"},
      {"graph(%x): return (99999999999999999999)", "expected a number of 64 bits"},
      {"graph(%x): return (layout(round))", "unknown name 'round'"},
      {"graph(%x): return (device(cuda:x))", "a device's index is no number"},
      {"graph(%x): return (%x) more", "1:24: expected the end"},
      {"graph(%x): return (%x", "expected ')'"},
      {"graph(%x):", "1:11: expected an operator"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const auto graph = parse_graph(row.text);
    REQUIRE_FALSE(graph);
    CAPTURE(graph.error().message());
    CHECK(graph.error().message().find(row.message) != std::string::npos);
  }
  CHECK_FALSE(parse_module("module \"m\" { input parameter \"a\" \"b\" } graph(): return ()"));
  CHECK_FALSE(parse_module("module \"m\" { rocket } graph(): return ()"));
}

TEST_CASE("nesting is bounded") {
  const std::string deep = concat("graph(): return (", std::string(100'000, '['));
  CHECK(parse_graph(deep).error().code() == ErrorCode::limit_exceeded);
  std::string graphs = "graph(): ";
  for (int i = 0; i < 10'000; ++i) graphs += "a::b(graph \"g\"(): ";
  CHECK(parse_graph(graphs).error().code() == ErrorCode::limit_exceeded);
}

TEST_CASE("text cut off anywhere is an error") {
  const std::string text = R"(graph(%x: float32[s0, 2]{2, 1}):
  %y: float32[2], [%z: tensor] = a::b(self=[%x, None], k={"a": 1.5}, graph "g"(): return ())
  return (%y, device(cpu)))";
  REQUIRE(parse_graph(text));
  for (std::size_t length = 0; length < text.size(); ++length) {
    CAPTURE(length);
    CHECK_FALSE(parse_graph(text.substr(0, length)));
  }
}
