// Shape rules of elementwise and creating operators.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/ops/creation.hpp>
#include <treadle/ops/elementwise.hpp>
#include <treadle/ops/infer_call.hpp>
#include <treadle/ops/normalize.hpp>

using namespace treadle;

namespace {

const OpDef* find(std::string_view name) {
  for (const auto family : {arithmetic_ops(), compare_ops(), math_ops(), activation_ops(),
                            select_ops(), copy_ops(), creation_ops(), random_ops()})
    for (const auto& definition : family)
      if (definition.name() == name) return &definition;
  return nullptr;
}

/// Missing arguments get their defaults.
Result<InferredCall> infer(std::string_view name, std::vector<InferValue> arguments) {
  const OpDef* definition = find(name);
  REQUIRE(definition);
  const Schema schema = parse_schema(definition->schema);
  for (std::size_t i = arguments.size(); i < schema.argument_count; ++i) {
    Constant value = None{};
    if (schema.arguments[i].has_default) value = *parse_default(schema.arguments[i]);
    arguments.push_back({std::move(value)});
  }
  return infer_call(*definition, schema, arguments, {});
}
InferValue tensor(const TensorType& type, bool number = false) {
  return {TensorArgument{&type, number}};
}
SymInt symbol(const char* name) { return SymInt(make_symbol(name)); }

}  // namespace

TEST_CASE("broadcasting keeps symbolic sizes, and known numbers win") {
  const auto a = make_type(DType::float32, {symbol("s0"), 1, 4});
  const auto b = make_type(DType::float32, {3, 1});
  const auto call = infer("aten::add.Tensor", {tensor(a), tensor(b)});
  REQUIRE(call);
  CHECK(call->results[0].type.sizes == SymDims{symbol("s0"), 3, 4});
  CHECK(call->results[0].type.strides == SymDims{12, 4, 1});
}

TEST_CASE("sizes that do not broadcast are refused") {
  const auto a = make_type(DType::float32, {2, 3}), b = make_type(DType::float32, {2, 4});
  const auto call = infer("aten::mul.Tensor", {tensor(a), tensor(b)});
  REQUIRE_FALSE(call);
  CHECK(call.error().message().find("do not broadcast") != std::string::npos);
}

TEST_CASE("result dtypes follow the operator's policy") {
  struct Case {
    const char* name;
    DType a, b, expected;
  };
  const std::vector<Case> cases = {
      {"aten::add.Tensor", DType::int32, DType::float16, DType::float16},
      {"aten::div.Tensor", DType::int32, DType::int64, DType::float32},
      {"aten::floor_divide", DType::int32, DType::int64, DType::int64},
      {"aten::eq.Tensor", DType::float64, DType::int8, DType::bool_},
      {"aten::float_power.Tensor_Tensor", DType::int8, DType::float16, DType::float64},
      {"aten::atan2", DType::bfloat16, DType::float16, DType::float32},
      {"aten::bitwise_and.Tensor", DType::uint8, DType::int8, DType::int16},
      {"aten::complex", DType::float64, DType::float64, DType::complex128},
      {"aten::ldexp.Tensor", DType::float16, DType::int64, DType::float16},
  };
  for (const auto& c : cases) {
    CAPTURE(c.name);
    const auto a = make_type(c.a, {2}), b = make_type(c.b, {2});
    const auto call = infer(c.name, {tensor(a), tensor(b)});
    REQUIRE(call);
    CHECK(call->results[0].type.dtype == c.expected);
  }
}

TEST_CASE("bool tensors have no difference") {
  const auto a = make_type(DType::bool_, {2});
  CHECK_FALSE(infer("aten::sub.Tensor", {tensor(a), tensor(a)}));
}

TEST_CASE("unary operators keep a dense permutation, some give row-major results") {
  auto a = make_type(DType::float32, {3, 4});
  a.strides = {1, 3};
  CHECK(infer("aten::relu", {tensor(a)})->results[0].type.strides == SymDims{1, 3});
  CHECK(infer("aten::log_sigmoid", {tensor(a)})->results[0].type.strides == SymDims{4, 1});
}

TEST_CASE("to and contiguous are the tensor itself where nothing changes") {
  auto a = make_type(DType::float32, {3, 4});
  CHECK(infer("aten::to.dtype", {tensor(a), {Constant(DType::float32)}})->results[0].view_of == 0);
  CHECK(infer("aten::to.dtype", {tensor(a), {Constant(DType::int8)}})->results[0].view_of == -1);
  a.strides = {1, 3};
  CHECK(infer("aten::contiguous", {tensor(a)})->results[0].view_of == -1);
}

TEST_CASE("the length of arange is an expression where its end is") {
  const auto call = infer("aten::arange.start_step", {{SymInt(1)}, {symbol("s0")}, {SymInt(2)}});
  REQUIRE(call);
  CHECK_FALSE(call->results[0].type.sizes[0].known());
  CHECK(call->results[0].type.dtype == DType::int64);
  const auto known = infer("aten::arange.start_step", {{SymInt(1)}, {SymInt(6)}, {SymInt(2)}});
  CHECK(known->results[0].type.sizes == SymDims{3});
}

TEST_CASE("every schema of the tables is well-formed and has a rule or a functional form") {
  for (const auto family :
       {arithmetic_ops(), compare_ops(), math_ops(), activation_ops(), select_ops(), copy_ops(),
        creation_ops(), random_ops(), assertion_ops()})
    for (const auto& definition : family) {
      CAPTURE(definition.name());
      CHECK(parse_schema(definition.schema).error.empty());
      CHECK((definition.infer != nullptr) != !definition.functional.empty());
      if (!definition.functional.empty()) CHECK(find(definition.functional) != nullptr);
    }
}
