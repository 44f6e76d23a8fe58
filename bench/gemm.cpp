// Matrix products against the measured multiply-add peak of one core.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <immintrin.h>
#include <new>

#include <benchmark/benchmark.h>

#include <treadle/cpu/gemm/gemm.hpp>

namespace {

using namespace treadle;
using namespace treadle::cpu;

constexpr int peak_steps = 1000;

/// Fourteen independent chains of multiply-adds: `peak_steps` each.
__attribute__((target("avx512f"))) void fma_chains_avx512(float* out) {
  __m512 x[14];
  const __m512 a = _mm512_set1_ps(0.999F), b = _mm512_set1_ps(0.001F);
  for (auto& v : x) v = b;
  for (int i = 0; i < peak_steps; ++i)
#pragma GCC unroll 14
    for (int j = 0; j < 14; ++j) x[j] = _mm512_fmadd_ps(x[j], a, b);
  for (const auto& v : x) _mm512_storeu_ps(out, _mm512_add_ps(_mm512_loadu_ps(out), v));
}

__attribute__((target("avx2,fma"))) void fma_chains_avx2(float* out) {
  __m256 x[12];
  const __m256 a = _mm256_set1_ps(0.999F), b = _mm256_set1_ps(0.001F);
  for (auto& v : x) v = b;
  for (int i = 0; i < peak_steps; ++i)
#pragma GCC unroll 12
    for (int j = 0; j < 12; ++j) x[j] = _mm256_fmadd_ps(x[j], a, b);
  for (const auto& v : x) _mm256_storeu_ps(out, _mm256_add_ps(_mm256_loadu_ps(out), v));
}

void fma_peak(benchmark::State& state) {
  const bool wide = state.range(0) != 0;
  float out[16] = {};
  for (auto _ : state) {
    if (wide)
      fma_chains_avx512(out);
    else
      fma_chains_avx2(out);
    benchmark::DoNotOptimize(out);
  }
  const double flops = 2.0 * peak_steps * (wide ? 14 * 16 : 12 * 8);
  state.counters["flops"] =
      benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}

struct Buffer {
  explicit Buffer(std::size_t bytes) : data(::operator new(bytes + 64, alignment)) {
    for (std::size_t i = 0; i < bytes / 4; ++i) static_cast<float*>(data)[i] = 0.25F;
  }
  ~Buffer() { ::operator delete(data, alignment); }
  Buffer(const Buffer&) = delete;
  static constexpr std::align_val_t alignment{64};
  void* data;
};

/// Seconds of one peak multiply-add flop, measured in the same process.
double peak_flops(simd::Target target) {
  float out[16] = {};
  double best = 0;
  for (int i = 0; i < 200; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    for (int r = 0; r < 10; ++r)
      target == simd::Target::avx512 ? fma_chains_avx512(out) : fma_chains_avx2(out);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::max(best, 20.0 * peak_steps * (target == simd::Target::avx512 ? 14 * 16 : 12 * 8) /
                              took.count());
  }
  benchmark::DoNotOptimize(out);
  return best;
}

/// Arguments: m, n, k, target, whether B is packed beforehand, whether B is stored transposed.
void product(benchmark::State& state) {
  const auto m = state.range(0), n = state.range(1), k = state.range(2);
  const auto target = static_cast<simd::Target>(state.range(3));
  const bool packed = state.range(4) != 0, transposed = state.range(5) != 0;
  if (target > simd::detect()) return state.SkipWithError("the machine lacks this target");
  const auto bytes = [](std::int64_t count) { return static_cast<std::size_t>(count) * 4; };
  const GemmPlan plan =
      make_gemm_plan(DType::float32, m, n, k, {.packed_b = packed, .target = target});
  const Buffer a(bytes(m * k)), b(bytes(k * n)), c(bytes(m * n)), scratch(plan.scratch_bytes),
      panels(packed_b_bytes(plan));
  GemmOperand right{b.data, transposed ? 1 : n, transposed ? k : 1};
  if (packed) pack_b(plan, right, panels.data), right = GemmOperand::packed(panels.data);
  const double peak = peak_flops(target);
  for (auto _ : state) {
    gemm(plan, {a.data, k, 1}, right, c.data, n, 1, {}, scratch.data, {});
    benchmark::ClobberMemory();
  }
  const auto flops = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  state.counters["flops"] =
      benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_peak"] =
      benchmark::Counter(flops / peak, benchmark::Counter::kIsIterationInvariantRate);
}

void shapes(benchmark::internal::Benchmark* bench) {
  const auto avx2 = static_cast<std::int64_t>(simd::Target::avx2);
  const auto avx512 = static_cast<std::int64_t>(simd::Target::avx512);
  for (const auto target : {avx512, avx2}) {
    for (const std::int64_t size : {64, 128, 256, 512, 1024})
      bench->Args({size, size, size, target, 0, 0});
    bench->Args({512, 512, 512, target, 1, 0});
    bench->Args({512, 512, 512, target, 0, 1});
    bench->Args({1, 64, 64, target, 1, 0});
    bench->Args({1, 64, 64, target, 0, 1});
    bench->Args({16, 64, 64, target, 1, 0});
    bench->Args({16, 64, 64, target, 0, 0});
    bench->Args({1, 1024, 1024, target, 1, 0});
    bench->Args({1, 1024, 1024, target, 0, 1});
    bench->Args({64, 3136, 576, target, 0, 0});
  }
}

BENCHMARK(fma_peak)->Arg(0)->Arg(1);
BENCHMARK(product)->Apply(shapes);

}  // namespace

BENCHMARK_MAIN();
