// Rewrites the devices that a program names to those that this machine has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/placement.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0 {

/// Applies a placement to the metadata of all tensors, to every device among the arguments of
/// nodes and the constants of the signature, and to the device type of autocast regions, in all
/// graphs. True if anything changed. Weights have metadata of their own; see `Placement::at`.
[[nodiscard]] Result<bool> place_devices(GraphModule& module, const Placement& placement);

/// A device that a program names, and how often.
struct DeviceUse {
  Device device;
  std::size_t tensors = 0;    ///< values of any graph
  std::size_t arguments = 0;  ///< devices given to nodes
  std::size_t weights = 0;    ///< filled in by whoever has them

  friend bool operator==(const DeviceUse&, const DeviceUse&) = default;
};

/// `cuda:0 (12 tensors, 1 weight)`.
[[nodiscard]] inline std::string to_string(const DeviceUse& use) {
  std::string text;
  const auto count = [&](std::size_t n, std::string_view what) {
    if (n > 0) text += concat(text.empty() ? "" : ", ", n, ' ', what, n == 1 ? "" : "s");
  };
  count(use.tensors, "tensor");
  count(use.weights, "weight");
  count(use.arguments, "argument");
  return concat(to_string(use.device), " (", text, ')');
}

/// All devices of a program in the order of their first use, subgraphs included.
[[nodiscard]] std::vector<DeviceUse> devices_of(const GraphModule& module);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/pass/place_devices-inl.hpp>
#endif
