// From a file in the page cache to a bound model: parse, map weights, bind kernels.
//
// Set TREADLE_ZOO to a folder of exported models (chain_1000.pt2, resnet50.pt2). The floor reads
// the file's bytes once.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <treadle/treadle.hpp>

namespace {

std::string path_of(const char* name) {
  const char* folder = std::getenv("TREADLE_ZOO");
  return folder ? std::string(folder) + "/" + name + ".pt2" : std::string();
}

void load(benchmark::State& state, const char* name) {
  const std::string path = path_of(name);
  if (path.empty()) return state.SkipWithError("TREADLE_ZOO is not set");
  for (auto _ : state) {
    auto model = treadle::Model<>::load(path);
    if (!model) return state.SkipWithError(model.error().message().c_str());
    benchmark::DoNotOptimize(model);
  }
}

void read_bytes(benchmark::State& state, const char* name) {
  const std::string path = path_of(name);
  if (path.empty()) return state.SkipWithError("TREADLE_ZOO is not set");
  for (auto _ : state) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    benchmark::DoNotOptimize(bytes.data());
  }
}

BENCHMARK_CAPTURE(read_bytes, chain_1000, "chain_1000")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, chain_1000, "chain_1000")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_bytes, resnet50, "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, resnet50, "resnet50")->Unit(benchmark::kMillisecond);

}  // namespace
