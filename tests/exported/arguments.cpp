// Tests of arguments of every kind in program files, and of names of operators.
#include <cmath>
#include <complex>
#include <string>

#include <doctest/doctest.h>

#include <treadle/exported/read.hpp>
#include <treadle/exported/target.hpp>
#include <treadle/exported/write.hpp>

#include "exported/pt2.hpp"

using namespace treadle;

namespace {
/// The small program with `json` as the argument of its second node.
Result<ExportedArchive> with_argument(std::string_view json) {
  return read_pt2(test::zip(
      test::today(test::replaced(test::small_program, R"({"as_tensor": {"name": "sum"}}, "kind")",
                                 concat(json, ", \"kind\"")))));
}
}  // namespace

TEST_CASE("an argument of every kind is read, and written back as it was") {
  using List = Argument::List;
  const auto integers = [](std::vector<std::int64_t> items) { return Constant(std::move(items)); };
  const ValueId x(1), sum(2);
  struct Row {
    const char* json;
    Argument expected;
  };
  const Row rows[] = {
      {R"({"as_none": true})", Constant(None{})},
      {R"({"as_none": []})", Constant(None{})},
      {R"({"as_bool": false})", Constant(false)},
      {R"({"as_int": -7})", Constant(std::int64_t{-7})},
      {R"({"as_float": 2.5})", Constant(2.5)},
      {R"({"as_float": 3})", Constant(3.0)},
      {R"({"as_float": "-Infinity"})", Constant(-HUGE_VAL)},
      {R"({"as_complex": {"real": 1.0, "imag": -0.5}})", Constant(std::complex<double>(1, -0.5))},
      {R"({"as_string": "a\"\né"})", Constant(std::string("a\"\né"))},
      {R"({"as_ints": [1, 2]})", integers({1, 2})},
      {R"({"as_ints": []})", integers({})},
      {R"({"as_floats": [1, 2.5]})", Constant(std::vector<double>{1, 2.5})},
      {R"({"as_bools": [true, false]})", Constant(std::vector<bool>{true, false})},
      {R"({"as_strings": ["a", ""]})", Constant(std::vector<std::string>{"a", ""})},
      {R"({"as_sym_int": {"as_int": 4}})", Constant(std::int64_t{4})},
      {R"({"as_sym_ints": [{"as_int": 4}, {"as_int": 5}]})", integers({4, 5})},
      {R"({"as_sym_floats": [{"as_float": 4}]})", Constant(std::vector<double>{4})},
      {R"({"as_sym_bools": [{"as_bool": true}]})", Constant(std::vector<bool>{true})},
      {R"({"as_scalar_type": 13})", Constant(DType::bfloat16)},
      {R"({"as_scalar_type": "DOUBLE"})", Constant(DType::float64)},
      {R"({"as_layout": 7})", Constant(Layout::strided)},
      {R"({"as_memory_format": 2})", Constant(MemoryFormat::channels_last)},
      {R"({"as_device": {"type": "cuda", "index": 1}})", Constant(Device{DeviceType::cuda, 1})},
      {R"({"as_operator": "torch.ops.aten.relu.default"})", Constant(OperatorName{"aten::relu"})},
      {R"({"as_tensors": [{"name": "x"}, {"name": "sum"}]})", List{x, sum}},
      {R"({"as_tensors": []})", List{}},
      {R"({"as_optional_tensor": {"as_none": true}})", Constant(None{})},
      {R"({"as_optional_tensor": {"as_tensor": {"name": "x"}}})", x},
      {R"({"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "x"}}]})",
       List{Constant(None{}), x}},
      {R"({"as_nested_tensors": [[{"name": "x"}], [{"name": "x"}, {"name": "sum"}]]})",
       List{List{x}, List{x, sum}}},
      {R"({"as_int_lists": [[1], [2, 3]]})", List{integers({1}), integers({2, 3})}},
      {R"({"as_float_lists": [[1.5]]})", List{Constant(std::vector<double>{1.5})}},
      {R"({"as_string_to_argument": {"k": {"as_int": 1}}})",
       Argument::Dict{{"k", Constant(std::int64_t{1})}}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.json);
    const auto archive = with_argument(row.json);
    if (!archive) FAIL(archive.error().message());
    const auto& graph = archive->module.graph;
    CHECK(graph.node(graph.last()).arguments[0].value == row.expected);
    const auto written = write_pt2(archive->module, {});
    if (!written) FAIL(written.error().message());
    const auto again = read_pt2(Bytes::borrow(*written));
    if (!again) FAIL(again.error().message());
    CHECK(equal(graph, again->module.graph));
  }
}

TEST_CASE("symbolic values mix with numbers in a list") {
  std::string program = test::replaced(test::small_program, R"("sym_int_values": {})",
                                       R"j("sym_int_values": {"n": {"as_expr": {"expr_str":
      "Symbol('s0', positive=True, integer=True)", "hint": {"as_int": 4}}}})j");
  program = test::replaced(
      program, R"("outputs": [{"as_tensor": {"name": "sum"}}])",
      R"("outputs": [{"as_tensor": {"name": "sum"}}, {"as_sym_int": {"as_name": "n"}}])");
  program = test::replaced(program, R"({"as_tensor": {"name": "sum"}}, "kind")",
                           R"({"as_sym_ints": [{"as_name": "n"}, {"as_int": 3}]}, "kind")");
  const auto archive = read_pt2(test::zip(test::today(program)));
  if (!archive) FAIL(archive.error().message());
  const auto& graph = archive->module.graph;
  const auto* items = graph.node(graph.last()).arguments[0].value.list();
  REQUIRE(items);
  CHECK(graph.value(*(*items)[0].value()).kind == ValueKind::sym_int);
  CHECK(to_string(graph.value(*(*items)[0].value()).symbolic) == "s0");
  CHECK(*(*items)[1].get<std::int64_t>() == 3);
}

TEST_CASE("old unions name every kind and leave all but one null") {
  const auto archive = with_argument(R"({"as_none": null, "as_int": 5, "as_float": null})");
  REQUIRE(archive);
  const auto& graph = archive->module.graph;
  CHECK(*graph.node(graph.last()).arguments[0].value.get<std::int64_t>() == 5);
}

TEST_CASE("a result list, and results that nobody uses, keep their places") {
  std::string program =
      test::replaced(test::small_program, R"("outputs": [{"as_tensor": {"name": "sum"}}])",
                     R"("outputs": [{"as_none": true}, {"as_tensors": [{"name": "sum"}]}])");
  const auto archive = read_pt2(test::zip(test::today(program)));
  REQUIRE(archive);
  const auto& graph = archive->module.graph;
  const Node& node = graph.node(graph.first());
  CHECK(node.result_lengths == SmallVector<std::int32_t, 2>{Node::single, 1});
  CHECK_FALSE(node.outputs[0].valid());
  CHECK(graph.value(node.outputs[1]).name == "sum");
}

TEST_CASE("targets have a canonical spelling, and the file's again") {
  struct Row {
    const char* file;
    const char* ours;
  };
  const Row rows[] = {
      {"torch.ops.aten.add.Tensor", "aten::add.Tensor"},
      {"torch.ops.aten.relu.default", "aten::relu"},
      {"_operator.floordiv", "operator::floordiv"},
      {"math.ceil", "math::ceil"},
      {"torch.sym_max", "torch::sym_max"},
      {"torch._sym_sqrt", "torch::_sym_sqrt"},
      {"torch.ops.higher_order.cond", "higher_order::cond"},
      {"torch.ops.my_ops.fast.default", "my_ops::fast"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.file);
    CHECK(canonical_target(row.file) == row.ours);
    CHECK(canonical_target(row.ours) == row.ours);
    CHECK(python_target(row.ours) == row.file);
  }
  CHECK(canonical_target("aten.add.Tensor") == "aten::add.Tensor");
  for (const char* none : {"", "relu", ".relu", "aten."}) CHECK(canonical_target(none).empty());
}
