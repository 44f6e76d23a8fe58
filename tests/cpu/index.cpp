// CPU kernels that index, against values that PyTorch gives.
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/index.hpp>
#include <treadle/ops/index.hpp>

#include "support/call_op.hpp"

namespace {

using namespace treadle;  // NOLINT: tests
using test::Arg;
using test::Tensor;

test::Caller caller() {
  OpSet ops;
  ops.add(index_ops());
  return {ops, cpu::index_kernels()};
}
template <class T>
Tensor tensor(std::vector<T> elements, Dims sizes) {
  return *Tensor::from(elements, std::move(sizes));
}
Arg number(std::int64_t n) { return Constant(n); }
std::vector<float> floats(const Tensor& t) {
  const auto e = t.elements<float>();
  return {e.begin(), e.end()};
}
const std::vector<float> six = {0, 1, 2, 3, 4, 5};

}  // namespace

TEST_CASE("index takes rows, counts negative ones from the end") {
  auto out =
      caller().call("aten::index.Tensor",
                    {tensor(six, {3, 2}), std::vector<Tensor>{tensor<std::int64_t>({2, -3}, {2})}});
  CHECK(floats(out[0]) == std::vector<float>{4, 5, 0, 1});
}

TEST_CASE("a mask chooses elements, as many as are true") {
  const std::vector<std::uint8_t> mask = {1, 0, 0, 1, 1, 0};
  auto out = caller().call("aten::index.Tensor",
                           {tensor(six, {3, 2}), std::vector<Tensor>{tensor(mask, {3, 2})}});
  CHECK(out[0].sizes() == Dims{3});
  CHECK(floats(out[0]) == std::vector<float>{0, 3, 4});
}

TEST_CASE("index_put accumulates where an index comes twice") {
  auto out =
      caller().call("aten::index_put",
                    {tensor(six, {6}), std::vector<Tensor>{tensor<std::int64_t>({1, 1, 4}, {3})},
                     tensor<float>({10, 20, 30}, {3}), Constant(true)});
  CHECK(floats(out[0]) == std::vector<float>{0, 31, 2, 3, 34, 5});
}

TEST_CASE("a mask says where one number goes; one of other sizes is refused") {
  const std::vector<std::uint8_t> mask = {1, 0, 1};
  const auto put = [&](std::vector<Tensor> indices) {
    return caller().try_call("aten::index_put",
                             {tensor(six, {3, 2}), std::move(indices), tensor<float>({9}, {})});
  };
  const auto rows = put({tensor(mask, {3})});
  REQUIRE(rows);
  CHECK(floats((*rows)[0]) == std::vector<float>{9, 9, 2, 3, 9, 9});
  const auto columns = put({Tensor(), tensor<std::uint8_t>({0, 1}, {2})});
  REQUIRE(columns);
  CHECK(floats((*columns)[0]) == std::vector<float>{0, 9, 2, 9, 4, 9});
  const auto refused = put({Tensor(), tensor(mask, {3})});
  REQUIRE(!refused);
  CHECK(refused.error().message().find("a mask of sizes") != std::string::npos);
}

TEST_CASE("an in-place index_put writes into its tensor") {
  const Tensor self = tensor(six, {6});
  caller().call("aten::index_put_", {self, std::vector<Tensor>{tensor<std::int64_t>({5}, {1})},
                                     tensor<float>({9}, {1})});
  CHECK(floats(self) == std::vector<float>{0, 1, 2, 3, 4, 9});
}

TEST_CASE("any index will do where there is nothing to move, unless its own dimension is empty") {
  const std::vector<Tensor> five = {tensor<std::int64_t>({5, 0}, {2})};
  CHECK(caller().call("aten::index.Tensor", {tensor<float>({}, {1, 0}), five})[0].sizes() ==
        Dims{2, 0});
  CHECK(caller()
            .call("aten::index_put", {tensor<float>({}, {1, 0}), five, tensor<float>({7}, {})})[0]
            .sizes() == Dims{1, 0});
  CHECK_FALSE(caller().try_call("aten::index.Tensor", {tensor<float>({}, {0, 2}), five}));
}

TEST_CASE("an index out of range is an error that names it, with the bound") {
  const auto index = tensor<std::int64_t>({0, 3}, {2});
  const std::pair<const char*, std::vector<Arg>> calls[] = {
      {"aten::index.Tensor", {tensor(six, {3, 2}), std::vector<Tensor>{index}}},
      {"aten::index_select", {tensor(six, {3, 2}), number(0), index}},
      {"aten::embedding", {tensor(six, {3, 2}), index}},
      {"aten::gather", {tensor(six, {3, 2}), number(0), tensor<std::int64_t>({3, 0}, {1, 2})}},
  };
  for (const auto& [name, arguments] : calls) {
    CAPTURE(name);
    const auto result = caller().try_call(name, arguments);
    REQUIRE_FALSE(result);
    CHECK(result.error().message().find("index 3 is out of bounds for dimension 0 of size 3") !=
          std::string::npos);
  }
}

TEST_CASE("scatter_reduce leaves out what was there if asked to") {
  const auto index = tensor<std::int64_t>({0, 0, 2}, {3});
  const auto source = tensor<float>({4, 8, 6}, {3});
  const auto self = tensor<float>({100, 7, 100}, {3});
  const auto reduced = [&](const char* how, bool include_self) {
    return floats(caller().call(
        "aten::scatter_reduce.two",
        {self, number(0), index, source, Constant(std::string(how)), Constant(include_self)})[0]);
  };
  CHECK(reduced("mean", false) == std::vector<float>{6, 7, 6});
  CHECK(reduced("sum", true) == std::vector<float>{112, 7, 106});
  CHECK(reduced("amin", false) == std::vector<float>{4, 7, 6});
}

TEST_CASE("nonzero lists positions row by row") {
  auto out = caller().call("aten::nonzero", {tensor<float>({0, 1, -0.0f, 2}, {2, 2})});
  CHECK(out[0].sizes() == Dims{2, 2});
  CHECK(out[0].strides() == Dims{1, 2});  // as PyTorch lays them out
  treadle::cpu::Backend backend;
  const auto rows = treadle::clone_tensor(backend, out[0]);
  REQUIRE(rows);
  const auto found = rows->elements<std::int64_t>();
  CHECK(std::vector<std::int64_t>(found.begin(), found.end()) ==
        std::vector<std::int64_t>{0, 1, 1, 1});
}
