// New weights under a running program: one thread runs a session as an audio or control callback
// would, another loads weights. Each run sees one whole version; none waits, locks or allocates.
//
//   loader thread:   swap_weights ──▶ check, fold, prepare ──▶ one atomic step
//   callback thread: run  run  run  run  run  run              └▶ run  run  run
#include <atomic>
#include <cstdio>
#include <thread>

#include <treadle/treadle.hpp>

namespace {

int report(const treadle::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  return 1;
}

}  // namespace

int main() {
  const char* file = TREADLE_EXAMPLES_DIR "/digits/digits.pt2";
  auto model = treadle::Model<>::load(file);
  if (!model) return report(model.error());
  auto image = treadle::cpu::Tensor::zeros(treadle::DType::float32, {1, 1, 8, 8});
  auto session = model->session({*image});
  if (!session) return report(session.error());

  std::atomic<bool> stop{false};
  long runs = 0, failures = 0;
  std::thread callback([&] {
    for (; !stop || runs == 0; ++runs)
      if (!session->run()) ++failures;
  });

  int refused = 0;
  for (int i = 0; i < 20 && refused == 0; ++i)
    if (auto version = model->swap_weights(file); !version) refused = report(version.error());
  // Weights that do not fit change nothing.
  auto wrong = model->update_weights({{"no.such.weight", *image}});
  if (wrong) refused = 1;

  stop = true;
  callback.join();
  std::printf("%ld runs, %ld failed; weights are at version %llu, the last run used %llu\n", runs,
              failures, static_cast<unsigned long long>(model->weights_version()),
              static_cast<unsigned long long>(session->weights_version()));
  return failures == 0 && refused == 0 && model->weights_version() == 21 ? 0 : 1;
}
