// Reads graphs of the export schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/exported/argument_decoder.hpp>
#include <treadle/exported/node_keys.hpp>

namespace treadle::inline v0::detail {

/// What one document shares between its graphs.
struct GraphDecoding {
  TypeDecoder& types;
  bool metadata = true;     ///< keep the nodes' metadata: stack traces, module paths
  std::uint64_t nodes = 0;  ///< read so far
};

/// Reads one graph; its subgraphs by decoders of their own, since names do not cross graphs.
class GraphDecoder {
 public:
  GraphDecoder(GraphDecoding& shared, GraphBody& graph)
      : shared_(shared), types_(shared.types), graph_(graph), scope_(shared.types, graph) {}

  [[nodiscard]] bool decode(JsonValue json) {
    JsonValue inputs, nodes, outputs;
    if (!types_.object(json, "graph") || !scope_.index(json) ||
        !types_.field(json, "inputs", JsonKind::array, inputs) ||
        !types_.field(json, "nodes", JsonKind::array, nodes) ||
        !types_.field(json, "outputs", JsonKind::array, outputs))
      return false;
    shared_.nodes += nodes.size();
    const auto most = types_.limits().max_graph_nodes;
    if (shared_.nodes > most)
      return types_.fail(
          limit_exceeded("the program has more nodes than LoadLimits::max_graph_nodes = ", most));
    for (const JsonValue input : inputs)
      if (!decode_input(input)) return types_.at(concat("graph input ", inputs_.size()));
    std::size_t number = 0;
    for (const JsonValue node : nodes) {
      if (!decode_node(node)) return types_.at(describe(node, number));
      ++number;
    }
    return decode_outputs(outputs);
  }

  /// One a graph input: its value, or the constant that stands in its place.
  [[nodiscard]] std::vector<Argument>& inputs() noexcept { return inputs_; }

 private:
  [[nodiscard]] static std::string describe(JsonValue node, std::size_t number) {
    const JsonValue name = node.find("name");
    const JsonValue target = node.find("target");
    std::string out = concat("node ", number);
    if (name.is(JsonKind::text)) out += concat(' ', in_quotes(name.text()));
    if (target.is(JsonKind::text)) out += concat(" (", in_quotes(target.text()), ')');
    return out;
  }

  [[nodiscard]] bool decode_input(JsonValue input) {
    JsonValue tag;
    GraphValue value;
    bool is_value = false;
    if (!types_.variant(input, "graph input", tag) || !scope_.describe(tag, value, is_value))
      return false;
    if (is_value) {
      inputs_.emplace_back(graph_.add_input(std::move(value)));
      define(*inputs_.back().value(), tag);
      return true;
    }
    Argument constant;
    if (!decode_argument(tag, constant)) return false;
    if (!constant.constant())
      return types_.corrupt("kind '", tag.key(), "' can't be a graph input");
    graph_.add_constant_input();
    inputs_.push_back(std::move(constant));
    return true;
  }

  /// Names a fresh value as the variant `tag` does; the name's text lies in the document.
  void define(ValueId id, JsonValue tag) {
    std::string_view name;
    ValueKind kind{};
    if (scope_.name_in(tag, name, kind)) scope_.define(id, name);
  }

  [[nodiscard]] bool decode_outputs(JsonValue outputs) {
    std::vector<Argument> results;
    results.reserve(outputs.size());
    for (const JsonValue output : outputs) {
      JsonValue tag;
      if (!types_.variant(output, "graph output", tag) ||
          !decode_argument(tag, results.emplace_back()))
        return types_.at(concat("graph output ", results.size() - 1));
    }
    graph_.set_outputs(std::move(results));
    return true;
  }

  [[nodiscard]] bool decode_argument(JsonValue tag, Argument& out) {
    const auto subgraph = [&](JsonValue graph, Argument& made) {
      return decode_subgraph(graph, made);
    };
    return ArgumentDecoder(types_, scope_, subgraph).decode(tag, out);
  }

  [[nodiscard]] bool decode_subgraph(JsonValue tag, Argument& out) {
    std::string_view name;
    JsonValue json;
    if (!types_.object(tag, "as_graph") || !types_.text(tag, "name", name) ||
        !types_.field(tag, "graph", JsonKind::object, json))
      return false;
    auto body = std::make_shared<GraphBody>();
    if (!GraphDecoder(shared_, *body).decode(json))
      return types_.at(concat("graph ", in_quotes(name)));
    const JsonValue single = json.find("is_single_tensor_return");
    if (single.is(JsonKind::boolean) && single.integer() != 0)
      single_graphs_ += concat(single_graphs_.empty() ? "" : ",", name);
    out = Subgraph{std::string(name), std::move(body)};
    return true;
  }

  [[nodiscard]] bool decode_node(JsonValue json) {
    Node node;
    JsonValue inputs, outputs;
    std::string_view target;
    if (!types_.object(json, "node") || !types_.text(json, "target", target) ||
        !types_.field(json, "inputs", JsonKind::array, inputs) ||
        !types_.field(json, "outputs", JsonKind::array, outputs))
      return false;
    node.target = canonical_target(target);
    if (node.target.empty())
      return types_.corrupt("'target' is ", in_quotes(target), ", which names no operator");
    const JsonValue name = json.find("name");
    if (name.is(JsonKind::text)) node.name = name.text();
    single_graphs_.clear();
    node.arguments.reserve(inputs.size());
    for (const JsonValue input : inputs)
      if (!decode_named(input, node.arguments.emplace_back()))
        return types_.at(
            concat("argument ", node.arguments.size() - 1, " '", node.arguments.back().name, '\''));
    for (const JsonValue output : outputs)
      if (!decode_result(output, node))
        return types_.at(concat("result ", node.result_lengths.size()));
    // Older files tell the results of a higher-order operator as one list.
    if (outputs.size() == 1 && node.target.starts_with("higher_order::"))
      node.result_lengths = SmallVector<std::int32_t, 2>(node.outputs.size(), Node::single);
    if (!node.target.starts_with("higher_order::")) name_old_node(node);
    if (!decode_metadata(json, node)) return false;
    graph_.add_node(std::move(node));
    return true;
  }

  /// Older files do not name nodes: one with a single result has that value's name.
  void name_old_node(Node& node) const {
    if (node.name.empty() && node.result_lengths.size() == 1 &&
        node.result_lengths[0] == Node::single && node.outputs[0].valid())
      node.name = graph_.value(node.outputs[0]).name;
  }

  [[nodiscard]] bool decode_named(JsonValue json, NamedArgument& out) {
    std::string_view name;
    JsonValue tag;
    if (!types_.object(json, "argument") || !types_.text(json, "name", name)) return false;
    out.name = name;
    const JsonValue kind = json.find("kind");
    out.keyword = kind.is(JsonKind::integer) && kind.integer() == 2;
    return types_.variant(json.find("arg"), "arg", tag) && decode_argument(tag, out.value);
  }

  [[nodiscard]] bool decode_result(JsonValue json, Node& node) {
    JsonValue tag;
    if (!types_.variant(json, "result", tag)) return false;
    if (tag.is(JsonKind::array) && tag.key().ends_with('s')) return decode_results(tag, node);
    if (!decode_output(tag, node)) return false;
    node.result_lengths.push_back(Node::single);
    return true;
  }

  /// A result that is a list.
  [[nodiscard]] bool decode_results(JsonValue tag, Node& node) {
    const std::size_t first = node.outputs.size();
    for (const JsonValue item : tag) {
      JsonValue inner;
      std::string_view name;
      if (item.is(JsonKind::object) && item.find("name")) {
        if (!types_.text(item, "name", name) || !add_output(name, ValueKind::tensor, node))
          return false;
      } else if (tag.key().starts_with("as_sym_")) {
        if (!decode_symbolic_item(tag.key(), item, node)) return false;
      } else if (!types_.variant(item, "result", inner) || !decode_output(inner, node)) {
        return false;
      }
    }
    node.result_lengths.push_back(static_cast<std::int32_t>(node.outputs.size() - first));
    return true;
  }

  [[nodiscard]] bool decode_symbolic_item(std::string_view list, JsonValue item, Node& node) {
    JsonValue inner;
    if (!types_.variant(item, list, inner)) return false;
    if (inner.key() != "as_name") {
      node.outputs.push_back(ValueId{});
      return true;
    }
    if (!types_.expect(inner, JsonKind::text, "as_name")) return false;
    return add_output(inner.text(),
                      list == "as_sym_ints"     ? ValueKind::sym_int
                      : list == "as_sym_floats" ? ValueKind::sym_float
                                                : ValueKind::sym_bool,
                      node);
  }

  [[nodiscard]] bool decode_output(JsonValue tag, Node& node) {
    if (tag.key() == "as_optional_tensor") {
      JsonValue inner;
      return types_.variant(tag, tag.key(), inner) && decode_output(inner, node);
    }
    std::string_view name;
    ValueKind kind{};
    if (!scope_.name_in(tag, name, kind)) return false;
    if (kind != ValueKind::none) return add_output(name, kind, node);
    if (!is_constant_tag(tag.key())) return types_.unknown_tag(tag, "result");
    node.outputs.push_back(ValueId{});
    return true;
  }

  /// Results that are constants name no value.
  [[nodiscard]] static bool is_constant_tag(std::string_view key) noexcept {
    constexpr std::string_view tags[] = {"as_none",   "as_int",     "as_float",     "as_bool",
                                         "as_string", "as_sym_int", "as_sym_float", "as_sym_bool"};
    for (const std::string_view tag : tags)
      if (tag == key) return true;
    return false;
  }

  [[nodiscard]] bool add_output(std::string_view name, ValueKind kind, Node& node) {
    GraphValue value;
    if (!scope_.describe(name, kind, value)) return false;
    const ValueId id = graph_.add_value(std::move(value));
    scope_.define(id, name);
    node.outputs.push_back(id);
    return true;
  }

  [[nodiscard]] bool decode_metadata(JsonValue json, Node& node) {
    const JsonValue metadata = json.find("metadata");
    if (shared_.metadata && !metadata.is_null()) {
      if (!types_.object(metadata, "metadata")) return false;
      node.metadata.reserve(metadata.size());
      for (const JsonValue entry : metadata)
        if (entry.is(JsonKind::text))
          node.metadata.emplace_back(std::string(entry.key()), std::string(entry.text()));
    }
    const JsonValue single = json.find(single_result_key);
    if (single.is(JsonKind::boolean) && single.integer() != 0)
      node.metadata.emplace_back(single_result_key, "true");
    if (!single_graphs_.empty()) node.metadata.emplace_back(single_graphs_key, single_graphs_);
    return true;
  }

  GraphDecoding& shared_;
  TypeDecoder& types_;
  GraphBody& graph_;
  ValueScope scope_;
  std::vector<Argument> inputs_;
  std::string single_graphs_;
};

}  // namespace treadle::inline v0::detail
