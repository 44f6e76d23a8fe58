// Looking inside a run: a trace file, every node's outputs, one node at a time.
#include <cstdio>

#include <treadle/exec/node_observer.hpp>
#include <treadle/exec/program_trace.hpp>
#include <treadle/exec/stepper.hpp>
#include <treadle/treadle.hpp>

using treadle::Serial;
using Backend = treadle::cpu::Backend;

namespace {

/// Both tracers at once: a tracer is any class with the hooks that it wants.
struct Watcher : treadle::Recorder {
  treadle::NodeObserver<Backend> observer;
  treadle::Status on_outputs(const treadle::RunningNode<Backend>& node) {
    return observer.on_outputs(node);
  }
};

treadle::Status look() {
  TREADLE_TRY(auto model, (treadle::Model<Backend, Serial, Watcher>::load(TREADLE_EXAMPLES_DIR
                                                                          "/digits/digits.pt2")));
  TREADLE_TRY(const auto image, treadle::cpu::Tensor::zeros(treadle::DType::float32, {1, 1, 8, 8}));
  TREADLE_TRY(auto session, model.session({image}));

  Watcher& watcher = model.executor().tracer();
  watcher.reset();
  watcher.observer.callback = [](const treadle::RunningNode<Backend>& node) -> treadle::Status {
    for (const auto v : node.node().outputs)
      if (const auto* tensor = node.tensor(v))
        std::printf("%-14s %s\n", node.node().name.c_str(), to_string(tensor->meta()).c_str());
    return {};
  };
  TREADLE_CHECK(session.run());
  const auto file = treadle::chrome_trace(watcher, session.plan(), "digits");
  std::printf("a trace file of %zu bytes for https://ui.perfetto.dev\n", file.size());

  treadle::Stepper<Backend> stepper(session);
  while (const auto* node = stepper.current()) {
    std::printf("%zu/%zu %s\n", stepper.position() + 1, stepper.step_count(), node->name.c_str());
    TREADLE_CHECK(stepper.next());
  }
  return {};
}

}  // namespace

int main() {
  const auto status = look();
  if (!status) std::fprintf(stderr, "%s\n", status.error().message().c_str());
  return status ? 0 : 1;
}
