// Reads tree specs: JSON texts inside a program's JSON.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/tree_spec.hpp>
#include <treadle/exported/json_copy.hpp>
#include <treadle/exported/json_decoder.hpp>

namespace treadle::inline v0::detail {

/// A serialized type's name with the kind of container that it is.
struct TreeType {
  std::string_view name;
  TreeKind kind;
};

inline constexpr std::array<TreeType, 11> tree_types = {{
    {"builtins.tuple", TreeKind::tuple},
    {"builtins.list", TreeKind::list},
    {"builtins.dict", TreeKind::dict},
    {"builtins.NoneType", TreeKind::none},
    {"types.NoneType", TreeKind::none},
    {"collections.namedtuple", TreeKind::named_tuple},
    {"collections.OrderedDict", TreeKind::ordered_dict},
    {"collections.defaultdict", TreeKind::default_dict},
    {"collections.deque", TreeKind::deque},
    {"torch.fx.immutable_collections.immutable_list", TreeKind::list},
    {"torch.fx.immutable_collections.immutable_dict", TreeKind::dict},
}};

/// Reads `[1, {"type": …, "context": …, "children_spec": […]}]`.
class TreeSpecDecoder {
 public:
  /// `fields` is the program's table of the field names of named tuples; it may be missing.
  TreeSpecDecoder(JsonDecoder& json, JsonValue fields) : json_(json), fields_(fields) {}

  [[nodiscard]] bool decode(std::string_view text, TreeSpec& out) {
    auto document = JsonDocument::parse(text, json_.limits());
    if (!document) return json_.fail(std::move(document).error());
    const JsonValue root = document->root();
    if (!json_.expect(root, JsonKind::array, "tree spec")) return false;
    if (root.size() != 2)
      return json_.corrupt("a tree spec has 2 items: a version and a tree; found ", root.size());
    auto item = root.begin();
    std::int64_t version = 0;
    if (!json_.integer(*item, "version of a tree spec", version)) return false;
    if (version != 1)
      return json_.fail(unsupported_file("a tree spec of version ", version, ", expected 1"));
    return node(*++item, out);
  }

 private:
  [[nodiscard]] bool node(JsonValue json, TreeSpec& out) {
    JsonValue children;
    if (!json_.object(json, "node of a tree spec") ||
        !json_.field(json, "children_spec", JsonKind::array, children))
      return false;
    const JsonValue type = json.find("type");
    if (!type) return json_.corrupt("'type' is missing in a tree spec");
    if (type.is_null()) {
      if (children.size() != 0) return json_.corrupt("a leaf of a tree spec has children");
      out = {};
      return true;
    }
    if (!json_.expect(type, JsonKind::text, "type")) return false;
    out.kind = TreeKind::custom;
    out.type_name = type.text();
    for (const auto& known : tree_types)
      if (known.name == out.type_name) out.kind = known.kind;
    // The context is a text, or JSON itself where a class writes it so.
    const JsonValue context = json.find("context");
    if (context.is(JsonKind::text)) {
      out.context = context.text();
    } else if (!context.is_null()) {
      JsonWriter copy;
      copy_json(context, copy);
      out.context = std::move(copy).take();
    }
    out.children.reserve(children.size());
    for (const JsonValue child : children)
      if (!node(child, out.children.emplace_back())) return false;
    return keys(out);
  }

  /// Reads the keys out of the context, where the kind has them.
  [[nodiscard]] bool keys(TreeSpec& out) {
    switch (out.kind) {
      case TreeKind::dict:
      case TreeKind::ordered_dict:
      case TreeKind::default_dict: return dictionary_keys(out);
      case TreeKind::named_tuple: return field_names(out);
      case TreeKind::none:
        return out.children.empty() ? true : json_.corrupt("None in a tree spec has children");
      default: return true;
    }
  }

  [[nodiscard]] bool dictionary_keys(TreeSpec& out) {
    auto document = JsonDocument::parse(out.context, json_.limits());
    if (!document) {
      json_.fail(std::move(document).error());
      return json_.at(concat("context of a ", out.type_name));
    }
    JsonValue list = document->root();
    if (out.kind == TreeKind::default_dict && list.is(JsonKind::object))
      list = list.find("dict_context");
    if (!json_.expect(list, JsonKind::array, "keys of a dictionary")) return false;
    for (const JsonValue key : list) {
      if (key.is(JsonKind::integer))
        out.keys.emplace_back(key.integer());
      else if (key.is(JsonKind::text))
        out.keys.emplace_back(std::string(key.text()));
      else
        return json_.fail(unsupported_file("a key of a ", out.type_name, " is ", name(key.kind()),
                                           ", expected a text or an integer"));
    }
    return one_key_a_child(out);
  }

  /// Files before 2.7 have no table of field names: keys are then absent.
  [[nodiscard]] bool field_names(TreeSpec& out) {
    const JsonValue row = fields_.find(out.context);
    if (row.is_null()) return true;
    JsonValue names;
    if (!json_.field(row, "field_names", JsonKind::array, names)) return false;
    for (const JsonValue field : names) {
      if (!json_.expect(field, JsonKind::text, "field_names")) return false;
      out.keys.emplace_back(std::string(field.text()));
    }
    return one_key_a_child(out);
  }

  [[nodiscard]] bool one_key_a_child(const TreeSpec& out) {
    if (out.keys.size() == out.children.size()) return true;
    return json_.corrupt("a ", out.type_name, " of a tree spec has ", out.keys.size(), " keys and ",
                         out.children.size(), " children");
  }

  JsonDecoder& json_;
  JsonValue fields_;
};

}  // namespace treadle::inline v0::detail
