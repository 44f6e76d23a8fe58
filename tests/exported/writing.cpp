// Tests of writing program files, and of the text form of recorded programs.
#include <string>

#include <doctest/doctest.h>

#include <treadle/exported/read.hpp>
#include <treadle/exported/srepr.hpp>
#include <treadle/exported/write.hpp>
#include <treadle/graph/lint.hpp>
#include <treadle/graph/parse.hpp>
#include <treadle/graph/print.hpp>
#include <treadle/symbolic/parse.hpp>

#include "exported/pt2.hpp"

using namespace treadle;

TEST_CASE("a recorded program prints to text that parses to an equal one, and lint finds nothing") {
  for (const auto& name : test::golden_names()) {
    CAPTURE(name);
    const auto archive = read_pt2(test::golden(name));
    if (!archive) FAIL(archive.error().message());
    for (const auto& error : lint(archive->module)) FAIL_CHECK(error.message());
    const auto text = print(archive->module, {.metadata = true});
    const auto parsed = parse_module(text);
    if (!parsed) FAIL(parsed.error().message());
    CHECK(equal(parsed->graph, archive->module.graph));
    CHECK(parsed->signature == archive->module.signature);
    CHECK(parsed->ranges == archive->module.ranges);
    CHECK(parsed->guards == archive->module.guards);
    CHECK(print(*parsed, {.metadata = true}) == text);
  }
}

TEST_CASE("a file that was read is written in today's layout and reads back equal") {
  for (const auto& name : test::golden_names()) {
    CAPTURE(name);
    const auto archive = read_pt2(test::golden(name));
    REQUIRE(archive);
    ArchiveContents contents;
    contents.weights = archive->weights;
    contents.sample_inputs = archive->sample_inputs;
    const auto bytes = write_pt2(archive->module, contents);
    if (!bytes) FAIL(bytes.error().message());
    const auto again = read_pt2(Bytes::borrow(*bytes));
    if (!again) FAIL(again.error().message());
    CHECK(again->layout == ArchiveLayout::archive);
    CHECK(again->schema_minor == 20);
    CHECK(equal(again->module.graph, archive->module.graph));
    CHECK(again->module.signature == archive->module.signature);
    CHECK(again->weights.size() == archive->weights.size());
    CHECK(again->sample_inputs.text() == archive->sample_inputs.text());
    for (const auto& weight : archive->weights) {
      const auto* other = again->find_weight(weight.fqn);
      REQUIRE(other);
      CHECK(other->meta == weight.meta);
      CHECK(other->storage.text() == weight.storage.text());
      CHECK(other->is_param == weight.is_param);
    }
  }
}

TEST_CASE("storages stay shared and equal programs give equal files") {
  const auto archive = read_pt2(test::golden("2.8.0_shared_storage"));
  REQUIRE(archive);
  ArchiveContents contents;
  contents.weights = archive->weights;
  const auto bytes = write_pt2(archive->module, contents);
  REQUIRE(bytes);
  const auto again = read_pt2(Bytes::borrow(*bytes));
  REQUIRE(again);
  CHECK(again->find_weight("left")->storage_id == again->find_weight("right")->storage_id);
  CHECK(*write_pt2(archive->module, contents) == *bytes);
}

TEST_CASE("a list that mixes sizes, tensors and None is written with their names") {
  auto archive = read_pt2(TREADLE_GOLDEN_DIR "/programs/sized_operands.pt2");
  if (!archive) FAIL(archive.error().message());
  auto& graph = archive->module.graph;
  bool mixed = false;
  for (const NodeId node : graph.nodes()) {
    if (graph.node(node).target != "higher_order::cond") continue;
    auto arguments = graph.node(node).arguments;
    auto operands = *arguments.back().value.list();
    operands.insert(operands.begin() + 1, Constant(None{}));
    for (const bool optional : {false, true}) {
      if (optional) {
        arguments.back().value = operands;
        graph.set_arguments(node, arguments);
      }
      const auto bytes = write_pt2(archive->module, {});
      if (!bytes) FAIL(bytes.error().message());
      const auto again = read_pt2(Bytes::borrow(*bytes));
      if (!again) FAIL(again.error().message());
      CHECK(equal(again->module.graph, graph));
    }
    mixed = true;
  }
  CHECK(mixed);
}

TEST_CASE("what a file says of submodules' calls is written back as it was") {
  const std::string root = R"([{"fqn": "", )";
  const std::string call = R"({"fqn": "block.0", "signature": {"inputs": [{"as_tensor": )"
                           R"({"name": "x"}}], "outputs": [], "in_spec": "[1, 2.5]", )"
                           R"("forward_arg_names": null, "large": 18446744073709551615}})";
  const auto program =
      test::replaced(test::small_program, root,
                     "[" + call + R"(, {"fqn": "block", "signature": null}, )" + root.substr(1));
  const auto archive = read_pt2(test::zip(test::today(program)));
  if (!archive) FAIL(archive.error().message());
  REQUIRE(archive->module.calls.size() == 2);
  CHECK(archive->module.calls[1].signature.empty());
  ArchiveContents contents;
  contents.weights = archive->weights;
  const auto bytes = write_pt2(archive->module, contents);
  REQUIRE(bytes);
  const std::string_view written(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  CHECK(written.find(call + R"(, {"fqn": "block", "signature": null}])") != std::string::npos);
}

TEST_CASE("a graph that lint finds broken, or that the schema has no form for, is not written") {
  auto archive = read_pt2(test::zip(test::today()));
  REQUIRE(archive);
  auto& graph = archive->module.graph;
  graph.set_arguments(graph.last(),
                      {{"self", Argument::List{Constant(None{}), Constant(true)}, false}});
  const auto mixed = write_pt2(archive->module, {});
  REQUIRE_FALSE(mixed);
  CHECK(mixed.error().message() ==
        "node 'y' (aten::relu): a list of mixed kinds has no form in the export schema");
  archive->module.signature.inputs.pop_back();
  CHECK_FALSE(write_pt2(archive->module, {}));
}

TEST_CASE("expressions are written as SymPy's srepr and read back equal") {
  const char* texts[] = {"s0",
                         "u0 + 1",
                         "2 * s0 * s1 - 3",
                         "(s0 - s1) // 3",
                         "s0 % 4",
                         "s0 ** 2",
                         "s0 / s1",
                         "Max(1, s0, s1)",
                         "Min(8, s0)",
                         "s0 >= 2 and s1 != 3 or not u0 < 1",
                         "TruncToInt(s0 / 2)",
                         "ceiling(s0 / 3)",
                         "Abs(u0)",
                         "sqrt(s0)",
                         "ToFloat(s0) * 0.5",
                         "s0 if s0 > 2 else 1",
                         "s0 << 2"};
  for (const char* text : texts) {
    CAPTURE(text);
    const auto expr = parse_expr(text);
    if (!expr) FAIL(expr.error().message());
    const std::string form = srepr(*expr);
    CAPTURE(form);
    const auto again = parse_expr(form);
    if (!again) FAIL(again.error().message());
    CAPTURE(to_string(*again));
    CHECK(equal(*again, *expr));
  }
  CHECK(srepr(*parse_expr("2 * s0 + 1")) ==
        "Add(Mul(Symbol('s0', positive=True, integer=True), Integer(2)), Integer(1))");
}
