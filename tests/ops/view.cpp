// Shape rules of views.
#include <doctest/doctest.h>

#include <treadle/ops/infer_call.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/ops/rules.hpp>
#include <treadle/ops/view.hpp>

namespace {

using namespace treadle;  // NOLINT: tests

/// The results of a view operator on a tensor and constants.
Result<InferredCall> infer(std::string_view name, const TensorType& self,
                           std::vector<InferValue> rest) {
  OpSet ops;
  ops.add(view_ops());
  const OpDef* op = ops.find(name);
  REQUIRE(op);
  const Schema schema = parse_schema(op->schema);
  std::vector<InferValue> values = {{TensorArgument{&self, false}}};
  for (auto& value : rest) values.push_back(std::move(value));
  return infer_call(*op, schema, values, {});
}

InferValue number(std::int64_t n) { return {Constant(n)}; }
InferValue none() { return {Constant(None{})}; }
InferValue numbers(std::vector<std::int64_t> n) { return {Constant(std::move(n))}; }
SymInt s0() { return SymInt(make_symbol("s0")); }

}  // namespace

TEST_CASE("views of known sizes have PyTorch's sizes, strides and offsets") {
  const TensorType x = make_type(DType::float32, {4, 3, 6});
  struct Case {
    std::string_view name;
    std::vector<InferValue> rest;
    std::string sizes, strides;
    std::int64_t offset;
  };
  const Case cases[] = {
      {"aten::permute", {numbers({2, 0, 1})}, "[6, 4, 3]", "[1, 18, 6]", 0},
      {"aten::slice.Tensor",
       {number(2), number(1), none(), number(2)},
       "[4, 3, 3]",
       "[18, 6, 2]",
       1},
      {"aten::slice.Tensor",
       {number(0), number(-1), none(), number(1)},
       "[1, 3, 6]",
       "[18, 6, 1]",
       54},
      {"aten::select.int", {number(1), number(-1)}, "[4, 6]", "[18, 1]", 12},
      {"aten::unsqueeze", {number(-1)}, "[4, 3, 6, 1]", "[18, 6, 1, 1]", 0},
      {"aten::diagonal", {number(1), number(0), number(2)}, "[3, 4]", "[6, 19]", 1},
      {"aten::unfold", {number(2), number(4), number(2)}, "[4, 3, 2, 4]", "[18, 6, 2, 1]", 0},
      {"aten::view", {numbers({-1, 6})}, "[12, 6]", "[6, 1]", 0},
  };
  for (const auto& c : cases) {
    CAPTURE(c.name);
    const auto call = infer(c.name, x, c.rest);
    REQUIRE(call);
    CHECK(call->results[0].view_of == 0);
    CHECK_FALSE(call->needs_kernel);
    CHECK(to_string(call->results[0].type.sizes) == c.sizes);
    CHECK(to_string(call->results[0].type.strides) == c.strides);
    CHECK(call->results[0].type.storage_offset.is(c.offset));
  }
}

TEST_CASE("views of symbolic sizes stay exact") {
  const TensorType x = make_type(DType::float32, {s0(), 3, 8});
  const auto flat = infer("aten::view", x, {numbers({-1, 24})});
  REQUIRE(flat);
  CHECK(to_string(flat->results[0].type.sizes) == "[s0, 24]");
  const auto last = infer("aten::slice.Tensor", x, {number(2), number(-2), none(), number(1)});
  REQUIRE(last);
  CHECK(to_string(last->results[0].type.sizes) == "[s0, 3, 2]");
}

TEST_CASE("a reshape that can't be a view takes new memory") {
  TensorType x = make_type(DType::float32, {3, 4});
  x.strides = {1, 3};
  const auto call = infer("aten::reshape", x, {numbers({12})});
  REQUIRE(call);
  CHECK(call->results[0].view_of == -1);
  CHECK(call->needs_kernel);
}

TEST_CASE("wrong views are reported with what was found") {
  const TensorType x = make_type(DType::float32, {4, 3});
  const auto message = [&](std::string_view name, std::vector<InferValue> rest) {
    const auto call = infer(name, x, std::move(rest));
    return call ? std::string() : call.error().message();
  };
  CHECK(message("aten::view", {numbers({5, 2})}) ==
        "aten::view: sizes [4, 3] do not hold as many elements as [5, 2]");
  CHECK(message("aten::select.int", {number(0), number(4)}) ==
        "aten::select.int: index 4 is out of size 4 of dimension 0");
  CHECK(message("aten::permute", {numbers({0, 0})}) ==
        "aten::permute: dimension 0 appears twice in the list of dimensions");
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(message("aten::narrow", {number(0), number(most), number(2)}).find("do not fit 64 bits") !=
        std::string::npos);
}
