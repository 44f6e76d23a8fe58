// Shape rules of reductions, pooling and sorting on sizes that are not known yet.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/ops/infer_call.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/ops/pool.hpp>
#include <treadle/ops/reduction.hpp>
#include <treadle/ops/sort.hpp>

namespace {

using namespace treadle;

/// Result types of an operator on a float tensor of sizes [s0, 8, 6], with these other arguments.
Result<std::vector<std::string>> infer(std::string_view name, std::vector<Constant> rest) {
  OpSet ops;
  for (const auto table : {reduction_ops(), softmax_ops(), scan_ops(), pool_ops(), sort_ops()})
    ops.add(table);
  const OpDef* definition = ops.find(name);
  REQUIRE(definition != nullptr);
  const auto schema = parse_schema(definition->schema);
  const auto type = make_type(DType::float32, {SymInt(make_symbol("s0")), 8, 6});
  std::vector<InferValue> arguments = {{TensorArgument{&type}}};
  for (auto& constant : rest) arguments.push_back({std::move(constant)});
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
using Texts = std::vector<std::string>;
const Constant no = false, yes = true, none = None{};

}  // namespace

TEST_CASE("rules keep the sizes that are expressions") {
  struct Case {
    const char* name;
    std::vector<Constant> rest;
    Texts expected;
  };
  const Case cases[] = {
      {"aten::sum.dim_IntList", {Ints{1}, no, none}, {"float32 s0 6"}},
      {"aten::sum.dim_IntList", {Ints{-1, 1}, yes, none}, {"float32 s0 1 1"}},
      {"aten::sum.dim_IntList", {none, no, DType::float64}, {"float64"}},
      {"aten::argmax", {none, no}, {"int64"}},
      {"aten::any.dim", {std::int64_t{0}, no}, {"bool 8 6"}},
      {"aten::max.dim", {std::int64_t{2}, no}, {"float32 s0 8", "int64 s0 8"}},
      {"aten::softmax.int", {std::int64_t{0}, DType::float64}, {"float64 s0 8 6"}},
      {"aten::cumsum", {std::int64_t{0}, none}, {"float32 s0 8 6"}},
      {"aten::topk",
       {std::int64_t{2}, std::int64_t{1}, yes, yes},
       {"float32 s0 2 6", "int64 s0 2 6"}},
      {"aten::adaptive_avg_pool2d", {Ints{2, 3}}, {"float32 s0 2 3"}},
      {"aten::max_pool2d", {Ints{2}, Ints{}, Ints{0}, Ints{1}, no}, {"float32 s0 4 3"}},
  };
  for (const auto& c : cases) {
    CAPTURE(c.name);
    const auto found = infer(c.name, c.rest);
    if (!found) FAIL(found.error().message());
    CHECK(*found == c.expected);
  }
}

TEST_CASE("wrong dimensions are errors that name them") {
  struct Case {
    const char* name;
    std::vector<Constant> rest;
    const char* message;
  };
  const Case cases[] = {
      {"aten::sum.dim_IntList", {Ints{3}, no, none}, "dimension 3 is out of range [-3, 2]"},
      {"aten::sum.dim_IntList", {Ints{1, -2}, no, none}, "dimension 1 appears twice"},
      {"aten::softmax.int", {std::int64_t{-4}, none}, "dimension -4 is out of range"},
      {"aten::mean.dim", {Ints{1}, no, DType::int64}, "found int64"},
      {"aten::topk", {std::int64_t{9}, std::int64_t{1}, yes, yes}, "k = 9 is out of range"},
      {"aten::max_pool3d", {Ints{2}, Ints{}, Ints{0}, Ints{1}, no}, "found sizes [s0, 8, 6]"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.name);
    const auto found = infer(c.name, c.rest);
    REQUIRE(!found);
    CHECK(std::string(found.error().message()).find(c.message) != std::string::npos);
  }
}
