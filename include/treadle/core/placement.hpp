// Where the devices that a program names are on this machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/parse_device.hpp>
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
  [[nodiscard]] static Result<Placement> parse(std::string_view text) {
    Placement made;
    while (!trimmed(text).empty()) {
      const auto comma = text.find(',');
      TREADLE_CHECK(made.parse_rule(trimmed(text.substr(0, comma))));
      text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return made;
  }

  /// Later rules for the same device replace earlier ones.
  Placement& map(Device from, Device to) {
    for (auto& rule : rules_)
      if (rule.first == from) return rule.second = to, *this;
    rules_.emplace_back(from, to);
    return *this;
  }
  Placement& map_all(Device to) {
    default_ = to;
    return *this;
  }

  /// Where `device` is.
  [[nodiscard]] Device at(Device device) const noexcept {
    if (const auto* rule = find(device)) return *rule;
    if (device.index < 0 && device.type != DeviceType::cpu)
      if (const auto* rule = find({device.type, 0})) return *rule;
    if (device.index >= 0)
      if (const auto* rule = find({device.type, -1})) return *rule;
    return default_.value_or(device);
  }
  [[nodiscard]] bool empty() const noexcept { return rules_.empty() && !default_; }

  /// The form that `parse` takes.
  friend std::string to_string(const Placement& placement) {
    std::string text;
    for (const auto& [from, to] : placement.rules_)
      text +=
          concat(text.empty() ? "" : ",", treadle::to_string(from), '=', treadle::to_string(to));
    if (placement.default_)
      text += concat(text.empty() ? "*=" : ",*=", treadle::to_string(*placement.default_));
    return text;
  }
  friend bool operator==(const Placement&, const Placement&) = default;

 private:
  [[nodiscard]] static std::string_view trimmed(std::string_view text) noexcept {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
  }

  [[nodiscard]] static Result<Device> device(std::string_view text) {
    const auto found = parse_device(text);
    if (found && found->type != DeviceType::other) return *found;
    return Error(ErrorCode::invalid_argument,
                 concat("'", text, "' is no device; expected one like cpu, cuda or cuda:0"));
  }

  Status parse_rule(std::string_view rule) {
    const auto equals = rule.find('=');
    if (equals == std::string_view::npos)
      return Error(ErrorCode::invalid_argument,
                   concat("'", rule, "' maps no device; expected one like cuda:0=cpu or *=cpu"));
    const std::string_view from = trimmed(rule.substr(0, equals));
    TREADLE_TRY(const Device to, device(trimmed(rule.substr(equals + 1))));
    if (from == "*") {
      map_all(to);
      return {};
    }
    TREADLE_TRY(const Device source, device(from));
    map(source, to);
    return {};
  }

  [[nodiscard]] const Device* find(Device from) const noexcept {
    for (const auto& rule : rules_)
      if (rule.first == from) return &rule.second;
    return nullptr;
  }

  std::vector<std::pair<Device, Device>> rules_;
  std::optional<Device> default_;
};

}  // namespace treadle::inline v0
