// CPU kernels that move, join and pad, against values that PyTorch gives.
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/movement.hpp>
#include <treadle/cpu/pad.hpp>
#include <treadle/cpu/view.hpp>
#include <treadle/ops/movement.hpp>
#include <treadle/ops/pad.hpp>
#include <treadle/ops/view.hpp>

#include "support/call_op.hpp"

namespace {

using namespace treadle;  // NOLINT: tests
using test::Arg;
using test::Tensor;

test::Caller caller() {
  OpSet ops;
  ops.add(view_ops());
  ops.add(view_copy_ops());
  ops.add(movement_ops());
  ops.add(pad_ops());
  auto kernels = cpu::view_kernels();
  kernels.merge(cpu::movement_kernels()).merge(cpu::pad_kernels());
  return {ops, kernels};
}
Tensor count_up(Dims sizes) {
  std::vector<float> elements(static_cast<std::size_t>(element_count(sizes)));
  std::iota(elements.begin(), elements.end(), 0.0f);
  return *Tensor::from(elements, std::move(sizes));
}
Arg numbers(std::vector<std::int64_t> n) { return Constant(std::move(n)); }
Arg number(std::int64_t n) { return Constant(n); }
using Floats = std::vector<float>;
Floats floats(const Tensor& t) {
  const auto e = t.elements<float>();
  return {e.begin(), e.end()};
}

}  // namespace

TEST_CASE("one kernel a row of this table gives PyTorch's numbers") {
  struct Case {
    const char* name;
    Tensor self;
    std::vector<Arg> rest;
    Floats expected;
  };
  const Case cases[] = {
      {"aten::permute_copy", count_up({2, 3}), {numbers({1, 0})}, {0, 3, 1, 4, 2, 5}},
      {"aten::slice_copy.Tensor", count_up({2, 3}), {number(1), number(1)}, {1, 2, 4, 5}},
      {"aten::repeat", count_up({2}), {numbers({2, 2})}, {0, 1, 0, 1, 0, 1, 0, 1}},
      {"aten::flip", count_up({2, 2}), {numbers({1})}, {1, 0, 3, 2}},
      {"aten::roll", count_up({4}), {numbers({1}), numbers({0})}, {3, 0, 1, 2}},
      {"aten::tril", count_up({2, 2}), {}, {0, 0, 2, 3}},
      {"aten::pixel_shuffle", count_up({4, 1, 1}), {number(2)}, {0, 1, 2, 3}},
      {"aten::constant_pad_nd", count_up({2}), {numbers({1, -1}), number(9)}, {9, 0}},
      {"aten::reflection_pad1d", count_up({1, 3}), {numbers({2, 1})}, {2, 1, 0, 1, 2, 1}},
      {"aten::replication_pad1d", count_up({1, 2}), {numbers({1, 2})}, {0, 0, 1, 1, 1}},
      {"aten::_pad_circular", count_up({1, 3}), {numbers({1, 1})}, {2, 0, 1, 2, 0}},
  };
  for (const auto& c : cases) {
    CAPTURE(c.name);
    std::vector<Arg> arguments = {c.self};
    arguments.insert(arguments.end(), c.rest.begin(), c.rest.end());
    CHECK(floats(caller().call(c.name, arguments)[0]) == c.expected);
  }
}

TEST_CASE("cat joins along a dimension, promotes dtypes, skips empty vectors") {
  const Tensor whole = *Tensor::from<std::int64_t>({7, 8}, {2, 1});
  const Tensor none = *Tensor::from(std::vector<float>{}, {0});
  auto out =
      caller().call("aten::cat", {std::vector<Tensor>{count_up({2, 2}), none, whole}, number(1)});
  CHECK(out[0].sizes() == Dims{2, 3});
  CHECK(floats(out[0]) == Floats{0, 1, 7, 2, 3, 8});
}

TEST_CASE("a view shares its storage, a copying form does not") {
  const Tensor x = count_up({2, 3});
  auto view = caller().call("aten::transpose.int", {x, number(0), number(1)});
  CHECK(view[0].storage().bytes() == x.storage().bytes());
  auto copy = caller().call("aten::transpose_copy.int", {x, number(0), number(1)});
  CHECK(copy[0].storage().bytes() != x.storage().bytes());
}

TEST_CASE("split gives parts of one storage") {
  const Tensor x = count_up({5});
  auto parts = caller().call("aten::split.Tensor", {x, number(2)});
  REQUIRE(parts.size() == 3);
  CHECK(parts[2].sizes() == Dims{1});
  CHECK(*parts[2].data<float>() == 4);
}

TEST_CASE("select_scatter replaces a part and leaves its argument alone") {
  const Tensor x = count_up({2, 2});
  auto out = caller().call("aten::select_scatter",
                           {x, *Tensor::from<float>({8, 9}, {2}), number(1), number(0)});
  CHECK(floats(out[0]) == Floats{8, 1, 9, 3});
  CHECK(floats(x) == Floats{0, 1, 2, 3});
}

TEST_CASE("select_scatter casts what it puts in") {
  const auto x = *Tensor::from<std::int32_t>({0, 1, 2, 3}, {2, 2});
  auto out = caller().call("aten::select_scatter",
                           {x, *Tensor::from<float>({1.7F, -2.2F}, {2}), number(0), number(1)});
  const auto elements = out[0].elements<std::int32_t>();
  CHECK(std::vector<std::int32_t>(elements.begin(), elements.end()) ==
        std::vector<std::int32_t>{0, 1, 1, -2});
}
