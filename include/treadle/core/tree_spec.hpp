// The shape of a nest of containers whose leaves are values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace treadle::inline v0 {

/// Kinds of containers that PyTorch's pytree knows. `custom` stands for a class that is named by
/// `TreeSpec::type_name` and whose leaves come in order.
enum class TreeKind : std::uint8_t {
  leaf,
  none,  ///< Python's None as a container without leaves
  tuple,
  list,
  dict,
  named_tuple,
  ordered_dict,
  default_dict,
  deque,
  custom,
};

/// A key of a dictionary, or a field name of a named tuple.
using TreeKey = std::variant<std::string, std::int64_t>;

/// A node of the tree. A default-made spec is one leaf.
struct TreeSpec {
  TreeKind kind = TreeKind::leaf;
  std::vector<TreeSpec> children;
  std::vector<TreeKey> keys;  ///< one a child where the kind has keys, else empty
  std::string type_name;      ///< serialized type, e.g. `builtins.tuple`; class of a named tuple
  std::string context;        ///< serialized context as JSON text, kept for writing it back

  friend bool operator==(const TreeSpec&, const TreeSpec&) = default;
};

/// Leaves below this node, itself if it is one.
[[nodiscard]] inline std::size_t leaf_count(const TreeSpec& spec) {
  if (spec.kind == TreeKind::leaf) return 1;
  std::size_t count = 0;
  for (const auto& child : spec.children) count += leaf_count(child);
  return count;
}

}  // namespace treadle::inline v0
