// The concept of a backend that says which devices it has.
#pragma once

#include <concepts>

#include <treadle/backend/backend.hpp>
#include <treadle/core/device.hpp>

namespace treadle::inline v0 {

/// Refinement: the backend knows which devices it has: `has_device(device)`.
template <class B>
concept DeviceBackend = TensorBackend<B> && requires(const B& backend, const Device& device) {
  { backend.has_device(device) } noexcept -> std::same_as<bool>;
};

/// Whether tensors of this device can be made. A backend that does not say has the CPU only if its
/// elements are bytes in this process, else whatever a program names.
template <TensorBackend Backend>
[[nodiscard]] bool has_device([[maybe_unused]] const Backend& backend,
                              [[maybe_unused]] const Device& device) noexcept {
  if constexpr (DeviceBackend<Backend>)
    return backend.has_device(device);
  else
    return !HostBackend<Backend> || device.type == DeviceType::cpu;
}

}  // namespace treadle::inline v0
