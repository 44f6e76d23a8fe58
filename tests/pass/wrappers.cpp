// Tests of the inlining of wrappers.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/graph/lint.hpp>
#include <treadle/graph/parse.hpp>
#include <treadle/graph/print.hpp>
#include <treadle/pass/inline_wrappers.hpp>

#include "graphs.hpp"

using namespace treadle;

namespace {
std::string inlined(std::string_view text) {
  GraphBody graph = test::graph_of(text);
  const auto changed = inline_wrappers(graph);
  if (!changed) return changed.error().message();
  CHECK(*changed);
  test::check_lint(graph);
  return print(graph);
}
}  // namespace

TEST_CASE("every kind of wrapper gives way to its body") {
  const char* calls[] = {
      "higher_order::wrap_with_set_grad_enabled(False, BODY, %x, %y)",
      "higher_order::invoke_subgraph(BODY, \"subgraph_0\", %x, %y)",
      "higher_order::run_const_graph(BODY, [%x, %y])",
      "higher_order::strict_mode(BODY, [%x, %y])",
      "higher_order::hints_wrapper(BODY, [%x, %y], {}, {\"unroll\": 2})",
      "higher_order::wrap(BODY, %x, %y)",
      "higher_order::tag_activation_checkpoint(BODY, %x, %y)",
      "higher_order::wrap_with_autocast(\"cpu\", bfloat16, False, False, BODY, %x, %y)",
      "higher_order::wrap_with_autocast(\"cuda\", float16, True, False, BODY, %x, %y)",
  };
  for (std::string call : calls) {
    CAPTURE(call);
    call.replace(call.find("BODY"), 4,
                 "graph \"body\"(%a: float32[2], %b: float32[2]):\n"
                 "  %m: float32[2] = aten::mul.Tensor(self=%a, other=%b)\n"
                 "  %n: float32[2] = aten::neg(self=%m)\n  return (%n, %m)");
    CHECK(inlined(concat("graph(%x: float32[2], %y: float32[2]):\n  %p: float32[2], %q: "
                         "float32[2] = ",
                         call, "\n  %z: float32[2] = aten::add.Tensor(self=%p, other=%q)\n",
                         "  return (%z, %p)")) ==
          "graph(%x: float32[2], %y: float32[2]):\n"
          "  %m: float32[2] = aten::mul.Tensor(self=%x, other=%y)\n"
          "  %n: float32[2] = aten::neg(self=%m)\n"
          "  %z: float32[2] = aten::add.Tensor(self=%n, other=%m)\n"
          "  return (%z, %n)\n");
  }
}

TEST_CASE("constants go into bodies and come out of them") {
  CHECK(
      inlined("graph(%x: float32[2]):\n"
              "  %y: float32[2], %n: sym_int, %same: float32[2] = higher_order::invoke_subgraph(\n"
              "    graph \"g\"(%a: float32[2], %k: sym_int):\n"
              "      %b: float32[2] = aten::mul.Tensor(self=%a, other=%k)\n"
              "      return (%b, 7, %a), \"g\", %x, 3)\n"
              "  %z: float32[2] = aten::add.Tensor(self=%y, other=%n)\n"
              "  return (%z, %same)") ==
      "graph(%x: float32[2]):\n"
      "  %b: float32[2] = aten::mul.Tensor(self=%x, other=3)\n"
      "  %z: float32[2] = aten::add.Tensor(self=%b, other=7)\n"
      "  return (%z, %x)\n");
}

TEST_CASE("wrappers inside wrappers and inside branches are found") {
  CHECK(inlined("graph(%x: float32[2], %p: bool[]):\n"
                "  %y: float32[2] = higher_order::wrap(\n"
                "    graph \"g\"(%a: float32[2], %q: bool[]):\n"
                "      %b: float32[2] = higher_order::cond(%q,\n"
                "        graph \"t\"(%c: float32[2]):\n"
                "          %d: float32[2] = higher_order::wrap(\n"
                "            graph \"h\"(%e: float32[2]):\n"
                "              %f: float32[2] = aten::neg(self=%e)\n"
                "              return (%f), %c)\n"
                "          return (%d),\n"
                "        graph \"f\"(%c: float32[2]):\n"
                "          return (%c), [%a])\n"
                "      return (%b), %x, %p)\n"
                "  return (%y)")
            .find("wrap") == std::string::npos);
}

TEST_CASE("autocast regions convert what PyTorch converts") {
  const std::string text = inlined(
      "graph(%x: float32[2, 2], %w: float32[2, 2], %d: float64[2, 2]):\n"
      "  %y: bfloat16[2, 2], %l: float32[], %e: bfloat16[2, 2], %o: float32[2, 2]"
      " = higher_order::wrap_with_autocast(\"cpu\", bfloat16, True, False,\n"
      "    graph \"g\"(%a: float32[2, 2], %b: float32[2, 2], %c: float64[2, 2]):\n"
      "      %m: bfloat16[2, 2] = aten::linear(input=%a, weight=%b, bias=None)\n"
      "      %r: bfloat16[2, 2] = aten::relu(self=%m)\n"
      "      %s: float32[] = aten::mse_loss(self=%r, target=%a)\n"
      "      %q: float64[2, 2] = aten::mm(self=%c, mat2=%c)\n"
      "      %t: bfloat16[2, 2] = aten::einsum(equation=\"ij,jk\", tensors=[%a, %a])\n"
      "      %u: float32[2, 2] = higher_order::wrap_with_autocast(\"cpu\", None, False, False,\n"
      "        graph \"h\"(%v: float32[2, 2]):\n"
      "          %k: float32[2, 2] = aten::mm(self=%v, mat2=%v)\n"
      "          return (%k), %a)\n"
      "      return (%r, %s, %t, %u), %x, %w, %d)\n"
      "  return (%y, %l, %e, %o)");
  CAPTURE(text);
  const auto has = [&](std::string_view piece) { return text.find(piece) != std::string::npos; };
  CHECK(has("aten::linear(input=%a_cast, weight=%b_cast, bias=None)"));
  CHECK(has("%a_cast: bfloat16[2, 2] = aten::to.dtype(self=%x, dtype=bfloat16)"));
  CHECK(has("%r_cast: float32[2, 2] = aten::to.dtype(self=%r, dtype=float32)"));
  CHECK(has("aten::mse_loss(self=%r_cast, target=%x)"));
  CHECK(has("aten::mm(self=%d, mat2=%d)"));
  CHECK(has("aten::einsum(equation=\"ij,jk\", tensors=[%a_cast_1, %a_cast_1])"));
  CHECK(has("%k: float32[2, 2] = aten::mm(self=%x, mat2=%x)"));
}

TEST_CASE("a wrapper that contradicts itself is an error that names the node") {
  struct Row {
    const char* call;
    const char* message;
  };
  const Row rows[] = {
      {"higher_order::wrap(%x)", "expected a subgraph, found none"},
      {"higher_order::wrap(graph \"g\"(%a: float32[2]): return (%a))",
       "its subgraph takes 1 inputs, found 0 operands"},
      {"higher_order::wrap(graph \"g\"(%a: float32[2]): return (%a, %a), %x)",
       "its subgraph gives 2 results, the node has 1"},
      {"higher_order::wrap_with_autocast(1, graph \"g\"(%a: float32[2]): return (%a), %x)",
       "expected a device type, a dtype and whether autocast is on"},
  };
  for (const auto& row : rows)
    CHECK(
        inlined(concat("graph(%x: float32[2]):\n  %y: float32[2] = ", row.call, "\n  return (%y)"))
            .find(concat("node 'y' ")) == 0);
  for (const auto& row : rows)
    CHECK(
        inlined(concat("graph(%x: float32[2]):\n  %y: float32[2] = ", row.call, "\n  return (%y)"))
            .find(row.message) != std::string::npos);
}

TEST_CASE("a graph without wrappers stays as it is") {
  GraphBody graph = test::graph_of(
      "graph(%x: float32[2]):\n  %y: float32[2] = aten::neg(self=%x)\n  return (%y)");
  const auto before = print(graph);
  const auto changed = inline_wrappers(graph);
  REQUIRE(changed);
  CHECK(!*changed);
  CHECK(print(graph) == before);
}
