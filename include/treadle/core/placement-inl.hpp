// Definitions of placement.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>
#include <treadle/core/parse_device.hpp>
#include <treadle/core/placement.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE Result<Placement> Placement::parse(std::string_view text) {
  Placement made;
  while (!trimmed(text).empty()) {
    const auto comma = text.find(',');
    TREADLE_CHECK(made.parse_rule(trimmed(text.substr(0, comma))));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return made;
}

TREADLE_INLINE Placement& Placement::map(Device from, Device to) {
  for (auto& rule : rules_)
    if (rule.first == from) return rule.second = to, *this;
  rules_.emplace_back(from, to);
  return *this;
}

TREADLE_INLINE std::string_view Placement::trimmed(std::string_view text) noexcept {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

TREADLE_INLINE Result<Device> Placement::device(std::string_view text) {
  const auto found = parse_device(text);
  if (found && found->type != DeviceType::other) return *found;
  return Error(ErrorCode::invalid_argument,
               concat("'", text, "' is no device; expected one like cpu, cuda or cuda:0"));
}

TREADLE_INLINE Status Placement::parse_rule(std::string_view rule) {
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

TREADLE_INLINE const Device* Placement::find(Device from) const noexcept {
  for (const auto& rule : rules_)
    if (rule.first == from) return &rule.second;
  return nullptr;
}

TREADLE_INLINE Device Placement::at(Device device) const noexcept {
  if (const auto* rule = find(device)) return *rule;
  if (device.index < 0 && device.type != DeviceType::cpu)
    if (const auto* rule = find({device.type, 0})) return *rule;
  if (device.index >= 0)
    if (const auto* rule = find({device.type, -1})) return *rule;
  return default_.value_or(device);
}

TREADLE_INLINE std::string to_string(const Placement& placement) {
  std::string text;
  for (const auto& [from, to] : placement.rules_)
    text += concat(text.empty() ? "" : ",", to_string(from), '=', to_string(to));
  if (placement.default_)
    text += concat(text.empty() ? "*=" : ",*=", to_string(*placement.default_));
  return text;
}

}  // namespace treadle::inline v0
