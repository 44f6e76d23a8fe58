// The two spellings of operator targets: that of program files, and ours.
#pragma once

#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>

namespace treadle::inline v0 {

/// `torch.ops.aten.add.Tensor` → `aten::add.Tensor`; the overload `default` is left out;
/// `_operator.add` → `operator::add`, `torch.ops.higher_order.cond` → `higher_order::cond`,
/// `math.ceil` → `math::ceil`, `torch.sym_max` → `torch::sym_max`. The prefix `torch.ops.` may be
/// missing. A target that is canonical already stays. Empty if the text has no form of a target.
[[nodiscard]] inline std::string canonical_target(std::string_view target) {
  if (target.find("::") != std::string_view::npos) return std::string(target);
  constexpr std::string_view ops = "torch.ops.";
  const bool prefixed = target.starts_with(ops);
  if (prefixed) target.remove_prefix(ops.size());
  const auto dot = target.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == target.size()) return {};
  std::string_view space = target.substr(0, dot);
  std::string_view rest = target.substr(dot + 1);
  if (!prefixed && (space == "_operator" || space == "operator")) space = "operator";
  constexpr std::string_view plain = ".default";
  if (rest.ends_with(plain) && rest.size() > plain.size()) rest.remove_suffix(plain.size());
  return concat(space, "::", rest);
}

/// The inverse of `canonical_target`. A target without `::` stays as it is.
[[nodiscard]] inline std::string python_target(std::string_view target) {
  const auto colons = target.find("::");
  if (colons == std::string_view::npos) return std::string(target);
  const std::string_view space = target.substr(0, colons);
  const std::string_view rest = target.substr(colons + 2);
  if (space == "operator") return concat("_operator.", rest);
  if (space == "math" || space == "torch") return concat(space, '.', rest);
  if (space == "higher_order") return concat("torch.ops.higher_order.", rest);
  const bool overloaded = rest.find('.') != std::string_view::npos;
  return concat("torch.ops.", space, '.', rest, overloaded ? "" : ".default");
}

}  // namespace treadle::inline v0
