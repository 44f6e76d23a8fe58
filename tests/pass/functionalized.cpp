// Tests of the inlining of functional wrappers.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/graph/print.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/pass/inline_functionalized.hpp>

#include "graphs.hpp"

using namespace treadle;

namespace {
std::string inlined(std::string_view text) {
  OpSet ops;
  ops.add_schema("my::raise_(Tensor(a!) x, Tensor y, *, int by=1) -> Tensor");
  ops.add_schema("my::many_(Tensor(a!)[] xs, Tensor(b!)? y=None) -> ()");
  ops.add_schema("my::print(Tensor x, str text) -> ()");
  ops.add_schema("my::draw(Tensor x) -> Tensor");
  ops.add_schema("my::parts_(Tensor(a!) x) -> (Tensor[], Tensor)");
  GraphBody graph = test::graph_of(text);
  const auto changed = inline_functionalized(graph, ops);
  if (!changed) return changed.error().message();
  CHECK(*changed);
  test::check_lint(graph);
  return print(graph);
}
}  // namespace

TEST_CASE("the first form becomes copies and the operator on them") {
  CHECK(inlined("graph(%x: float32[2], %y: float32[2]):\n"
                "  %r: float32[2], %m: float32[2] = higher_order::auto_functionalized("
                "operator(my::raise_), *x=%x, *y=%y, *by=3) @af\n"
                "  return (%r, %m)") ==
        "graph(%x: float32[2], %y: float32[2]):\n"
        "  %x_copy: float32[2] = aten::clone(self=%x)\n"
        "  %r: float32[2] = my::raise_(x=%x_copy, y=%y, *by=3) @af\n"
        "  return (%r, %x_copy)\n");
}

TEST_CASE("written lists and absent tensors of the first form") {
  CHECK(inlined("graph(%x: float32[2], %y: float32[2]):\n"
                "  _, %a: float32[2], %b: float32[2] = higher_order::auto_functionalized("
                "operator(my::many_), *xs=[%x, %y], *y=None) @af\n"
                "  return (%a, %b)") ==
        "graph(%x: float32[2], %y: float32[2]):\n"
        "  %x_copy: float32[2] = aten::clone(self=%x)\n"
        "  %y_copy: float32[2] = aten::clone(self=%y)\n"
        "  my::many_(xs=[%x_copy, %y_copy], y=None) @af\n"
        "  return (%x_copy, %y_copy)\n");
}

TEST_CASE("the second form makes views of copied bases") {
  CHECK(inlined("graph(%x: float32[3, 3], %y: float32[2]):\n"
                "  _, %a: float32[3, 3], %b: float32[2] = higher_order::auto_functionalized_v2("
                "operator(my::many_), *_xs_length=3, *_xs_0_base_index=0, *_xs_0_slice_dim=0, "
                "*_xs_0_slice_start=1, *_xs_0_slice_end=3, *_xs_1_base_index=0, *_xs_1_size=[3], "
                "*_xs_1_stride=[3], *_xs_1_storage_offset=1, *_xs_2_base_index=1, "
                "*_xs_2_alias=True, *_y_base_index=None, *_all_bases=[%x, %y]) @af\n"
                "  return (%a, %b)") ==
        "graph(%x: float32[3, 3], %y: float32[2]):\n"
        "  %x_copy: float32[3, 3] = aten::clone(self=%x)\n"
        "  %y_copy: float32[2] = aten::clone(self=%y)\n"
        "  %x_copy_view: tensor = aten::slice.Tensor(self=%x_copy, dim=0, start=1, end=3)\n"
        "  %x_copy_view_1: tensor = aten::as_strided(self=%x_copy, size=[3], stride=[3], "
        "storage_offset=1)\n"
        "  my::many_(xs=[%x_copy_view, %x_copy_view_1, %y_copy], y=None) @af\n"
        "  return (%x_copy, %y_copy)\n");
}

TEST_CASE("a base with gaps keeps its layout where views address the storage") {
  CHECK(inlined("graph(%x: float32[2, 2]{4, 1}, %y: float32[2]):\n"
                "  %r: float32[2], %m: float32[2, 2]{4, 1} = higher_order::auto_functionalized_v2("
                "operator(my::raise_), *y=%y, *_x_base_index=0, *_x_size=[2], *_x_stride=[4], "
                "*_x_storage_offset=0, *_all_bases=[%x]) @af\n"
                "  return (%r, %m)") ==
        "graph(%x: float32[2, 2]{4, 1}, %y: float32[2]):\n"
        "  %x_copy_storage: float32[6] = aten::as_strided(self=%x, size=[6], stride=[1], "
        "storage_offset=0)\n"
        "  %x_copy_bytes: float32[6] = aten::clone(self=%x_copy_storage)\n"
        "  %x_copy: float32[2, 2]{4, 1} = aten::as_strided(self=%x_copy_bytes, size=[2, 2], "
        "stride=[4, 1], storage_offset=0)\n"
        "  %x_copy_view: tensor = aten::as_strided(self=%x_copy, size=[2], stride=[4], "
        "storage_offset=0)\n"
        "  %r: float32[2] = my::raise_(x=%x_copy_view, y=%y) @af\n"
        "  return (%r, %x_copy)\n");
}

TEST_CASE("results that are lists keep their form") {
  CHECK(inlined("graph(%x: float32[2]):\n"
                "  [%a: float32[1], %b: float32[1]], %c: float32[2], %m: float32[2] = "
                "higher_order::auto_functionalized(operator(my::parts_), *x=%x) @af\n"
                "  return (%a, %b, %c, %m)") ==
        "graph(%x: float32[2]):\n"
        "  %x_copy: float32[2] = aten::clone(self=%x)\n"
        "  [%a: float32[1], %b: float32[1]], %c: float32[2] = my::parts_(x=%x_copy) @af\n"
        "  return (%a, %b, %c, %x_copy)\n");
}

TEST_CASE("effects lose their tokens") {
  CHECK(inlined("graph(%t: token, %x: float32[2]):\n"
                "  %t1: token, _ = higher_order::with_effects(%t, operator(my::print), %x, "
                "\"hello\") @e\n"
                "  %t2: token, %y: float32[2] = higher_order::with_effects(%t1, "
                "operator(my::draw), %x) @e2\n"
                "  return (%t2, %y)") ==
        "graph(%t: token, %x: float32[2]):\n"
        "  my::print(%x, \"hello\") @e\n"
        "  %y: float32[2] = my::draw(%x) @e2\n"
        "  return (%t, %y)\n");
}

TEST_CASE("functional wrappers that contradict themselves are refused with the node's name") {
  struct Row {
    const char* call;
    const char* message;
  };
  const Row rows[] = {
      {"auto_functionalized(*x=%x)", "expected an operator as argument 0"},
      {"auto_functionalized(operator(my::unknown), *x=%x)",
       "the operator 'my::unknown' is not known"},
      {"auto_functionalized_v2(operator(my::raise_), *y=%x)", "argument '_all_bases' is missing"},
      {"auto_functionalized_v2(operator(my::raise_), *y=%x, *_x_base_index=1, *_all_bases=[%x])",
       "argument '_x_base_index' names none of 1 bases"},
      {"auto_functionalized_v2(operator(my::many_), *_xs_length=99, *_all_bases=[%x])",
       "argument '_xs_length' is no length of a list"},
      {"auto_functionalized_v2(operator(my::many_), *_xs_length=1, *_all_bases=[%x])",
       "argument '_xs_0_base_index' is missing"},
      {"auto_functionalized_v2(operator(my::raise_), *y=%x, *_x_base_index=0, *_x_slice_dim=0, "
       "*_all_bases=[%x])",
       "arguments '_x_slice_start' and '_x_slice_end' are missing"},
      {"auto_functionalized(operator(my::many_), *xs=[%x, %x])",
       "it writes 2 tensors, but has 1 results"},
      {"with_effects(%x)", "expected an operator as argument 1"},
  };
  for (const auto& row : rows) {
    const auto message =
        inlined(concat("graph(%x: float32[2]):\n  %y: float32[2] = higher_order::", row.call,
                       " @bad\n  return (%y)"));
    CAPTURE(message);
    CHECK(message.find("node 'bad' ") == 0);
    CHECK(message.find(row.message) != std::string::npos);
  }
}
