// Where the devices that a program names are on this machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0 {

/// A map of devices. A rule for a device with an index is for exactly that one; a rule for a type
/// (`cuda`) is for all its devices that have no rule of their own, and the default for all that are
/// left. A program that names an accelerator without an index means its device 0. Devices without
/// any rule stay.
class Placement {
 public:
  Placement() = default;
  /// Rules in the form `cuda:0=cpu,cuda=cuda:1,*=cpu`, where `*` is the default. Spaces may stand
  /// anywhere.
  [[nodiscard]] static Result<Placement> parse(std::string_view text);

  /// Later rules for the same device replace earlier ones.
  Placement& map(Device from, Device to);
  Placement& map_all(Device to) {
    default_ = to;
    return *this;
  }

  /// Where `device` is.
  [[nodiscard]] Device at(Device device) const noexcept;
  [[nodiscard]] bool empty() const noexcept { return rules_.empty() && !default_; }

  /// The form that `parse` takes.
  friend std::string to_string(const Placement& placement);
  friend bool operator==(const Placement&, const Placement&) = default;

 private:
  [[nodiscard]] static std::string_view trimmed(std::string_view text) noexcept;

  [[nodiscard]] static Result<Device> device(std::string_view text);

  Status parse_rule(std::string_view rule);

  [[nodiscard]] const Device* find(Device from) const noexcept;

  std::vector<std::pair<Device, Device>> rules_;
  std::optional<Device> default_;
};

[[nodiscard]] std::string to_string(const Placement& placement);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/core/placement-inl.hpp>
#endif
