// Definitions of device placement.
#pragma once

#include <set>
#include <string>
#include <utility>

#include <treadle/pass/place_devices.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Calls `visit(Device&)` on every device that an argument holds.
template <class Visit>
void for_each_device(Argument& argument, Visit& visit) {
  if (const auto* device = argument.get<Device>()) {
    Device placed = *device;
    visit(placed);
    if (!(placed == *device)) argument = Constant(placed);
  } else if (auto* items = argument.list()) {
    for (auto& item : *items) for_each_device(item, visit);
  } else if (auto* entries = argument.dict()) {
    for (auto& entry : *entries) for_each_device(entry.second, visit);
  }
}

/// Applies a placement; a body that several nodes share is rewritten once.
class DevicePlacer {
 public:
  explicit DevicePlacer(const Placement& placement) : placement_(placement) {}

  Status run(GraphModule& module) {
    for (auto& input : module.signature.inputs)
      if (auto* device = std::get_if<Device>(&input.value)) place(*device);
    return for_each_graph(module.graph, [&](GraphBody& graph) {
      if (seen_.insert(&graph).second) run(graph);
      return Status();
    });
  }
  [[nodiscard]] bool changed() const noexcept { return changed_; }

 private:
  void place(Device& device) {
    const Device to = placement_.at(device);
    changed_ |= !(to == device);
    device = to;
  }

  void run(GraphBody& graph) {
    for (std::size_t i = 0; i < graph.value_capacity(); ++i)
      if (auto& type = graph.value(ValueId(i)).tensor) place(type->device);
    const auto visit = [this](Device& device) { place(device); };
    for (const NodeId id : graph.nodes()) {
      Node& node = graph.node(id);
      for (auto& argument : node.arguments) for_each_device(argument.value, visit);
      if (node.target == "higher_order::wrap_with_autocast") place_region(node);
    }
  }

  /// An autocast region names the type of its device as a text.
  void place_region(Node& node) {
    if (node.arguments.empty()) return;
    const auto* type = node.arguments[0].value.get<std::string>();
    if (!type) return;
    const Device to = placement_.at({parse_device_type(*type), -1});
    if (name(to.type) == *type || to.type == DeviceType::other) return;
    node.arguments[0].value = Constant(std::string(name(to.type)));
    changed_ = true;
  }

  const Placement& placement_;
  std::set<const GraphBody*> seen_;
  bool changed_ = false;
};

/// Counts devices.
class DeviceCounter {
 public:
  DeviceUse& at(Device device) {
    for (auto& use : uses_)
      if (use.device == device) return use;
    uses_.push_back({device});
    return uses_.back();
  }
  Status count(const GraphBody& graph) {
    for (std::size_t i = 0; i < graph.value_capacity(); ++i) {
      const GraphValue& value = graph.value(ValueId(i));
      if (value.tensor && !value.erased) ++at(value.tensor->device).tensors;
    }
    const auto visit = [this](const Device& device) { ++at(device).arguments; };
    for (const NodeId id : graph.nodes()) {
      for (const auto& argument : graph.node(id).arguments) {
        Argument copy = argument.value;
        for_each_device(copy, visit);
      }
      TREADLE_CHECK(
          for_each_subgraph(graph.node(id), [&](GraphBody& body) { return count(body); }));
    }
    return {};
  }
  std::vector<DeviceUse> take() { return std::move(uses_); }

 private:
  std::vector<DeviceUse> uses_;
};

}  // namespace detail

TREADLE_INLINE Result<bool> place_devices(GraphModule& module, const Placement& placement) {
  if (placement.empty()) return false;
  detail::DevicePlacer placer(placement);
  TREADLE_CHECK(placer.run(module));
  return placer.changed();
}

TREADLE_INLINE std::vector<DeviceUse> devices_of(const GraphModule& module) {
  detail::DeviceCounter counter;
  static_cast<void>(counter.count(module.graph));
  return counter.take();
}

}  // namespace treadle::inline v0
