// Your own scheduler: three functions that lend the host's threads. Here the "host" is a list of
// tasks that the caller works through, last in first out, and counts.
//
//   executor ──submit──▶ [task task task] ──help_until_zero──▶ the caller runs them
#include <atomic>
#include <cstdio>
#include <vector>

#include <treadle/treadle.hpp>

class HostQueue {
 public:
  std::size_t concurrency() const noexcept { return 2; }
  void submit(treadle::Task task) noexcept { tasks_.push_back(task); }
  void help_until_zero(std::atomic<std::int64_t>& pending) noexcept {
    while (pending.load(std::memory_order_acquire) > 0 && !tasks_.empty()) {
      const treadle::Task task = tasks_.back();
      tasks_.pop_back();
      ++ran_;
      task.run();
    }
  }
  int ran() const { return ran_; }

 private:
  std::vector<treadle::Task> tasks_;
  int ran_ = 0;
};
static_assert(treadle::Scheduler<HostQueue>);

int main() {
  HostQueue queue;  // must outlive the model
  using HostModel = treadle::Model<treadle::cpu::Backend, HostQueue>;
  auto model = HostModel::load(TREADLE_EXAMPLES_DIR "/digits/digits.pt2", queue);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message().c_str()), 1;
  auto image = treadle::cpu::Tensor::zeros(treadle::DType::float32, {1, 1, 8, 8});
  auto outputs = model->run({*image});
  if (!outputs) return std::fprintf(stderr, "%s\n", outputs.error().message().c_str()), 1;
  std::printf("%zu scores; the host ran %d tasks besides the caller's own chain\n",
              static_cast<std::size_t>((*outputs)[0].tensor()->count()), queue.ran());
  return 0;
}
