// Checks definitions of composite operators against PyTorch's numbers.
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/kernels.hpp>
#include <treadle/exec/executor.hpp>
#include <treadle/graph/lint.hpp>
#include <treadle/graph/parse.hpp>
#include <treadle/graph/print.hpp>
#include <treadle/ops/decompositions.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/pass/decompose.hpp>
#include <treadle/sched/serial.hpp>

using namespace treadle;

namespace {

using Backend = cpu::Backend;

struct Case {
  const char* graph;
  std::vector<std::vector<float>> inputs;
  std::vector<float> expected;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
#include "composite_cases.inc"
  };
  return all;
}

template <class T>
void store(cpu::Tensor& tensor, const std::vector<float>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) tensor.data<T>()[i] = static_cast<T>(values[i]);
}

Value<Backend> tensor_of(const TensorType& type, const std::vector<float>& values) {
  Backend backend;
  auto tensor = backend.empty(make_meta(type.dtype, to_meta(type)->sizes));
  REQUIRE(tensor);
  if (type.dtype == DType::bool_)
    store<bool>(*tensor, values);
  else
    store<float>(*tensor, values);
  return *tensor;
}

float element(const cpu::Tensor& tensor, std::size_t flat) {
  const auto& meta = tensor.meta();
  std::int64_t rest = static_cast<std::int64_t>(flat), at = 0;
  for (std::size_t d = meta.rank(); d-- > 0;) {
    at += rest % meta.sizes[d] * meta.strides[d];
    rest /= meta.sizes[d];
  }
  if (meta.dtype == DType::bool_) return tensor.data<bool>()[at] ? 1.0f : 0.0f;
  REQUIRE(meta.dtype == DType::float32);
  return tensor.data<float>()[at];
}

/// The graph as a program of user inputs.
GraphModule as_module(GraphBody graph) {
  GraphModule module;
  for (const ValueId input : graph.inputs()) {
    InputSpec spec;
    spec.name = graph.value(input).name;
    module.signature.inputs.push_back(std::move(spec));
  }
  module.signature.outputs.resize(graph.outputs().size());
  module.graph = std::move(graph);
  return module;
}

bool is_composite(std::string_view target) {
  for (const auto& definition : composite_ops())
    if (definition.name() == target) return true;
  return false;
}

std::vector<float> run(GraphModule module, const std::vector<Value<Backend>>& inputs) {
  auto executable =
      Executable<Backend>::make(std::move(module), {}, cpu::kernels(), standard_ops(), {});
  if (!executable) FAIL(executable.error().message());
  auto state = (*executable)->make_state();
  REQUIRE(state);
  Serial scheduler;
  Executor<Backend, Serial> executor(*executable, scheduler);
  auto outputs = executor.run(inputs, *state);
  if (!outputs) FAIL(outputs.error().message());
  const auto result = (*outputs)[0].tensor();
  REQUIRE(result);
  std::vector<float> out;
  for (std::int64_t i = 0; i < element_count(result->meta()); ++i)
    out.push_back(element(*result, static_cast<std::size_t>(i)));
  return out;
}

}  // namespace

TEST_CASE("definitions of composite operators give PyTorch's numbers") {
  const auto kernels = cpu::kernels();
  const OpSet ops = standard_ops();
  for (const auto& row : cases()) {
    CAPTURE(row.graph);
    auto graph = parse_graph(row.graph);
    if (!graph) FAIL(graph.error().message());
    const auto changed = decompose(*graph, ops, [&](std::string_view target) {
      return kernels.contains(target) && !is_composite(target);
    });
    if (!changed) FAIL(changed.error().message());
    CHECK(*changed);
    const std::string text = print(*graph);
    CAPTURE(text);
    for (const auto& problem : lint(*graph)) FAIL(problem.message());
    std::vector<Value<Backend>> inputs;
    for (std::size_t i = 0; i < row.inputs.size(); ++i)
      inputs.push_back(tensor_of(*graph->value(graph->inputs()[i]).tensor, row.inputs[i]));
    const auto results = run(as_module(*std::move(graph)), inputs);
    REQUIRE(results.size() == row.expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      CAPTURE(i);
      CHECK(std::abs(results[i] - row.expected[i]) <= 1e-5f * (1 + std::abs(row.expected[i])));
    }
  }
}

TEST_CASE("a definition with symbolic sizes runs for any size") {
  auto graph = parse_graph(
      "graph(%x: float32[s0, 2], %y: float32[2, s1]):\n"
      "  %z: float32[s1, s0] = aten::einsum(equation=\"ij,jk->ki\", tensors=[%x, %y])\n"
      "  return (%z)");
  REQUIRE(graph);
  REQUIRE(decompose(*graph, standard_ops(),
                    [](std::string_view target) { return target != "aten::einsum"; }));
  for (const std::int64_t rows : {1, 3}) {
    const auto size = static_cast<std::size_t>(rows) * 2;
    const auto x = tensor_of(make_type(DType::float32, {rows, 2}), std::vector<float>(size, 2));
    const auto y = tensor_of(make_type(DType::float32, {2, 2}), {1, 2, 3, 4});
    const auto results = run(as_module(graph->clone()), {x, y});
    REQUIRE(results.size() == size);
    for (std::size_t i = 0; i < size; ++i) CHECK(results[i] == (i < size / 2 ? 8 : 12));
  }
}

TEST_CASE("the flash attention of other devices gives its result and the sizes it saw") {
  auto graph = parse_graph(
      "graph(%q: float32[1, 1, 2, 1], %k: float32[1, 1, 3, 1]):\n"
      "  %z: float32[1, 1, 2, 1], %l: float32[1, 1, 2], %a: int32[], %b: int32[], %m: sym_int, "
      "%n: sym_int, %c: int64[], %d: int64[], %e: float32[] = "
      "aten::_scaled_dot_product_flash_attention(query=%q, key=%k, value=%k)\n"
      "  return (%z)");
  if (!graph) FAIL(graph.error().message());
  REQUIRE(decompose(*graph, standard_ops(), [](std::string_view target) {
    return target != "aten::_scaled_dot_product_flash_attention";
  }));
  const auto q = tensor_of(make_type(DType::float32, {1, 1, 2, 1}), {0, 1});
  const auto k = tensor_of(make_type(DType::float32, {1, 1, 3, 1}), {0, 1, 2});
  const auto results = run(as_module(*std::move(graph)), {q, k});
  REQUIRE(results.size() == 2);
  CHECK(results[0] == doctest::Approx(1));
  CHECK(results[1] == doctest::Approx(1.5752103));  // (e + 2 e²) / (1 + e + e²)
}
