// Convolutions of well-known networks, against the same multiplications as one packed product.
#include <cstddef>
#include <cstdint>
#include <new>

#include <benchmark/benchmark.h>

#include <treadle/cpu/gemm/conv.hpp>
#include <treadle/cpu/gemm/gemm.hpp>

namespace {

using namespace treadle;
using namespace treadle::cpu;

struct Buffer {
  explicit Buffer(std::size_t bytes) : data(::operator new(bytes + 64, alignment)) {
    for (std::size_t i = 0; i < bytes / 4; ++i) static_cast<float*>(data)[i] = 0.25F;
  }
  ~Buffer() { ::operator delete(data, alignment); }
  Buffer(const Buffer&) = delete;
  static constexpr std::align_val_t alignment{64};
  void* data;
};

/// Arguments: channels in and out, groups, input size, kernel, stride; padding keeps the size.
ConvGeometry geometry(const benchmark::State& state) {
  ConvGeometry g;
  g.in_channels = state.range(0);
  g.out_channels = state.range(1);
  g.groups = state.range(2);
  g.input = {state.range(3), state.range(3), 1};
  g.kernel = {state.range(4), state.range(4), 1};
  g.stride = {state.range(5), state.range(5), 1};
  g.padding = {state.range(4) / 2, state.range(4) / 2, 0};
  for (std::size_t d = 0; d < 2; ++d) g.output[d] = conv_output_size(g, d);
  return g;
}

double multiplications(const ConvGeometry& g) {
  return static_cast<double>(g.out_channels * g.output[0] * g.output[1]) *
         static_cast<double>(g.in_channels / g.groups * g.kernel[0] * g.kernel[1]);
}

void convolution(benchmark::State& state) {
  const ConvGeometry g = geometry(state);
  const ConvPlan plan = make_conv_plan(DType::float32, g);
  const auto bytes = [](std::int64_t count) { return static_cast<std::size_t>(count) * 4; };
  const Buffer input(bytes(g.in_channels * g.input[0] * g.input[1]));
  const Buffer weight(
      bytes(g.out_channels * (g.in_channels / g.groups) * g.kernel[0] * g.kernel[1]));
  const Buffer output(bytes(g.out_channels * g.output[0] * g.output[1]));
  const Buffer packed(packed_weight_bytes(plan)), scratch(plan.scratch_bytes);
  pack_weight(plan, weight.data, packed.data);
  for (auto _ : state) {
    convolve(plan, input.data, packed.data, output.data, {}, scratch.data, {});
    benchmark::ClobberMemory();
  }
  state.counters["flops"] =
      benchmark::Counter(2 * multiplications(g), benchmark::Counter::kIsIterationInvariantRate);
}

/// The floor: the product of the same sizes, both sides packed.
void product(benchmark::State& state) {
  const ConvGeometry g = geometry(state);
  const std::int64_t m = g.out_channels / g.groups, n = g.output[0] * g.output[1];
  const std::int64_t k = g.in_channels / g.groups * g.kernel[0] * g.kernel[1];
  const GemmPlan plan =
      make_gemm_plan(DType::float32, m, n, k, {.packed_a = true, .packed_b = true});
  const Buffer a(packed_a_bytes(plan)), b(packed_b_bytes(plan));
  const Buffer c(static_cast<std::size_t>(m * n) * 4);
  for (auto _ : state) {
    for (std::int64_t i = 0; i < g.groups; ++i)
      gemm(plan, GemmOperand::packed(a.data), GemmOperand::packed(b.data), c.data, n, 1, {},
           nullptr, {});
    benchmark::ClobberMemory();
  }
  state.counters["flops"] =
      benchmark::Counter(2 * multiplications(g), benchmark::Counter::kIsIterationInvariantRate);
}

void layers(benchmark::internal::Benchmark* bench) {
  bench->Args({3, 64, 1, 224, 7, 2})
      ->Args({64, 64, 1, 56, 3, 1})
      ->Args({128, 128, 1, 28, 3, 1})
      ->Args({512, 512, 1, 7, 3, 1})
      ->Args({256, 64, 1, 56, 1, 1})
      ->Args({64, 64, 64, 112, 3, 1})
      ->Args({96, 96, 96, 112, 3, 2})
      ->Args({384, 384, 384, 14, 3, 1});
}

BENCHMARK(convolution)->Apply(layers);
BENCHMARK(product)->Apply(layers);

}  // namespace

BENCHMARK_MAIN();
