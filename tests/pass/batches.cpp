// Tests of the inlining of batch regions.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/graph/print.hpp>
#include <treadle/pass/inline_batches.hpp>

#include "graphs.hpp"

using namespace treadle;

namespace {

/// Brackets are written with a `$` for their namespace.
std::string spelled(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '$')
      out += "torch::_functorch.predispatch.";
    else
      out += c;
  }
  return out;
}

std::string inlined(std::string_view text, bool expect_change = true) {
  GraphBody graph = test::graph_of(spelled(text));
  const auto changed = inline_batches(graph);
  if (!changed) return changed.error().message();
  CHECK(*changed == expect_change);
  test::check_lint(graph);
  return print(graph);
}

const std::string nested =
    "graph(%x: float32[4, 3], %y: float32[3]):\n"
    "  $lazy_load_decompositions() @l\n"
    "  $_vmap_increment_nesting(4, \"error\") @o1\n"
    "  %row: float32[3] = $_add_batch_dim(%x, 0, 1)\n"
    "  $_vmap_increment_nesting(3, \"error\") @o2\n"
    "  %one: float32[] = $_add_batch_dim(%row, 0, 2)\n"
    "  %s: float32[] = aten::sin(self=%one)\n"
    "  %r: float32[3] = $_remove_batch_dim(%s, 2, 3, 0)\n"
    "  $_vmap_decrement_nesting() @c2\n"
    "  %z: float32[3] = aten::add.Tensor(self=%r, other=%y)\n"
    "  %out: float32[3, 4] = $_remove_batch_dim(%z, 1, 4, 1)\n"
    "  $_vmap_decrement_nesting() @c1\n"
    "  return (%out)";

}  // namespace

TEST_CASE("nested batch regions become nested maps") {
  const std::string text = inlined(nested);
  CAPTURE(text);
  CHECK(text.find("predispatch") == std::string::npos);
  const auto outer = text.find("higher_order::map_impl");
  REQUIRE(outer != std::string::npos);
  CHECK(text.find("higher_order::map_impl", outer + 1) != std::string::npos);
  CHECK(text.find("[%x], [%y])") != std::string::npos);
  CHECK(text.find("aten::movedim.int(self=%out_1, source=0, destination=1)") != std::string::npos);
}

TEST_CASE("a batch over another dimension is moved to the front, and constants stay outside") {
  const std::string text = inlined(
      "graph(%x: float32[4, 3]):\n"
      "  $_vmap_increment_nesting(3, \"error\") @o\n"
      "  %row: float32[4] = $_add_batch_dim(%x, -1, 1)\n"
      "  %ones: float32[4] = aten::ones(size=[4])\n"
      "  %z: float32[4] = aten::add.Tensor(self=%row, other=%ones)\n"
      "  %a: float32[3, 4] = $_remove_batch_dim(%z, 1, 3, 0)\n"
      "  %b: float32[3, 4] = $_remove_batch_dim(%ones, 1, 3, 0)\n"
      "  $_vmap_decrement_nesting() @c\n"
      "  return (%a, %b)");
  CAPTURE(text);
  CHECK(text.find("aten::movedim.int(self=%x, source=-1, destination=0)") != std::string::npos);
  CHECK(text.find("\n  %ones: float32[4] = aten::ones") != std::string::npos);
  CHECK(text.find("[%moved], [%ones])") != std::string::npos);
}

TEST_CASE("a region with other brackets inside stays as it is") {
  const std::string text =
      "graph(%x: float32[4]):\n"
      "  $_vmap_increment_nesting(4, \"error\") @o\n"
      "  %row: float32[] = $_add_batch_dim(%x, 0, 1)\n"
      "  $_enter_dual_level() @d\n"
      "  %a: float32[4] = $_remove_batch_dim(%row, 1, 4, 0)\n"
      "  $_vmap_decrement_nesting() @c\n"
      "  return (%a)\n";
  CHECK(inlined(text, false) == spelled(text));
}
