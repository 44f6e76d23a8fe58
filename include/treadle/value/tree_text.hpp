// Words for messages about trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <treadle/core/concat.hpp>
#include <treadle/core/tree_spec.hpp>

namespace treadle::inline v0::detail {

/// Trees nested deeper than this are refused.
inline constexpr std::size_t max_tree_depth = 64;

/// `a tuple`, `a dict`, …
[[nodiscard]] constexpr std::string_view tree_kind_text(TreeKind kind) noexcept {
  constexpr std::string_view names[] = {"a leaf",          "None",
                                        "a tuple",         "a list",
                                        "a dict",          "a named tuple",
                                        "an ordered dict", "a default dict",
                                        "a deque",         "a custom container"};
  return names[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr bool is_dictionary(TreeKind kind) noexcept {
  return kind == TreeKind::dict || kind == TreeKind::ordered_dict || kind == TreeKind::default_dict;
}

/// `'name'` or `3`.
[[nodiscard]] inline std::string key_text(const TreeKey& key) {
  if (const auto* number = std::get_if<std::int64_t>(&key)) return concat(*number);
  return concat('\'', std::get<std::string>(key), '\'');
}

/// What a spec wants: `a tuple of 2`, `a dict with the keys 'a', 'b'`.
[[nodiscard]] inline std::string wanted_text(const TreeSpec& spec) {
  std::string out(tree_kind_text(spec.kind));
  if (spec.kind == TreeKind::leaf || spec.kind == TreeKind::none) return out;
  if (spec.kind == TreeKind::custom || spec.kind == TreeKind::named_tuple)
    out += concat(" '", spec.kind == TreeKind::custom ? spec.type_name : spec.context, '\'');
  return out + concat(" of ", spec.children.size());
}

/// Where a child is: `item 2` or `key 'a'`.
[[nodiscard]] inline std::string child_text(const TreeSpec& spec, std::size_t i) {
  return i < spec.keys.size() ? concat("key ", key_text(spec.keys[i])) : concat("item ", i);
}

}  // namespace treadle::inline v0::detail
