// Your own tensor type: a backend of four functions, and the three kernels that the program needs.
//   Samples = a shared std::vector<float> with sizes        treadle::Model<Studio>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include <treadle/model/model.hpp>

struct Samples {
  std::shared_ptr<std::vector<float>> data;
  treadle::TensorMeta meta;
};

struct Studio {
  using Tensor = Samples;
  treadle::Result<Samples> empty(const treadle::TensorMeta& meta) {
    const auto count = static_cast<std::size_t>(treadle::element_count(meta));
    return Samples{std::make_shared<std::vector<float>>(count), meta};
  }
  const treadle::TensorMeta& meta(const Samples& t) const { return t.meta; }
  treadle::Status copy_from_host(Samples& t, std::span<const std::byte> bytes) {
    std::memcpy(t.data->data(), bytes.data(), bytes.size());
    return {};
  }
  treadle::Status copy_to_host(const Samples& t, std::span<std::byte> bytes) {
    std::memcpy(bytes.data(), t.data->data(), bytes.size());
    return {};
  }
};

int main() {
  using Context = treadle::RunContext<Studio>;
  const auto each = [](const Samples& a, const Samples& b, Samples& out, auto op) {
    std::transform(a.data->begin(), a.data->end(), b.data->begin(), out.data->begin(), op);
    return treadle::Status{};
  };
  treadle::KernelRegistry<Studio> kernels;
  kernels.add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(
      [&](Context&, const Samples& a, const Samples& b, Samples& out) {
        return each(a, b, out, [](float x, float y) { return x * y; });
      });
  kernels.add<"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor">(
      [&](Context&, const Samples& a, const Samples& b, treadle::Scalar, Samples& out) {
        return each(a, b, out, [](float x, float y) { return x + y; });
      });
  kernels.add<"aten::relu(Tensor self) -> Tensor">([&](Context&, const Samples& a, Samples& out) {
    return each(a, a, out, [](float x, float) { return std::max(x, 0.0f); });
  });

  auto model = treadle::Model<Studio>::load(TREADLE_EXAMPLES_DIR "/models/mix.pt2", kernels);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message().c_str()), 1;
  const Samples dry{std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4}),
                    treadle::make_meta(treadle::DType::float32, {4})};
  auto outputs = model->run({dry, dry});
  if (!outputs) return std::fprintf(stderr, "%s\n", outputs.error().message().c_str()), 1;
  for (const float sample : *(*outputs)[0].tensor()->data) std::printf("%g ", sample);
  return std::printf("\n"), 0;
}
