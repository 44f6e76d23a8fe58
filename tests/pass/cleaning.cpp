// Tests of dead node removal, and of the registry of passes.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/graph/print.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/pass/eliminate_dead.hpp>
#include <treadle/pass/pass_manager.hpp>

#include "graphs.hpp"

using namespace treadle;

namespace {
std::string cleaned(std::string_view text) {
  OpSet ops = standard_ops();
  ops.add_schema("my::pure(Tensor x) -> Tensor");
  ops.add_schema("my::tell(Tensor x) -> ()");
  GraphBody graph = test::graph_of(text);
  const auto changed = eliminate_dead(graph, ops);
  if (!changed) FAIL(changed.error().message());
  test::check_lint(graph);
  const std::string after = print(graph);
  CHECK(*changed == (after != print(test::graph_of(text))));
  return after;
}
std::string around(std::string_view line) {
  return concat("graph(%x: float32[2], %p: bool[]):\n  ", line, "\n  return (%x)\n");
}
}  // namespace

TEST_CASE("nodes that leave no trace go, with what only they used") {
  CHECK(cleaned("graph(%x: float32[2]):\n"
                "  %a: float32[2] = aten::neg(self=%x)\n"
                "  %b: float32[2] = aten::abs(self=%a)\n"
                "  %c: float32[2] = aten::relu(self=%a)\n"
                "  %d: float32[2] = my::pure(%b)\n"
                "  %n: sym_int = aten::sym_size.int(self=%x, dim=0)\n"
                "  return (%c)") ==
        "graph(%x: float32[2]):\n"
        "  %a: float32[2] = aten::neg(self=%x)\n"
        "  %c: float32[2] = aten::relu(self=%a)\n"
        "  return (%c)\n");
}

TEST_CASE("nodes that leave a trace stay") {
  const char* lines[] = {
      "%a: float32[2] = aten::add_.Tensor(self=%x, other=1)",
      "%a: float32[2] = aten::rand_like(self=%x)",
      "%a: float32[2] = other::unknown(%x)",
      "my::tell(%x)",
      // Training updates the running statistics although the schema does not say so.
      "%a: float32[2] = aten::batch_norm(input=%x, weight=None, bias=None, running_mean=%x, "
      "running_var=%x, training=True, momentum=0.1, eps=1e-05, cudnn_enabled=False)",
      "%a: float32[2] = higher_order::cond(%p, graph \"t\"(%b: float32[2]):\n"
      "      %c: float32[2] = aten::add_.Tensor(self=%b, other=1)\n"
      "      return (%c), graph \"f\"(%d: float32[2]):\n      return (%d), [%x])",
  };
  for (const char* line : lines) {
    CAPTURE(line);
    const auto text = print(test::graph_of(around(line)));
    CHECK(cleaned(text) == text);
  }
}

TEST_CASE("dead branches go, and dead nodes in live ones") {
  CHECK(cleaned(around("%a: float32[2] = higher_order::cond(%p, graph \"t\"(%b: float32[2]):\n"
                       "      return (%b), graph \"f\"(%d: float32[2]):\n"
                       "      return (%d), [%x])")) ==
        "graph(%x: float32[2], %p: bool[]):\n  return (%x)\n");
  CHECK(cleaned("graph(%x: float32[2], %p: bool[]):\n"
                "  %a: float32[2] = higher_order::cond(%p, graph \"t\"(%b: float32[2]):\n"
                "      %c: float32[2] = aten::neg(self=%b)\n"
                "      return (%b), graph \"f\"(%d: float32[2]):\n      return (%d), [%x])\n"
                "  return (%a)")
            .find("neg") == std::string::npos);
}

TEST_CASE("pipelines run their passes in order and report what changed") {
  OpSet ops = standard_ops();
  const auto passes = standard_passes(ops, [](std::string_view) { return true; });
  GraphModule module;
  module.graph = test::graph_of(
      "graph(%x: float32[2]):\n"
      "  %y: float32[2] = higher_order::wrap(graph \"g\"(%a: float32[2]):\n"
      "      %b: float32[2] = aten::neg(self=%a)\n      return (%b), %x)\n"
      "  return (%x)");
  module.signature.inputs.resize(1);
  module.signature.inputs[0].name = "x";
  module.signature.outputs.resize(1);
  const auto report = passes.run(module, "prepare");
  if (!report) FAIL(report.error().message());
  REQUIRE(report->passes.size() == 4);
  CHECK(report->passes[0] == std::pair<std::string, bool>("inline_wrappers", true));
  CHECK(report->passes[1].second == false);
  CHECK(report->passes[3] == std::pair<std::string, bool>("eliminate_dead", true));
  CHECK(report->changed());
  CHECK(module.graph.node_count() == 0);
  const auto again = passes.run(module, "prepare");
  REQUIRE(again);
  CHECK(!again->changed());
}

TEST_CASE("unknown passes, failing passes and pipelines in themselves are errors by name") {
  PassManager passes;
  passes.add("fail", [](GraphModule&) -> Result<bool> {
    return Error(ErrorCode::invalid_graph, "no luck");
  });
  passes.define("both", {"fail", "nowhere"});
  passes.define("round", {"round"});
  GraphModule module;
  const auto message = [&](std::string_view name) {
    const auto report = passes.run(module, name);
    REQUIRE(!report);
    return report.error().message();
  };
  CHECK(message("nowhere") == "there is no pass 'nowhere'");
  CHECK(message("both") == "pass 'fail': no luck");
  CHECK(message("round") == "pipeline 'round' contains itself");
}
