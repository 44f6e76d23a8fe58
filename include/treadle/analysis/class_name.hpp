// The name of a custom object's class, as its host writes it.
#pragma once

#include <string>
#include <string_view>

namespace treadle::inline v0 {

/// `__torch__.torch.classes.studio.Queue` → `studio::Queue`. Other names stay, dots as `::`.
[[nodiscard]] inline std::string class_name(std::string_view python) {
  constexpr std::string_view prefix = "__torch__.torch.classes.";
  if (python.starts_with(prefix)) python.remove_prefix(prefix.size());
  std::string text;
  for (const char c : python) {
    if (c == '.')
      text += "::";
    else
      text += c;
  }
  return text;
}

}  // namespace treadle::inline v0
