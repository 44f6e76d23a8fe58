// The named values of one graph while it is read.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <treadle/exported/type_decoder.hpp>
#include <treadle/graph/graph_body.hpp>

namespace treadle::inline v0::detail {

/// What a graph's tables say of each name, and which names are defined so far.
class ValueScope {
 public:
  ValueScope(TypeDecoder& types, GraphBody& graph) : types_(types), graph_(graph) {}

  /// Reads the tables of a graph. Tables that older files lack are empty.
  [[nodiscard]] bool index(JsonValue graph) {
    const JsonValue tensors = graph.find("tensor_values");
    if (!types_.object(tensors, "tensor_values")) return false;
    rows_.reserve(tensors.size());
    return add_table(graph, "tensor_values", ValueKind::tensor) &&
           add_table(graph, "sym_int_values", ValueKind::sym_int) &&
           add_table(graph, "sym_float_values", ValueKind::sym_float) &&
           add_table(graph, "sym_bool_values", ValueKind::sym_bool) &&
           add_table(graph, "custom_obj_values", ValueKind::custom_object);
  }

  /// Makes the value that a variant of an argument union names, as the definition of that name.
  /// Constants leave `found` false.
  [[nodiscard]] bool describe(JsonValue tag, GraphValue& out, bool& found) {
    std::string_view name;
    found = false;
    if (!name_in(tag, name, out.kind)) return false;
    if (out.kind == ValueKind::none) return true;
    found = true;
    return describe(name, out.kind, out);
  }
  /// The same from a name of a known kind.
  [[nodiscard]] bool describe(std::string_view name, ValueKind kind, GraphValue& out) {
    if (name.empty()) return types_.corrupt("a value without a name");
    const auto row = rows_.find(name);
    if (row != rows_.end() && row->second.id.valid())
      return types_.corrupt("value ", in_quotes(name), " is defined twice");
    out.name = name;
    out.kind = kind;
    if (row == rows_.end() || row->second.kind != kind) {
      if (kind == ValueKind::custom_object) return true;
      return types_.corrupt("value ", in_quotes(name), " is not in the table of ",
                            treadle::name(kind), " values");
    }
    if (!fill(row->second.json, kind, out)) return types_.at(concat("value ", in_quotes(name)));
    return true;
  }
  void define(ValueId id, std::string_view name) { rows_[name].id = id; }

  /// A tensor, unless the name was defined as a symbolic number.
  [[nodiscard]] ValueKind kind_of(std::string_view name) const {
    const auto found = rows_.find(name);
    if (found == rows_.end() || !found->second.id.valid()) return ValueKind::tensor;
    const ValueKind kind = graph_.value(found->second.id).kind;
    const bool number =
        kind == ValueKind::sym_int || kind == ValueKind::sym_float || kind == ValueKind::sym_bool;
    return number ? kind : ValueKind::tensor;
  }
  /// The value that a use of a name means.
  [[nodiscard]] bool lookup(std::string_view name, ValueKind kind, ValueId& out) {
    const auto found = rows_.find(name);
    if (found == rows_.end())
      return types_.corrupt("value ", in_quotes(name), " is used but defined nowhere");
    if (!found->second.id.valid())
      return types_.corrupt("value ", in_quotes(name), " is used before it is defined");
    out = found->second.id;
    const ValueKind is = graph_.value(out).kind;
    if (is == kind) return true;
    return types_.corrupt("value ", in_quotes(name), " is a ", treadle::name(is), ", used as a ",
                          treadle::name(kind));
  }

  /// The name in a variant of an argument union that names one value; kind `none` for others.
  [[nodiscard]] bool name_in(JsonValue tag, std::string_view& name, ValueKind& kind) {
    const std::string_view key = tag.key();
    kind = ValueKind::none;
    if (key == "as_tensor" || key == "as_custom_obj") {
      kind = key == "as_tensor" ? ValueKind::tensor : ValueKind::custom_object;
      return types_.object(tag, key) && types_.text(tag, "name", name);
    }
    if (!key.starts_with("as_sym_")) return true;
    if (key == "as_sym_int")
      kind = ValueKind::sym_int;
    else if (key == "as_sym_float")
      kind = ValueKind::sym_float;
    else if (key == "as_sym_bool")
      kind = ValueKind::sym_bool;
    else
      return true;
    JsonValue inner;
    if (!types_.variant(tag, key, inner)) return false;
    if (inner.key() != "as_name") {
      kind = ValueKind::none;
      return true;
    }
    if (!types_.expect(inner, JsonKind::text, "as_name")) return false;
    name = inner.text();
    return true;
  }

 private:
  struct Row {
    ValueKind kind = ValueKind::none;  ///< of the table, if the name is in one
    JsonValue json;
    ValueId id;  ///< invalid until the name is defined
  };

  [[nodiscard]] bool add_table(JsonValue graph, std::string_view key, ValueKind kind) {
    const JsonValue table = graph.find(key);
    if (table.is_null()) return true;
    if (!types_.object(table, key)) return false;
    for (const JsonValue row : table)
      if (!rows_.emplace(row.key(), Row{kind, row, {}}).second)
        return types_.corrupt("value ", in_quotes(row.key()), " is in the tables twice");
    return true;
  }

  [[nodiscard]] bool fill(JsonValue json, ValueKind kind, GraphValue& out) {
    if (kind == ValueKind::tensor) return types_.tensor_type(json, out.tensor.emplace());
    if (kind != ValueKind::custom_object)
      return types_.expression(json, treadle::name(kind), out.symbolic);
    std::string_view class_name;
    if (!types_.text(json, "class_fqn", class_name)) return false;
    out.class_name = class_name;
    return true;
  }

  TypeDecoder& types_;
  GraphBody& graph_;
  std::unordered_map<std::string_view, Row> rows_;
};

}  // namespace treadle::inline v0::detail
