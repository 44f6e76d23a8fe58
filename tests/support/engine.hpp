// Binds a program built in code and runs it, for any backend and scheduler.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/kernels.hpp>
#include <treadle/exec/executor.hpp>
#include <treadle/exec/session.hpp>
#include <treadle/ops/standard.hpp>

namespace test {

template <class Backend>
using Values = std::vector<treadle::Value<Backend>>;

/// Every step becomes a task, whatever it costs: the most that schedulers can do to a program.
inline treadle::ExecutorOptions every_step_a_task() {
  return {.tasks = {.grain_ns = 0, .least_work_ns = 0, .least_gain = 0}};
}

/// Kernels of the stock backend, for backends derived from it too.
template <class Backend>
treadle::KernelRegistry<Backend> elementwise_kernels() {
  using Tensor = typename Backend::Tensor;
  using Context = treadle::RunContext<Backend>;
  treadle::KernelRegistry<Backend> registry;
  const auto each = [](auto function) {
    return [function](Context& context, const Tensor& a, const Tensor& b, auto&&... rest) {
      auto& out = std::get<sizeof...(rest) - 1>(std::tie(rest...));
      const auto count = treadle::element_count(context.backend().meta(out));
      const auto read = [&](const Tensor& t, std::int64_t i) {
        const auto& meta = context.backend().meta(t);
        if (meta.dtype == treadle::DType::float64)
          return static_cast<float>(t.template data<double>()[0]);
        return t.template data<float>()[i];
      };
      for (std::int64_t i = 0; i < count; ++i)
        out.template data<float>()[i] = function(read(a, i), read(b, i));
      return treadle::Status{};
    };
  };
  registry.template add<"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor">(
      each([](float a, float b) { return a + b; }));
  registry.template add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(
      each([](float a, float b) { return a * b; }));
  return registry;
}

/// A float32 weight of four zeros.
inline std::vector<treadle::WeightSource> zero_buffer(std::string name) {
  auto bytes = std::make_shared<std::vector<std::byte>>(16);
  treadle::WeightSource source;
  source.name = std::move(name);
  source.meta = treadle::make_meta(treadle::DType::float32, {4});
  source.bytes = *bytes;
  source.owner = bytes;
  return {source};
}

template <class Backend>
std::shared_ptr<const treadle::Executable<Backend>> bind(
    treadle::GraphModule module, std::vector<treadle::WeightSource> sources = {},
    Backend backend = {}) {
  auto weights = treadle::Weights<Backend>::make(backend, std::move(sources));
  REQUIRE(weights);
  auto executable = treadle::Executable<Backend>::make(std::move(module), *std::move(weights),
                                                       elementwise_kernels<Backend>(),
                                                       treadle::standard_ops(), backend);
  if (!executable) FAIL(executable.error().message());
  return *std::move(executable);
}

template <class Backend>
treadle::Value<Backend> vector_of(std::vector<float> elements) {
  Backend backend;
  auto tensor = backend.empty(
      treadle::make_meta(treadle::DType::float32, {static_cast<std::int64_t>(elements.size())}));
  REQUIRE(tensor);
  REQUIRE(backend.copy_from_host(*tensor, std::as_bytes(std::span(elements))));
  return *std::move(tensor);
}

template <class Backend>
std::vector<float> elements_of(const treadle::Value<Backend>& value) {
  const auto tensor = value.tensor();
  REQUIRE(tensor);
  Backend backend;
  std::vector<float> out(static_cast<std::size_t>(treadle::element_count(backend.meta(*tensor))));
  REQUIRE(backend.copy_to_host(*tensor, std::as_writable_bytes(std::span(out))));
  return out;
}

}  // namespace test
