// What a host adds to a program besides kernels.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <treadle/exec/custom_classes.hpp>
#include <treadle/exec/delegate.hpp>

namespace treadle::inline v0 {

/// Belongs to one executable.
template <TensorBackend Backend>
struct HostParts {
  CustomClasses<Backend> classes;
  std::vector<ObjectSource> objects;                          ///< those of the file
  std::vector<std::shared_ptr<Delegate<Backend>>> delegates;  ///< those of the program's nodes

  [[nodiscard]] const ObjectSource* find_object(std::string_view name) const noexcept {
    for (const auto& object : objects)
      if (object.name == name) return &object;
    return nullptr;
  }
};

}  // namespace treadle::inline v0
