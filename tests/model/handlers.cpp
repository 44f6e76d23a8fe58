// Kernels that a host gives to single nodes.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/treadle.hpp>

#include "exported/pt2.hpp"
#include "support/engine.hpp"

namespace {

using Cpu = treadle::cpu::Backend;
using Tensor = treadle::cpu::Tensor;
using Context = treadle::RunContext<Cpu>;

/// x + w, where w is ones, then relu.
treadle::ExportedArchive archive(const std::string& program = test::small_program) {
  auto records = test::today(program);
  records[1].second.clear();
  for (int i = 0; i < 6; ++i) records[1].second += std::string("\0\0\x80\x3f", 4);
  auto read = treadle::read_pt2(test::zip(records));
  if (!read) FAIL(read.error().message());
  return *std::move(read);
}

treadle::Result<treadle::Model<>> load(treadle::NodeHandlers<Cpu> handlers,
                                       const std::string& program = test::small_program) {
  static treadle::Serial scheduler;
  return treadle::Model<>::from(archive(program), scheduler, treadle::cpu::kernels(),
                                {.handlers = std::move(handlers)});
}

std::vector<float> run(treadle::Model<>& model) {
  auto outputs = model.run({*Tensor::from({-3.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f}, {2, 3})});
  if (!outputs) FAIL(outputs.error().message());
  return test::elements_of((*outputs)[0]);
}

/// Writes 7 everywhere.
const auto sevens = [](Context&, const Tensor&, Tensor& out) {
  for (auto& e : out.elements<float>()) e = 7;
  return treadle::Status();
};

}  // namespace

TEST_CASE("a handler's kernel runs in place of the registry's, in its node only") {
  treadle::NodeHandlers<Cpu> handlers;
  handlers.add<"aten::relu(Tensor self) -> Tensor">(
      [](const treadle::NodeView& node) {
        const auto* type = node.type("self");
        return type && type->dtype == treadle::DType::float32 && node.result(0)->sizes[0].is(2);
      },
      sevens);
  auto model = load(handlers);
  if (!model) FAIL(model.error().message());
  CHECK(run(*model) == std::vector<float>(6, 7.0f));
  std::vector<std::string> targets;
  const auto& graph = model->module().graph;
  for (const auto id : graph.nodes()) targets.push_back(graph.node(id).target);
  CHECK(targets == std::vector<std::string>{"aten::add.Tensor", "aten::relu@host0"});
}

TEST_CASE("nodes that no handler wants stay with the registry") {
  treadle::NodeHandlers<Cpu> handlers;
  handlers.add<"aten::relu(Tensor self) -> Tensor">(
      [](const treadle::NodeView& node) { return node.node().name == "other"; }, sevens);
  auto model = load(handlers);
  REQUIRE(model);
  CHECK(run(*model) == std::vector<float>{0, 2, 3, 4, 5, 6});
}

TEST_CASE("a handler takes a node before its operator is decomposed") {
  const auto program = test::replaced(test::small_program, "torch.ops.aten.relu.default",
                                      "torch.ops.aten.selu.default");
  treadle::NodeHandlers<Cpu> handlers;
  handlers.add<"aten::selu(Tensor self) -> Tensor">([](const treadle::NodeView&) { return true; },
                                                    sevens);
  auto model = load(handlers, program);
  if (!model) FAIL(model.error().message());
  CHECK(run(*model) == std::vector<float>(6, 7.0f));
}

TEST_CASE("a handler may take an operator that nobody knows") {
  const auto program = test::replaced(test::small_program, "torch.ops.aten.relu.default",
                                      "torch.ops.studio.sevens.default");
  REQUIRE(!load({}, program));
  treadle::NodeHandlers<Cpu> handlers;
  handlers.add<"studio::sevens(Tensor self) -> Tensor">(
      [](const treadle::NodeView&) { return true; }, sevens);
  auto model = load(handlers, program);
  if (!model) FAIL(model.error().message());
  CHECK(run(*model) == std::vector<float>(6, 7.0f));
}

TEST_CASE("the first handler that answers has the node") {
  treadle::NodeHandlers<Cpu> handlers;
  handlers.add([](const treadle::NodeView& node) -> std::optional<treadle::KernelEntry<Cpu>> {
    if (node.target() != "aten::relu") return std::nullopt;
    return treadle::make_kernel<Cpu, "aten::relu(Tensor self) -> Tensor">(sevens);
  });
  handlers.add<"aten::relu(Tensor self) -> Tensor">(
      [](const treadle::NodeView&) -> bool {
        FAIL("asked after it was taken");
        return true;
      },
      sevens);
  auto model = load(handlers);
  REQUIRE(model);
  CHECK(run(*model) == std::vector<float>(6, 7.0f));
}

TEST_CASE("a kernel for another operator or with other arguments is refused at its node") {
  const struct {
    treadle::KernelEntry<Cpu> entry;
    std::string_view message;
  } cases[] = {
      {treadle::make_kernel<Cpu, "aten::sigmoid(Tensor self) -> Tensor">(sevens),
       "node 'y' aten::relu: the handler gave a kernel for 'aten::sigmoid'"},
      {treadle::make_kernel<Cpu, "aten::relu(Tensor self, int k) -> Tensor">(
           [](Context&, const Tensor&, std::int64_t, Tensor&) { return treadle::Status(); }),
       "the handler's kernel takes other arguments than the operator"},
  };
  for (const auto& c : cases) {
    treadle::NodeHandlers<Cpu> handlers;
    handlers.add([&](const treadle::NodeView& node) -> std::optional<treadle::KernelEntry<Cpu>> {
      if (node.target() != "aten::relu") return std::nullopt;
      return c.entry;
    });
    const auto model = load(handlers);
    REQUIRE(!model);
    CAPTURE(model.error().message());
    CHECK(model.error().message().find(c.message) != std::string::npos);
  }
}
