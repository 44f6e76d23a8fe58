// The first run: a file, an input, an output.
//
//   mix.pt2 ──▶ Model ──▶ run({dry, wet}) ──▶ relu(dry * gain + wet)
#include <cstdio>

#include <treadle/treadle.hpp>

namespace {

int report(const treadle::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  return 1;
}

}  // namespace

int main() {
  auto model = treadle::Model<>::load(TREADLE_EXAMPLES_DIR "/models/mix.pt2");
  if (!model) return report(model.error());

  auto dry = treadle::cpu::Tensor::from({1.0f, 2.0f, 3.0f, 4.0f}, {4});
  auto wet = treadle::cpu::Tensor::from({1.0f, 1.0f, 1.0f, 1.0f}, {4});
  if (!dry || !wet) return 1;

  auto outputs = model->run({*dry, *wet});
  if (!outputs) return report(outputs.error());

  const auto mixed = (*outputs)[0].tensor();
  if (!mixed) return report(mixed.error());
  for (const float sample : mixed->elements<float>()) std::printf("%g ", sample);
  std::printf("\n");
  return mixed->elements<float>()[1] == 5.0f ? 0 : 1;
}
