// Tests of program files that lie.
#include <string>

#include <doctest/doctest.h>

#include <treadle/exported/read.hpp>

#include "exported/pt2.hpp"

using namespace treadle;

namespace {
struct Row {
  const char* from;
  const char* to;
  ErrorCode code;
  const char* message;
};
void check(const Result<ExportedArchive>& result, const Row& row) {
  CAPTURE(row.from);
  CAPTURE(row.to);
  REQUIRE_FALSE(result);
  CAPTURE(result.error().message());
  CHECK(result.error().code() == row.code);
  CHECK(result.error().message().find(row.message) != std::string::npos);
}
constexpr auto corrupt = ErrorCode::corrupt_file;
constexpr auto unsupported = ErrorCode::unsupported_file;
}  // namespace

TEST_CASE("the program that the hostile ones are made from is good") {
  const auto archive = read_pt2(test::zip(test::today()));
  if (!archive) FAIL(archive.error().message());
  CHECK(archive->module.graph.node_count() == 2);
  CHECK(archive->notes.empty());
}

TEST_CASE("a program that contradicts itself is refused with the place") {
  const Row rows[] = {
      {R"("major": 8)", R"("major": 9)", unsupported, "major version 9, expected 2 to 8"},
      {R"("major": 8)", R"("major": -1)", unsupported, "major version -1"},
      {R"("major": 8, )", "", corrupt, "'major' is missing"},
      {R"("schema_version")", R"("version")", corrupt, "'schema_version' is missing"},
      {R"("graph_module")", R"("graph")", corrupt, "'graph_module' is missing"},
      {R"("nodes": [)", R"("nodes": 3, "more": [)", corrupt, "'nodes' is an integer"},
      {R"("nodes": [)", R"("nodes": [7, )", corrupt, "node 0: 'node' is an integer"},
      {R"("target": "torch.ops.aten.relu.default")", R"("t": 1)", corrupt,
       "node 1 'y': 'target' is missing"},
      {"torch.ops.aten.relu.default", "relu", corrupt, "node 1 'y' ('relu')"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_tensor": {"name": "y"}}, "kind")",
       corrupt, "argument 0 'self': value 'y' is used before it is defined"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_tensor": {"name": "z"}}, "kind")",
       corrupt, "value 'z' is used but defined nowhere"},
      {R"("outputs": [{"as_tensor": {"name": "sum"}}])",
       R"("outputs": [{"as_tensor": {"name": "x"}}])", corrupt,
       "node 0 'sum' ('torch.ops.aten.add.Tensor'): result 0: value 'x' is defined twice"},
      {R"("outputs": [{"as_tensor": {"name": "sum"}}])",
       R"("outputs": [{"as_tensor": {"name": ""}}])", corrupt, "a value without a name"},
      {R"("outputs": [{"as_tensor": {"name": "sum"}}])",
       R"("outputs": [{"as_tensors": [{"nom": "a"}]}])", unsupported,
       "result 0: 'result' is of the unknown kind 'nom'"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_rocket": 1}, "kind")", unsupported,
       "argument 0 'self': 'argument' is of the unknown kind 'as_rocket'"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_int": 1, "as_bool": true}, "kind")",
       corrupt, "has both 'as_int' and 'as_bool'"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_int": null}, "kind")", corrupt,
       "is a union without a value"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_int": 99999999999999999999}, "kind")",
       corrupt, "expected an integer"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_int": 9223372036854775808}, "kind")",
       corrupt, "'as_int' is a large integer"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_scalar_type": 99}, "kind")",
       unsupported, "unknown code 99"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_float": "many"}, "kind")", corrupt,
       "expected a float"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")", R"({"as_sym_int": {"as_name": "sum"}}, "kind")",
       corrupt, "value 'sum' is a tensor, used as a sym_int"},
      {R"({"as_tensor": {"name": "sum"}}, "kind")",
       R"({"as_device": {"type": "cuda", "index": 99999}}, "kind")", corrupt,
       "has the index 99999"},
      {R"("x": {"dtype": 7)", R"("x": {"dtype": 0)", corrupt, "'dtype' is UNKNOWN"},
      {R"("x": {"dtype": 7)", R"("x": {"dtype": 77)", unsupported,
       "'dtype' has the unknown code 77"},
      {R"("x": {"dtype": 7, "sizes": [{"as_int": 2})",
       R"("x": {"dtype": 7, "sizes": [{"as_int": -2})", corrupt,
       "graph input 1: value 'x': 'sizes' is negative: -2"},
      {R"("x": {"dtype": 7, "sizes": [{"as_int": 2},)", R"("x": {"dtype": 7, "sizes": [)", corrupt,
       "'sizes' has 1 entries and 'strides' 2"},
      {R"("x": {"dtype": 7, "sizes": [{"as_int": 2})",
       R"("x": {"dtype": 7, "sizes": [{"as_int": 9223372036854775807})", ErrorCode::limit_exceeded,
       "max_tensor_elements"},
      {R"("x": {"dtype": 7, "sizes": [{"as_int": 2})",
       R"j("x": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": "Rocket(1)"}})j", unsupported,
       "expression 'Rocket(1)'"},
      {R"("x": {"dtype": 7, "sizes")", R"("x2": {"dtype": 7, "sizes")", corrupt,
       "value 'x' is not in the table of tensor values"},
      {R"("sym_int_values": {})", R"("sym_int_values": {"x": {"as_int": 1}})", corrupt,
       "value 'x' is in the tables twice"},
      {R"({"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},)", "", corrupt,
       "'input_specs' has 1 entries, the graph 2 inputs"},
      {R"([{"user_output": {"arg": {"as_tensor": {"name": "y"}}}}])", "[]", corrupt,
       "'output_specs' has 0 entries"},
      {R"({"parameter": {"arg": {"name": "p_w"})", R"({"parameter": {"arg": {"name": "x"})",
       corrupt, "input spec 0: names 'x', but the graph input is 'p_w'"},
      {R"("parameter_name": "w")", R"("parameter_name": "")", corrupt, "'parameter_name' is empty"},
      {R"({"user_output": {"arg": {"as_tensor": {"name": "y"}}})",
       R"({"buffer_mutation": {"arg": {"name": "y"}, "buffer_name": "w"})", corrupt,
       "output spec 0: a buffer_mutation writes 'w', which is no buffer"},
      {R"({"user_output": {"arg")", R"({"rocket": {"arg")", unsupported, "unknown kind 'rocket'"},
      {R"("min_val": 2)", R"("min_val": 20)", corrupt, "range of 's0' is empty: 20 to 9"},
      {R"("out_spec": "[1,)", R"("out_spec": "[2,)", unsupported, "a tree spec of version 2"},
      {R"("out_spec": "[1,)", R"("out_spec": "[)", corrupt, "2 items"},
      {R"("out_spec": "[1, {)", R"("out_spec": "[1, {{)", corrupt, "out_spec: broken JSON at byte"},
      {R"("out_spec": "[1, {\"type\": null)", R"("out_spec": "[1, {\"type\": \"builtins.tuple\")",
       corrupt, "'out_spec' has 0 leaves, the signature 1"},
      {R"(\"context\": \"[]\")", R"(\"context\": \"[\\\"k\\\"]\")", corrupt,
       "1 keys and 0 children"},
  };
  for (const auto& row : rows)
    check(read_pt2(test::zip(test::today(test::replaced(test::small_program, row.from, row.to)))),
          row);
}

TEST_CASE("weights that do not fit are refused by name") {
  const Row rows[] = {
      {R"("storage_offset": {"as_int": 0})", R"("storage_offset": {"as_int": 1})", corrupt,
       "weight 'w' float32[2, 3] with strides [3, 1] and offset 1 needs 28 bytes of a storage of "
       "24"},
      {R"("strides": [{"as_int": 3})", R"("strides": [{"as_int": 9223372036854775807})", corrupt,
       "weight 'w' has impossible sizes"},
      {R"({"as_int": 2})", R"({"as_int": 1})", corrupt,
       "weight 'w' is float32[1, 3], the graph says float32[2, 3]"},
      {R"("dtype": 7)", R"("dtype": 4)", corrupt,
       "weight 'w' is int32[2, 3], the graph says float32"},
      {R"({"as_int": 2})", R"j({"as_expr": {"expr_str": "Symbol('s0')", "hint": null}})j", corrupt,
       "'tensor_meta' has symbolic sizes"},
      {"weight_0", "weight_1", corrupt, "weight_1"},
      {"weight_0", "opaque_obj_0", unsupported, "an opaque Python object"},
      {R"("config")", R"("conf")", corrupt, "'config' is missing"},
      {R"("is_param": true,)", "", corrupt, "'is_param' is missing"},
      {R"("use_pickle": false)", R"("use_pickle": true)", corrupt, "weight"},
  };
  for (const auto& row : rows)
    check(read_pt2(test::zip(test::today(test::small_program,
                                         test::replaced(test::small_weights, row.from, row.to)))),
          row);
}

TEST_CASE("files of another kind are refused with what was expected") {
  auto records = test::today();
  records[5].second = "big";
  check(read_pt2(test::zip(records)), {"", "", unsupported, "'byteorder' is 'big'"});
  records = test::today();
  records[3].second = "zip";
  check(read_pt2(test::zip(records)), {"", "", unsupported, "'archive_format' is 'zip'"});
  records = test::today();
  records[4].second = "x1";
  check(read_pt2(test::zip(records)), {"", "", corrupt, "'archive_version' is 'x1'"});
  check(read_pt2(test::zip({{"a/b", "c"}})),
        {"", "", unsupported, "the file is no exported program"});
  check(read_pt2(test::zip(test::today("{\"a\": "))), {"", "", corrupt, "broken JSON at byte"});
  check(read_pt2(test::zip(test::today("[]"))), {"", "", corrupt, "expected an object"});
}

TEST_CASE("limits hold before the work is done") {
  LoadLimits limits;
  limits.max_depth = 5;
  check(read_pt2(test::zip(test::today()), limits),
        {"", "", ErrorCode::limit_exceeded, "max_depth = 5"});
  limits = {};
  limits.max_graph_nodes = 1;
  check(read_pt2(test::zip(test::today()), limits),
        {"", "", ErrorCode::limit_exceeded, "max_graph_nodes = 1"});
  limits = {};
  limits.max_json_bytes = 100;
  check(read_pt2(test::zip(test::today()), limits),
        {"", "", ErrorCode::limit_exceeded, "max_json_bytes = 100"});
  limits = {};
  limits.max_rank = 1;
  check(read_pt2(test::zip(test::today()), limits),
        {"", "", ErrorCode::limit_exceeded, "max_rank = 1"});
  const std::string deep(100'000, '[');
  check(read_pt2(test::zip(test::today(deep))), {"", "", ErrorCode::limit_exceeded, "max_depth"});
}

TEST_CASE("a program cut off anywhere is an error") {
  const std::string& whole = test::small_program;
  for (std::size_t length = 0; length < whole.size(); length += 37) {
    CAPTURE(length);
    CHECK_FALSE(read_pt2(test::zip(test::today(whole.substr(0, length)))));
  }
}
