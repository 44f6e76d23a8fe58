// Shape rules of products, convolutions, networks and transforms on sizes that are not known yet.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/ops/attention.hpp>
#include <treadle/ops/conv.hpp>
#include <treadle/ops/fft.hpp>
#include <treadle/ops/infer_call.hpp>
#include <treadle/ops/linear.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/ops/recurrent.hpp>
#include <treadle/ops/upsample.hpp>

namespace {

using namespace treadle;

const SymInt s0(make_symbol("s0"));

/// Tensors of these sizes first, or a list of them, then the other arguments.
struct Case {
  std::string_view name;
  std::vector<SymDims> tensors;
  std::vector<Constant> rest;
  std::vector<std::string> expected;
  DType dtype = DType::float32;
};

Result<std::vector<std::string>> infer(const Case& c) {
  OpSet ops;
  for (const auto table : {product_ops(), contraction_ops(), grouped_ops(), conv_ops(),
                           attention_ops(), recurrent_ops(), fft_ops(), upsample_ops()})
    ops.add(table);
  const OpDef* definition = ops.find(c.name);
  REQUIRE(definition != nullptr);
  const auto schema = parse_schema(definition->schema);
  std::vector<TensorType> types;
  for (const auto& sizes : c.tensors) types.push_back(make_type(c.dtype, sizes));
  std::vector<InferValue> arguments;
  for (const auto& type : types) arguments.push_back({TensorArgument{&type}});
  for (const auto& constant : c.rest) arguments.push_back({constant});
  TREADLE_TRY(const auto call, infer_call(*definition, schema, arguments, {}));
  std::vector<std::string> out;
  for (const auto& result : call.results) {
    std::string text(treadle::name(result.type.dtype));
    for (const auto& size : result.type.sizes) text += " " + to_string(size);
    out.push_back(text);
  }
  return out;
}

using Ints = std::vector<std::int64_t>;
const Constant no = false, none = None{}, one = std::int64_t{1};

}  // namespace

TEST_CASE("sizes that are expressions go through products, convolutions and transforms") {
  const Case cases[] = {
      {"aten::linear", {{s0, 3}, {5, 3}}, {none}, {"float32 s0 5"}},
      {"aten::linear", {{4, s0}, {5, 3}}, {none}, {"float32 4 5"}},
      {"aten::matmul", {{s0, 1, 2, 3}, {7, 3, 4}}, {}, {"float32 s0 7 2 4"}},
      {"aten::matmul", {{3}, {s0, 3, 4}}, {}, {"float32 s0 4"}},
      {"aten::bmm", {{s0, 2, 3}, {s0, 3, 4}}, {}, {"float32 s0 2 4"}},
      {"aten::addmm", {{5}, {s0, 3}, {3, 5}}, {one, one}, {"float32 s0 5"}},
      {"aten::tensordot", {{s0, 3, 4}, {4, 3, 2}}, {Ints{1, 2}, Ints{1, 0}}, {"float32 s0 2"}},
      {"aten::outer", {{s0}, {3}}, {}, {"float32 s0 3"}},
      {"aten::conv1d",
       {{s0, 4, 10}, {6, 4, 3}},
       {none, Ints{2}, Ints{1}, Ints{1}, one},
       {"float32 s0 6 5"}},
      {"aten::conv1d.padding",
       {{2, 4, s0}, {6, 4, 3}},
       {none, Ints{1}, std::string("same"), Ints{1}, one},
       {"float32 2 6 s0"}},
      {"aten::conv_transpose1d",
       {{s0, 4, 10}, {4, 6, 3}},
       {none, Ints{2}, Ints{0}, Ints{1}, one, Ints{1}},
       {"float32 s0 6 22"}},
      {"aten::scaled_dot_product_attention",
       {{s0, 2, 5, 8}, {s0, 2, 7, 8}, {s0, 2, 7, 8}},
       {none, 0.0, no, none, no},
       {"float32 s0 2 5 8"}},
      {"aten::fft_rfft", {{s0, 9}}, {none, std::int64_t{-1}, none}, {"complex64 s0 5"}},
      {"aten::upsample_nearest2d.vec",
       {{s0, 3, 5, 5}},
       {none, std::vector<double>{2.0, 1.5}},
       {"float32 s0 3 10 7"}},
  };
  for (const auto& c : cases) {
    CAPTURE(c.name);
    const auto found = infer(c);
    if (!found) FAIL(found.error().message());
    CHECK(*found == c.expected);
  }
}

TEST_CASE("rules name what does not fit") {
  const Case cases[] = {
      {"aten::bmm", {{2, 2, 3}, {4, 3, 4}}, {}, {"sizes 2 and 4 must be equal"}},
      {"aten::conv1d.padding",
       {{2, 4, 9}, {6, 4, 3}},
       {none, Ints{2}, std::string("same"), Ints{1}, one},
       {"padding 'same' needs a stride of 1, found 2"}},
      {"aten::conv1d",
       {{2, 4, 9}, {5, 2, 3}},
       {none, Ints{1}, Ints{0}, Ints{1}, std::int64_t{2}},
       {"5 output channels can't be split into 2 groups"}},
      {"aten::scaled_dot_product_attention",
       {{1, 3, 5, 8}, {1, 2, 7, 8}, {1, 2, 7, 8}},
       {none, 0.0, no, none, true},
       {"3 query heads can't share 2 key heads"}},
      {"aten::fft_rfft",
       {{4}},
       {none, std::int64_t{-1}, none},
       {"expected real numbers, found complex64"},
       DType::complex64},
      {"aten::upsample_nearest1d",
       {{1, 2, 4}},
       {Ints{0}, none},
       {"output sizes must be positive, found 0"}},
  };
  for (const auto& c : cases) {
    CAPTURE(c.name);
    const auto found = infer(c);
    REQUIRE_FALSE(found);
    CAPTURE(found.error().message());
    CHECK(std::string(found.error().message()).find(c.expected[0]) != std::string::npos);
  }
}
