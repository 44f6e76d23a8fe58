// Definitions of place_archive.hpp.
#pragma once

#include <vector>

#include <treadle/model/place_archive.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE Status place_archive(ExportedArchive& archive, const Placement& placement) {
  TREADLE_CHECK(place_devices(archive.module, placement));
  for (auto& weight : archive.weights) weight.meta.device = placement.at(weight.meta.device);
  return {};
}

TREADLE_INLINE std::vector<DeviceUse> devices_of(const ExportedArchive& archive) {
  auto uses = devices_of(archive.module);
  for (const auto& weight : archive.weights) {
    DeviceUse* found = nullptr;
    for (auto& use : uses)
      if (use.device == weight.meta.device) found = &use;
    if (!found) found = &uses.emplace_back(DeviceUse{weight.meta.device});
    ++found->weights;
  }
  return uses;
}

}  // namespace treadle::inline v0
