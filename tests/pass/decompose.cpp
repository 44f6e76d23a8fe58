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
/// Every kind of operand.
Status medley(Decomposition& d) {
  auto parts = d.make_list({d[0]});
  for (int i = 0; i < 20; ++i) parts.push_back(d.integer(i));
  parts = d.make_list(Operands(parts).first(1));
  parts.append({d[0], d.as_dtype(d[0], DType::float32)});
  const Operand rows = d.call("aten::cat", {d.list(parts), d.integer(0)});
  const Operand sizes = d.size_list({d.multiply(d.size(rows, 0), d.size(rows, 1))});
  const Operand flat = d.call("aten::reshape", {rows, sizes});
  const Operand ones = d.call("aten::ones", {d.integers({18})}, DType::float64);
  const Operand sum = d.call("aten::add.Tensor", {flat, ones}, {{"alpha", d.real(0.5)}});
  return d.give(d.call("aten::gelu", {sum, d.string("tanh")}));
}
Status comparisons(Decomposition& d) {
  const Operand one = d.integer(1);
  const bool right = one == d.integer(1) && one != d.integer(2) && one.is(1) && !one.is(2) &&
                     Operand() == d.none() && one != d.none() && d[0] == d[0] && d[0] != one &&
                     d.constant(Argument()) == d.none() && !d.real(1).is(1) && !d[0].constant();
  return right ? d.give(d[0]) : d.fail("operands compare wrongly");
}
Status careless(Decomposition& d) {
  const Operand nothing = d.call("test::nowhere", {d[0]});
  const auto parts = d.call_all("aten::chunk", {nothing, d.integer(2)}, 2);
  return d.give_all({parts[1], d.multiply(d.size(parts[0], 7), d.size(d[0], 0))});
}

constexpr OpDef composites[] = {
    {"test::square(Tensor x) -> Tensor", nullptr, {}, {}, square},
    {"test::square_(Tensor(a!) x) -> Tensor(a!)", nullptr, {}, "test::square"},
    {"test::fourth(Tensor x) -> Tensor", nullptr, {}, {}, fourth},
    {"test::loop(Tensor x) -> Tensor", nullptr, {}, {}, itself},
    {"test::unknown(Tensor x) -> Tensor", nullptr, {}, {}, unknown},
    {"test::misfit(Tensor x) -> Tensor", nullptr, {}, {}, misfit},
    {"test::medley(Tensor x) -> Tensor", nullptr, {}, {}, medley},
    {"test::comparisons(Tensor x) -> Tensor", nullptr, {}, {}, comparisons},
    {"test::careless(Tensor x) -> Tensor", nullptr, {}, {}, careless},
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

TEST_CASE("definitions give lists, texts, dtypes and keyword arguments to calls") {
  CHECK(decomposed(one_call("test::medley")) ==
        "graph(%x: float32[2, 3]):\n"
        "  %to: float32[2, 3] = aten::to.dtype(self=%x, dtype=float32)\n"
        "  %cat: float32[6, 3] = aten::cat(tensors=[%x, %x, %to], dim=0)\n"
        "  %reshape: float32[18] = aten::reshape(self=%cat, shape=[18])\n"
        "  %ones: float64[18] = aten::ones(size=[18], *dtype=float64)\n"
        "  %add: float64[18] = aten::add.Tensor(self=%reshape, other=%ones, *alpha=0.5)\n"
        "  %y: float64[18] = aten::gelu(self=%add, *approximate=\"tanh\")\n"
        "  return (%y)\n");
}

TEST_CASE("operands are equal if what they refer to is") {
  CHECK(decomposed(one_call("test::comparisons")) == "graph(%x: float32[2, 3]):\n  return (%x)\n");
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
      {"test::careless", "'test::nowhere' is not known"},
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
