// Printing a plan: what was decided before the first run, step by step.
#include <cstdio>

#include <treadle/treadle.hpp>

int main() {
  auto model = treadle::Model<>::load(TREADLE_EXAMPLES_DIR "/digits/digits.pt2");
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message().c_str()), 1;
  auto image = treadle::cpu::Tensor::zeros(treadle::DType::float32, {1, 1, 8, 8});
  auto session = model->session({*image});
  if (!session) return std::fprintf(stderr, "%s\n", session.error().message().c_str()), 1;

  const auto& plan = session->plan();
  const auto& graph = *plan.graph->graph;
  for (const auto& step : plan.steps) {
    const auto& node = graph.node(step.node);
    std::printf("%-12s %-28s", node.name.c_str(), node.target.c_str());
    for (const auto out : node.outputs)
      if (const auto& meta = plan.known.facts(out).meta)
        std::printf(" %s", to_string(*meta).c_str());
    std::printf("\n");
  }
  std::printf("arena %zu bytes (no plan could do with less than %zu), prepared %zu bytes\n",
              plan.arena_bytes, plan.lower_bound, plan.kept_bytes);
  return 0;
}
