// Devices of a program: counted, and mapped everywhere they stand.
#include <memory>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <treadle/pass/place_devices.hpp>

#include "pass/graphs.hpp"

using treadle::Argument;
using treadle::Constant;
using treadle::Device;
using treadle::DeviceType;
using treadle::Placement;

namespace {

constexpr Device cuda0{DeviceType::cuda, 0};
constexpr Device cuda1{DeviceType::cuda, 1};

treadle::ValueId add_tensor(treadle::GraphBody& graph, std::string name, Device device,
                            bool input) {
  treadle::GraphValue value;
  value.name = std::move(name);
  value.tensor = treadle::make_type(treadle::DType::float32, {4}, device);
  return input ? graph.add_input(std::move(value)) : graph.add_value(std::move(value));
}

/// A conversion to cuda:1, and an autocast region with a tensor of its own.
treadle::GraphModule program() {
  treadle::GraphModule module;
  const auto x = add_tensor(module.graph, "x", cuda0, true);
  treadle::Node to;
  to.name = "moved";
  to.target = "aten::to.device";
  to.arguments = {{"self", x, false},
                  {"device", Constant(cuda1), false},
                  {"others", Argument(Argument::List{Constant(cuda0), x}), false}};
  to.outputs = {add_tensor(module.graph, "moved", cuda1, false)};
  to.result_lengths = {treadle::Node::single};
  module.graph.add_node(std::move(to));
  auto body = std::make_shared<treadle::GraphBody>();
  add_tensor(*body, "inner", cuda0, true);
  treadle::Node region;
  region.name = "region";
  region.target = "higher_order::wrap_with_autocast";
  region.arguments = {{"", Constant(std::string("cuda")), false},
                      {"", Argument(treadle::Subgraph{"body", body}), false}};
  module.graph.add_node(std::move(region));
  treadle::InputSpec spec;
  spec.value = cuda1;
  module.signature.inputs.push_back(spec);
  return module;
}

}  // namespace

TEST_CASE("devices are counted through subgraphs and lists") {
  const auto uses = treadle::devices_of(program());
  REQUIRE(uses.size() == 2);
  CHECK(uses[0] == treadle::DeviceUse{cuda0, 2, 1, 0});
  CHECK(uses[1] == treadle::DeviceUse{cuda1, 1, 1, 0});
  CHECK(to_string(uses[0]) == "cuda:0 (2 tensors, 1 argument)");
}

TEST_CASE("a placement reaches tensors, arguments, lists, subgraphs and constants") {
  auto module = program();
  const auto placement = *Placement::parse("cuda:0=cpu,cuda:1=cuda:0,cuda=cpu");
  const auto changed = treadle::place_devices(module, placement);
  REQUIRE(changed);
  CHECK(*changed);
  const auto& graph = module.graph;
  CHECK(graph.value(graph.find_value("x")).tensor->device == Device{});
  CHECK(graph.value(graph.find_value("moved")).tensor->device == cuda0);
  const auto& to = graph.node(graph.first());
  CHECK(*to.find("device")->get<Device>() == cuda0);
  CHECK(*(*to.find("others")->list())[0].get<Device>() == Device{});
  const auto& region = graph.node(graph.last());
  CHECK(*region.arguments[0].value.get<std::string>() == "cpu");
  const auto& inner = *region.arguments[1].value.subgraph()->body;
  CHECK(inner.value(inner.find_value("inner")).tensor->device == Device{});
  CHECK(std::get<Device>(module.signature.inputs[0].value) == cuda0);
}

TEST_CASE("a body that two nodes share is placed once") {
  auto module = program();
  treadle::Node again = module.graph.node(module.graph.last());
  again.name = "again";
  again.arguments.erase(again.arguments.begin());
  module.graph.add_node(std::move(again));
  REQUIRE(treadle::place_devices(module, *Placement::parse("cuda:0=cuda:1,cuda:1=cpu")));
  const auto& inner = *module.graph.node(module.graph.last()).arguments[0].value.subgraph()->body;
  CHECK(inner.value(inner.find_value("inner")).tensor->device == cuda1);
}

TEST_CASE("an empty placement changes nothing") {
  auto module = program();
  const auto changed = treadle::place_devices(module, {});
  REQUIRE(changed);
  CHECK(!*changed);
}
