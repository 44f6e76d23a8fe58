// A custom operator: the program calls studio::soft_clip, which only its author knows.
//
//   registry = all stock kernels + studio::soft_clip ──▶ Model
#include <cmath>
#include <cstdio>

#include <treadle/treadle.hpp>

int main() {
  using treadle::cpu::Tensor;
  const char* path = TREADLE_EXAMPLES_DIR "/models/clip.pt2";

  // Without the kernel the file is refused, with what is missing.
  const auto refused = treadle::Model<>::load(path);
  if (!refused) std::printf("%s\n", refused.error().message().c_str());

  auto kernels = treadle::cpu::kernels();
  kernels.add<"studio::soft_clip(Tensor signal, float drive) -> Tensor">(
      [](treadle::RunContext<treadle::cpu::Backend>&, const Tensor& signal, double drive,
         Tensor& out) -> treadle::Status {
        const auto from = signal.elements<float>();
        const auto to = out.elements<float>();
        const auto d = static_cast<float>(drive);
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::tanh(from[i] * d) / d;
        return {};
      });
  auto model = treadle::Model<>::load(path, kernels);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message().c_str()), 1;
  auto outputs = model->run({*Tensor::from({0.0f, 0.1f, 1.0f, -10.0f}, {4})});
  if (!outputs) return std::fprintf(stderr, "%s\n", outputs.error().message().c_str()), 1;
  for (const float sample : (*outputs)[0].tensor()->elements<float>()) std::printf("%g ", sample);
  std::printf("\n");
  return 0;
}
