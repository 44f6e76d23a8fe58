// Puts a program file's devices where the backend has them.
#pragma once

#include <string>
#include <vector>

#include <treadle/backend/device_backend.hpp>
#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/placement.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exported/exported_archive.hpp>
#include <treadle/pass/place_devices.hpp>

namespace treadle::inline v0 {

/// Applies a placement to the program and the metadata of its weights.
[[nodiscard]] Status place_archive(ExportedArchive& archive, const Placement& placement);

/// All devices of a file: those of the program, and those of weights.
[[nodiscard]] std::vector<DeviceUse> devices_of(const ExportedArchive& archive);

/// Refuses a program that names devices which the backend does not have; all are listed, with how
/// often. Backends that do not say what they have take everything.
template <TensorBackend Backend>
[[nodiscard]] Status check_devices(const Backend& backend, const ExportedArchive& archive) {
  std::string missing, rules;
  for (const auto& use : devices_of(archive)) {
    if (has_device(backend, use.device)) continue;
    missing += concat(missing.empty() ? "" : ", ", to_string(use));
    const bool known = use.device.type != DeviceType::other;
    rules += concat(rules.empty() ? "" : ",", known ? to_string(use.device) : "*", "=cpu");
  }
  if (missing.empty()) return {};
  return Error(
      ErrorCode::unsupported_file,
      concat("the program names devices that the backend does not have: ", missing,
             "; say where they are with ModelOptions::placement or --device-map, e.g. ", rules));
}

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/model/place_archive-inl.hpp>
#endif
