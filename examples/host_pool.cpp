// Your own thread pool, lent to the engine: here an arena of oneTBB that the host made for itself.
//
//   executor ──tasks──▶ queue ◀── visits of the arena's workers
//                         ▲
//                         └────── the caller, while it waits
#include <cstdio>

#include <oneapi/tbb/task_arena.h>

#include <treadle/sched/tbb.hpp>
#include <treadle/treadle.hpp>

int main() {
  oneapi::tbb::task_arena arena(2);
  treadle::TbbScheduler lent(arena);  // must outlive the model
  using HostModel = treadle::Model<treadle::cpu::Backend, treadle::TbbScheduler>;
  auto model = HostModel::load(TREADLE_EXAMPLES_DIR "/digits/digits.pt2", lent);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message().c_str()), 1;
  auto image = treadle::cpu::Tensor::zeros(treadle::DType::float32, {1, 1, 8, 8});
  auto outputs = model->run({*image});
  if (!outputs) return std::fprintf(stderr, "%s\n", outputs.error().message().c_str()), 1;
  std::printf("%zu scores, on up to %zu threads that belong to the host\n",
              static_cast<std::size_t>((*outputs)[0].tensor()->count()), lent.concurrency());
  return 0;
}
