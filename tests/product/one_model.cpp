// A program with nothing but what one model needs, header-only: the header is the one that the tool
// writes for that model.
#include <cmath>
#include <cstdio>
#include <small_convnet_kernels.hpp>
#include <string>
#include <vector>

#include <treadle/archive/npz.hpp>
#include <treadle/cpu/tensor.hpp>

using Cpu = treadle::cpu::Backend;
using Options = treadle::ModelOptions<Cpu, ModelDialect>;

namespace {

int fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  return 1;
}

/// The float arrays `name0`, `name1`, … of a file.
treadle::Result<std::vector<treadle::NpyArray>> read_arrays(const std::string& path,
                                                            const std::string& name) {
  TREADLE_TRY(auto all, treadle::read_npz(path));
  std::vector<treadle::NpyArray> found;
  for (auto& [own, array] : all)
    if (own == name + std::to_string(found.size())) found.push_back(std::move(array));
  return found;
}

const float* floats(const treadle::NpyArray& array) {
  return reinterpret_cast<const float*>(array.data.span().data());
}

}  // namespace

int main() {
  const std::string path = std::string(TREADLE_GOLDEN_DIR) + "/programs/small_convnet";
  auto model = treadle::Model<>::load(path + ".pt2", model_kernels(), Options{});
  if (!model) return fail(model.error().message());
  const auto inputs = read_arrays(path + ".npz", "in");
  const auto expected = read_arrays(path + ".npz", "out");
  if (!inputs || !expected || inputs->empty() || expected->empty()) return fail("no arrays");

  std::vector<treadle::Value<Cpu>> given;
  for (const auto& array : *inputs)
    given.emplace_back(treadle::cpu::Tensor::borrow(floats(array), array.sizes));
  const auto outputs = model->run(given);
  if (!outputs) return fail(outputs.error().message());
  for (std::size_t i = 0; i < expected->size(); ++i) {
    const auto& wanted = (*expected)[i];
    const float* got = (*outputs)[i].tensor()->data<float>();
    for (std::size_t k = 0; k < wanted.data.span().size_bytes() / sizeof(float); ++k)
      if (!(std::abs(got[k] - floats(wanted)[k]) <= 1e-5f)) return fail("another result");
  }
  return 0;
}
