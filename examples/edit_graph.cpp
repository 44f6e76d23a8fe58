// Editing a graph: read a program, replace every relu by tanh, run what came out.
//
//   mix.pt2 ──▶ GraphModule ──edit──▶ GraphModule ──▶ Model
#include <cstdio>

#include <treadle/graph/lint.hpp>
#include <treadle/graph/print.hpp>
#include <treadle/treadle.hpp>

int main() {
  auto archive = treadle::read_pt2(TREADLE_EXAMPLES_DIR "/models/mix.pt2");
  if (!archive) return std::fprintf(stderr, "%s\n", archive.error().message().c_str()), 1;
  treadle::GraphBody& graph = archive->module.graph;

  for (treadle::NodeId id = graph.first(), next; id.valid(); id = next) {
    next = graph.node(id).next;
    if (graph.node(id).target != "aten::relu") continue;
    const treadle::ValueId old = graph.node(id).outputs[0];
    treadle::Node node;
    node.name = "squash";
    node.target = "aten::tanh";
    node.arguments = graph.node(id).arguments;
    treadle::GraphValue value = graph.value(old);
    value.name = "squashed";
    value.users.clear();
    node.outputs.push_back(graph.add_value(std::move(value)));
    node.result_lengths.push_back(treadle::Node::single);
    const auto made = graph.add_node(std::move(node), id);
    graph.replace_all_uses(old, graph.node(made).outputs[0]);
    if (auto status = graph.remove_node(id); !status)
      return std::fprintf(stderr, "%s\n", status.error().message().c_str()), 1;
  }
  std::printf("%s\n", treadle::print(graph).c_str());

  treadle::Serial scheduler;
  auto model = treadle::Model<>::from(*std::move(archive), scheduler, treadle::cpu::kernels());
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message().c_str()), 1;
  const auto ones = treadle::cpu::Tensor::from({1.0f, 1.0f, 1.0f, 1.0f}, {4});
  auto outputs = model->run({*ones, *ones});
  if (!outputs) return std::fprintf(stderr, "%s\n", outputs.error().message().c_str()), 1;
  for (const float e : (*outputs)[0].tensor()->elements<float>()) std::printf("%g ", e);
  std::printf("\n");
  return 0;
}
