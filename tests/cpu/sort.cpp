// Sorting, searching and unique elements against what PyTorch gives.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/sort.hpp>
#include <treadle/ops/sort.hpp>

#include "support/call_op.hpp"

namespace {

using namespace treadle;
using test::Arg;
using test::Tensor;

test::Caller make_caller() {
  OpSet ops;
  for (const auto table : {sort_ops(), search_ops(), unique_ops()}) ops.add(table);
  return {ops, cpu::sort_kernels()};
}

Arg number(std::int64_t n) { return Constant(n); }
Arg yes(bool b) { return Constant(b); }

Tensor floats(std::vector<float> elements, Dims sizes) {
  return *Tensor::from(elements, std::move(sizes));
}
template <class T>
std::vector<T> elements_of(const Tensor& tensor) {
  const auto elements = tensor.elements<T>();
  return {elements.begin(), elements.end()};
}
using Places = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("sorting is stable and puts NaN last, or first if it descends") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  auto caller = make_caller();
  const auto x = floats({2, nan, 1, 2, 0}, {5});
  const auto up = caller.call("aten::sort", {x, number(0), yes(false)});
  CHECK(elements_of<std::int64_t>(up[1]) == Places{4, 2, 0, 3, 1});
  const auto down = caller.call("aten::argsort", {x, number(0), yes(true)});
  CHECK(elements_of<std::int64_t>(down[0]) == Places{1, 0, 3, 2, 4});
}

TEST_CASE_TEMPLATE("floats of every kind sort by value, both zeros as one", T, float, double) {
  using Limits = std::numeric_limits<T>;
  const T nan = Limits::quiet_NaN(), infinity = Limits::infinity();
  auto caller = make_caller();
  const std::vector<T> elements = {0,    Limits::denorm_min(),  -0.0, -Limits::max(), infinity,
                                   -nan, -Limits::denorm_min(), 0,    -infinity,      1};
  const auto x = *Tensor::from(elements, {10});
  const auto up = caller.call("aten::argsort", {x, number(0), yes(false)});
  CHECK(elements_of<std::int64_t>(up[0]) == Places{8, 3, 6, 0, 2, 7, 1, 9, 4, 5});
  const auto down = caller.call("aten::argsort", {x, number(0), yes(true)});
  CHECK(elements_of<std::int64_t>(down[0]) == Places{5, 4, 9, 1, 0, 2, 7, 6, 3, 8});
  const auto distinct = caller.call("aten::_unique2", {x, yes(true), yes(true), yes(true)});
  CHECK(elements_of<T>(distinct[0]).size() == 8);
  CHECK(elements_of<std::int64_t>(distinct[1]) == Places{3, 4, 3, 1, 6, 7, 2, 3, 0, 5});
}

TEST_CASE("the smallest and the largest integer sort both ways") {
  using Limits = std::numeric_limits<std::int64_t>;
  auto caller = make_caller();
  const auto x = *Tensor::from(std::vector<std::int64_t>{0, Limits::max(), -1, Limits::min()}, {4});
  const auto up = caller.call("aten::argsort", {x, number(0), yes(false)});
  CHECK(elements_of<std::int64_t>(up[0]) == Places{3, 2, 0, 1});
  const auto down = caller.call("aten::argsort", {x, number(0), yes(true)});
  CHECK(elements_of<std::int64_t>(down[0]) == Places{1, 0, 2, 3});
}

TEST_CASE("NaN equals no element, not even itself") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  auto caller = make_caller();
  const auto x = floats({nan, 1, nan}, {3});
  CHECK(elements_of<float>(caller.call("aten::_unique2", {x})[0]).size() == 3);
  const auto found =
      caller.call("aten::isin.Tensor_Tensor", {floats({nan, -0.0F}, {2}), floats({nan, 0}, {2})});
  CHECK(elements_of<bool>(found[0]) == std::vector<bool>{false, true});
  const auto most = caller.call("aten::mode", {floats({nan, nan, nan, 2, 2}, {5})});
  CHECK(elements_of<std::int64_t>(most[1]) == Places{4});
}

TEST_CASE("sorting goes along its dimension") {
  auto caller = make_caller();
  const auto sorted = caller.call("aten::sort", {floats({3, 1, 2, 4, 0, 5}, {3, 2}), number(0)});
  CHECK(elements_of<float>(sorted[0]) == std::vector<float>{0, 1, 2, 4, 3, 5});
  CHECK(elements_of<std::int64_t>(sorted[1]) == Places{2, 0, 1, 1, 0, 2});
}

TEST_CASE("elements are selected by rank") {
  auto caller = make_caller();
  const auto x = floats({5, 1, 4, 2}, {4});
  const auto top = caller.call("aten::topk", {x, number(2)});
  CHECK(elements_of<float>(top[0]) == std::vector<float>{5, 4});
  CHECK(elements_of<std::int64_t>(top[1]) == Places{0, 2});
  CHECK(elements_of<float>(caller.call("aten::kthvalue", {x, number(2)})[0])[0] == 2);
  CHECK(elements_of<float>(caller.call("aten::median", {x})[0])[0] == 2);
  const auto mode = caller.call("aten::mode", {floats({3, 1, 3, 1, 0}, {5})});
  CHECK(elements_of<float>(mode[0])[0] == 1);
}

TEST_CASE("k out of range is an error that says so") {
  auto caller = make_caller();
  const auto failed = caller.try_call("aten::topk", {floats({5, 1}, {2}), number(3)});
  REQUIRE(!failed);
  CHECK(failed.error().message().find("k = 3 is out of range") != std::string::npos);
}

TEST_CASE("values are found left or right of equal ones") {
  auto caller = make_caller();
  const auto sorted = floats({1, 2, 2, 3}, {4}), x = floats({0, 2, 9}, {3});
  const auto left = caller.call("aten::searchsorted.Tensor", {sorted, x});
  CHECK(elements_of<std::int64_t>(left[0]) == Places{0, 1, 4});
  const auto right = caller.call("aten::bucketize.Tensor", {x, sorted, yes(false), yes(true)});
  CHECK(elements_of<std::int64_t>(right[0]) == Places{0, 3, 4});
  const auto found = caller.call("aten::isin.Tensor_Tensor", {x, sorted});
  CHECK(elements_of<bool>(found[0]) == std::vector<bool>{false, true, false});
}

TEST_CASE("unique elements come with their places and counts") {
  auto caller = make_caller();
  const auto x = *Tensor::from<std::int64_t>({3, 1, 3, 2, 1, 3}, {6});
  const auto result = caller.call("aten::_unique2", {x, yes(true), yes(true), yes(true)});
  CHECK(elements_of<std::int64_t>(result[0]) == Places{1, 2, 3});
  CHECK(elements_of<std::int64_t>(result[1]) == Places{2, 0, 2, 1, 0, 2});
  CHECK(elements_of<std::int64_t>(result[2]) == Places{2, 1, 3});
}

TEST_CASE("unique slices keep the place of their dimension") {
  auto caller = make_caller();
  const auto x = floats({1, 0, 1, 2, 5, 2}, {2, 3});
  const auto result = caller.call("aten::unique_dim", {x, number(1)});
  CHECK(result[0].sizes() == Dims{2, 2});
  CHECK(elements_of<float>(result[0]) == std::vector<float>{0, 1, 5, 2});
}
