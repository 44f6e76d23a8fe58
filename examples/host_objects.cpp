// A host's own kernel for one node, and a class of its own for a program's custom object.
//
//   x ─▶ mul ─▶ queue.push … queue.pop ─▶ sub ─▶ out        queue: a studio::Queue of the file
//               └────────── this host's class ──────────┘
#include <cstdio>
#include <memory>
#include <vector>

#include <treadle/treadle.hpp>

using treadle::cpu::Backend;
using treadle::cpu::Tensor;

/// What the program calls `studio::Queue`.
struct Queue {
  void push(const Tensor& tensor) { items.push_back(tensor); }
  Tensor pop() {
    Tensor first = items.empty() ? Tensor() : items.front();
    if (!items.empty()) items.erase(items.begin());
    return first;
  }
  std::vector<Tensor> items;
};

int main() {
  treadle::ModelOptions options;
  options.classes
      .add_class("studio::Queue",
                 [](const treadle::ObjectSource& source) {  // source.bytes: what PyTorch pickled
                   std::printf("making '%s' from %zu bytes\n", source.name.c_str(),
                               source.bytes.size());
                   return std::make_shared<Queue>();
                 })
      .add("studio::Queue", "push", &Queue::push)
      .add("studio::Queue", "pop", &Queue::pop)
      .add("studio::Queue", "mix", [](Queue&, const Tensor& tensor, double) { return tensor; });
  // One node, float32 subtraction, is computed here; all others by the stock kernels.
  options.handlers.add<"aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor">(
      [](const treadle::NodeView& node) {
        return node.result(0) && node.result(0)->dtype == treadle::DType::float32;
      },
      [](treadle::RunContext<Backend>&, const Tensor& a, const Tensor& b, treadle::Scalar,
         Tensor& out) -> treadle::Status {
        for (std::size_t i = 0; i < out.elements<float>().size(); ++i)
          out.elements<float>()[i] = a.elements<float>()[i] - b.elements<float>()[i];
        return {};
      });
  auto model =
      treadle::Model<>::load(TREADLE_EXAMPLES_DIR "/../tests/golden/objects/effects.pt2", options);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message().c_str()), 1;
  auto outputs = model->run({*Tensor::from({1.0f, -1.0f, 2.0f, 0.5f}, {4})});
  if (!outputs) return std::fprintf(stderr, "%s\n", outputs.error().message().c_str()), 1;
  for (const float e : (*outputs)[0].tensor()->elements<float>()) std::printf("%g ", e);
  std::printf("\n");
  return 0;
}
