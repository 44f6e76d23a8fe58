// Tests of decomposition as a pass.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/graph/print.hpp>
#include <treadle/ops/decomposition.hpp>
#include <treadle/ops/decompositions.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/pass/decompose.hpp>

#include "graphs.hpp"

using namespace treadle;

namespace {

Status square(Decomposition& d) { return d.give(d.call("aten::mul.Tensor", {d[0], d[0]})); }
Status fourth(Decomposition& d) {
  return d.give(d.call("test::square", {d.call("test::square", {d[0]})}));
}
Status itself(Decomposition& d) { return d.give(d.call("test::loop", {d[0]})); }
Status unknown(Decomposition& d) { return d.give(d.call("test::nowhere", {d[0]})); }
Status misfit(Decomposition& d) { return d.give(d.call("aten::mm", {d[0], d[0]})); }

constexpr OpDef composites[] = {
    {"test::square(Tensor x) -> Tensor", nullptr, {}, {}, square},
    {"test::square_(Tensor(a!) x) -> Tensor(a!)", nullptr, {}, "test::square"},
    {"test::fourth(Tensor x) -> Tensor", nullptr, {}, {}, fourth},
    {"test::loop(Tensor x) -> Tensor", nullptr, {}, {}, itself},
    {"test::unknown(Tensor x) -> Tensor", nullptr, {}, {}, unknown},
    {"test::misfit(Tensor x) -> Tensor", nullptr, {}, {}, misfit},
};

std::string decomposed(std::string_view text, std::string_view kernel = {}) {
  OpSet ops = standard_ops();
  ops.add(composite_ops());
  ops.add(composites);
  GraphBody graph = test::graph_of(text);
  const auto changed =
      decompose(graph, ops, [&](std::string_view target) { return target == kernel; });
  if (!changed) return changed.error().message();
  test::check_lint(graph);
  return print(graph);
}

std::string one_call(std::string_view target) {
  return concat("graph(%x: float32[2, 3]):\n  %y: float32[2, 3] = ", target,
                "(x=%x)\n  return (%y)\n");
}

}  // namespace

TEST_CASE("a definition replaces its node and keeps the result's name") {
  CHECK(decomposed(one_call("test::square")) ==
        "graph(%x: float32[2, 3]):\n"
        "  %y: float32[2, 3] = aten::mul.Tensor(self=%x, other=%x)\n"
        "  return (%y)\n");
}

TEST_CASE("an operator with a kernel is left alone") {
  CHECK(decomposed(one_call("test::square"), "test::square") == one_call("test::square"));
}

TEST_CASE("definitions that lead to definitions are followed") {
  CHECK(decomposed(one_call("test::fourth")) ==
        "graph(%x: float32[2, 3]):\n"
        "  %square: float32[2, 3] = aten::mul.Tensor(self=%x, other=%x)\n"
        "  %y: float32[2, 3] = aten::mul.Tensor(self=%square, other=%square)\n"
        "  return (%y)\n");
}

TEST_CASE("an in-place form becomes the functional one and a copy") {
  CHECK(decomposed(one_call("test::square_")) ==
        "graph(%x: float32[2, 3]):\n"
        "  %square: float32[2, 3] = aten::mul.Tensor(self=%x, other=%x)\n"
        "  %y: float32[2, 3] = aten::copy_(self=%x, src=%square)\n"
        "  return (%y)\n");
}

TEST_CASE("in-place changes of sizes hold for later uses of the tensor alone") {
  CHECK(decomposed("graph(%x: float32[2]):\n"
                   "  %a: float32[2] = aten::neg(self=%x)\n"
                   "  %u: float32[1, 2] = aten::unsqueeze_(self=%x, dim=0)\n"
                   "  %b: float32[1, 2] = aten::neg(self=%x)\n"
                   "  return (%a, %b, %u)") ==
        "graph(%x: float32[2]):\n"
        "  %a: float32[2] = aten::neg(self=%x)\n"
        "  %u: float32[1, 2] = aten::unsqueeze(self=%x, dim=0)\n"
        "  %b: float32[1, 2] = aten::neg(self=%u)\n"
        "  return (%a, %b, %u)\n");
}

TEST_CASE("symbolic sizes stay symbolic") {
  const auto text = decomposed(
      "graph(%x: float32[s0, 3], %y: float32[3, s1]):\n"
      "  %z: float32[s1, s0] = aten::einsum(equation=\"ij,jk->ki\", tensors=[%x, %y])\n"
      "  return (%z)");
  CAPTURE(text);
  CHECK(text.find("aten::sym_size.int(self=%x, dim=0)") != std::string::npos);
  CHECK(text.find("%z: float32[s1, s0]") != std::string::npos);
  CHECK(text.find("einsum(") == std::string::npos);
}

TEST_CASE("definitions that fail name the node and the reason") {
  struct Row {
    const char* target;
    const char* message;
  };
  const Row rows[] = {
      {"test::loop", "its definition leads back to itself"},
      {"test::unknown", "'test::nowhere' is not known"},
      {"test::misfit", "aten::mm"},
  };
  for (const auto& row : rows) {
    const auto message = decomposed(one_call(row.target));
    CAPTURE(message);
    CHECK(message.find("node '") == 0);
    CHECK(message.find(row.message) != std::string::npos);
  }
}

TEST_CASE("equations that do not fit their operands are refused") {
  for (const char* equation : {"ij,jk->ik", "ijk->i", "i->i", "ij->k", "ij->ii", "i.->i", ""}) {
    CAPTURE(equation);
    const auto message =
        decomposed(concat("graph(%x: float32[2, 3]):\n  %y: float32[2] = "
                          "aten::einsum(equation=\"",
                          equation, "\", tensors=[%x])\n  return (%y)"));
    CHECK(message.find("node 'y' aten::einsum: ") == 0);
  }
}
