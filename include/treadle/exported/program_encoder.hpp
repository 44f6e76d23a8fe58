// Writes whole programs of the export schema, version 8.20.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/exported/argument_encoder.hpp>
#include <treadle/exported/node_keys.hpp>
#include <treadle/exported/spec_tags.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0::detail {

/// Writes one tree spec as text.
[[nodiscard]] inline std::string encode_tree(const TreeSpec& spec) {
  JsonWriter json;
  const auto node = [&](const auto& self, const TreeSpec& tree) -> void {
    const bool leaf = tree.kind == TreeKind::leaf;
    json.object([&] {
      json.key("type");
      leaf ? json.null() : json.text(tree.type_name);
      json.key("context");
      // The one container whose context is no text.
      if (tree.kind == TreeKind::default_dict && tree.context.starts_with('{'))
        json.verbatim(tree.context);
      else
        leaf ? json.null() : json.text(tree.context);
      json.key("children_spec").array([&] {
        for (const auto& child : tree.children) self(self, child);
      });
    });
  };
  json.array([&] {
    json.integer(1);
    node(node, spec);
  });
  return std::move(json).take();
}

/// Writes graphs with their nodes and tables.
class GraphEncoder {
 public:
  GraphEncoder(JsonWriter& json, TypeEncoder& types, Error& error)
      : json_(json), types_(types), error_(error) {}

  /// `constants` stand in the places of inputs without a value; `single` is the graph's
  /// `is_single_tensor_return`.
  void encode(const GraphBody& graph, const std::vector<InputSpec>* constants, bool single) {
    const auto writer = [&](const Subgraph& sub) { subgraph(sub); };
    ArgumentEncoder arguments(json_, types_, graph, error_, writer);
    json_.object([&] {
      json_.key("inputs").array([&] {
        for (std::size_t i = 0; i < graph.inputs().size(); ++i)
          if (!graph.inputs()[i].valid() && constants)
            arguments.constant((*constants)[i].value);
          else
            arguments.value(graph.inputs()[i]);
      });
      json_.key("outputs").array([&] {
        for (const auto& output : graph.outputs()) arguments.encode(output);
      });
      json_.key("nodes").array([&] {
        for (const NodeId id : graph.nodes()) node(graph.node(id), arguments);
      });
      table(graph, "tensor_values", ValueKind::tensor);
      table(graph, "sym_int_values", ValueKind::sym_int);
      table(graph, "sym_bool_values", ValueKind::sym_bool);
      json_.key("is_single_tensor_return").boolean(single);
      table(graph, "custom_obj_values", ValueKind::custom_object);
      table(graph, "sym_float_values", ValueKind::sym_float);
    });
  }

 private:
  void subgraph(const Subgraph& sub) {
    json_.object([&] {
      json_.key("name").text(sub.name);
      json_.key("graph");
      const std::string all = concat(',', single_graphs_, ',');
      const bool single = all.find(concat(',', sub.name, ',')) != std::string::npos;
      const std::string outer = std::exchange(single_graphs_, {});
      encode(*sub.body, nullptr, single);
      single_graphs_ = outer;
    });
  }

  /// Values of a kind with what the program says of them; tokens are tensors here.
  void table(const GraphBody& graph, std::string_view key, ValueKind kind) {
    json_.key(key).object([&] {
      for (std::size_t i = 0; i < graph.value_capacity(); ++i) {
        const GraphValue& value = graph.value(ValueId(i));
        const bool token = value.kind == ValueKind::token && kind == ValueKind::tensor;
        if (value.erased || (value.kind != kind && !token)) continue;
        json_.key(value.name);
        row(value);
      }
    });
  }

  void row(const GraphValue& value) {
    if (value.kind == ValueKind::custom_object)
      return json_.object([&] {
        json_.key("name").text(value.name);
        json_.key("class_fqn").text(value.class_name);
      });
    if (value.tensor) return types_.tensor(*value.tensor);
    if (value.symbolic) return types_.expression(value.symbolic);
    if (error_.empty())
      error_ = Error(ErrorCode::invalid_graph,
                     concat("value '", value.name, "' has no type, which program files need"));
    json_.null();
  }

  void node(const Node& node, ArgumentEncoder& arguments) {
    const bool higher_order = node.target.starts_with("higher_order::");
    const bool had_error = !error_.empty();
    single_graphs_ = node.meta(single_graphs_key);
    json_.object([&] {
      json_.key("target").text(python_target(node.target));
      json_.key("inputs").array([&] {
        for (const auto& argument : node.arguments)
          json_.object([&] {
            json_.key("name").text(argument.name);
            json_.key("arg");
            arguments.encode(argument.value);
            json_.key("kind");
            // Older files do not tell: the schema decides then, which needs no kind.
            if (argument.keyword || higher_order)
              json_.integer(argument.keyword ? 2 : 1);
            else
              json_.null();
          });
      });
      json_.key("outputs").array([&] { results(node, arguments); });
      json_.key("metadata").object([&] {
        for (const auto& [key, value] : node.metadata)
          if (key != single_result_key && key != single_graphs_key) json_.key(key).text(value);
      });
      json_.key("is_hop_single_tensor_return");
      if (higher_order)
        json_.boolean(!node.meta(single_result_key).empty());
      else
        json_.null();
      json_.key("name");
      node.name.empty() ? json_.null() : json_.text(node.name);
    });
    if (!had_error && !error_.empty())
      error_ = std::move(error_).with_context(concat("node '", node.name, "' (", node.target, ')'));
  }

  void results(const Node& node, ArgumentEncoder& arguments) {
    std::size_t at = 0;
    for (const std::int32_t length : node.result_lengths) {
      if (length == Node::single) {
        arguments.value(node.outputs[at++]);
        continue;
      }
      Argument::List items;
      for (std::int32_t i = 0; i < length; ++i, ++at) {
        if (node.outputs[at].valid())
          items.emplace_back(node.outputs[at]);
        else
          items.emplace_back(Constant(None{}));
      }
      arguments.encode(std::move(items));
    }
  }

  JsonWriter& json_;
  TypeEncoder& types_;
  Error& error_;
  std::string single_graphs_;  ///< names, with commas between them
};

/// Writes an `ExportedProgram`.
class ProgramEncoder {
 public:
  explicit ProgramEncoder(const Bindings& hints) : types_(json_, hints) {}

  [[nodiscard]] Error take_error() { return std::move(error_); }
  [[nodiscard]] std::string take() && { return std::move(json_).take(); }

  /// False if the graph holds what the schema has no form for.
  [[nodiscard]] bool encode(const GraphModule& module) {
    json_.object([&] {
      json_.key("graph_module").object([&] { graph_module(module); });
      json_.key("opset_version").object([&] {
        for (const auto& [name, version] : module.opset_version) json_.key(name).integer(version);
        if (module.opset_version.empty()) json_.key("aten").integer(10);
      });
      json_.key("range_constraints").object([&] {
        for (const auto& [symbol, range] : module.ranges)
          json_.key(symbol).object([&] {
            bound("min_val", range.minimum);
            bound("max_val", range.maximum);
          });
      });
      json_.key("schema_version").object([&] {
        json_.key("major").integer(8);
        json_.key("minor").integer(20);
      });
      json_.key("verifiers").array([&] { json_.text("TRAINING"); });
      json_.key("torch_version").text(module.torch_version);
      json_.key("guards_code").array([&] {
        for (const auto& guard : module.guards) json_.text(guard);
      });
    });
    return error_.empty();
  }

 private:
  void bound(std::string_view key, const std::optional<std::int64_t>& value) {
    json_.key(key);
    value ? json_.integer(*value) : json_.null();
  }

  void graph_module(const GraphModule& module) {
    json_.key("graph");
    GraphEncoder(json_, types_, error_).encode(module.graph, &module.signature.inputs, false);
    json_.key("signature").object([&] { signature(module); });
    json_.key("module_call_graph").array([&] {
      json_.object([&] {
        json_.key("fqn").text("");
        json_.key("signature").object([&] { calls(module.signature); });
      });
      for (const auto& call : module.calls)
        json_.object([&] {
          json_.key("fqn").text(call.fqn);
          json_.key("signature");
          call.signature.empty() ? json_.null() : json_.verbatim(call.signature);
        });
    });
    json_.key("metadata").object([&] {
      for (const auto& [key, value] : module.metadata) json_.key(key).text(value);
    });
    json_.key("treespec_namedtuple_fields").object([&] {
      std::vector<std::string> seen;
      named_tuples(module.signature.in_spec, seen);
      named_tuples(module.signature.out_spec, seen);
    });
  }

  void calls(const Signature& signature) {
    json_.key("inputs").array([] {});
    json_.key("outputs").array([] {});
    json_.key("in_spec").text(encode_tree(signature.in_spec));
    json_.key("out_spec").text(encode_tree(signature.out_spec));
    json_.key("forward_arg_names");
    if (signature.argument_names.empty()) return json_.null();
    json_.array([&] {
      for (const auto& name : signature.argument_names) json_.text(name);
    });
  }

  void named_tuples(const TreeSpec& spec, std::vector<std::string>& seen) {
    if (spec.kind == TreeKind::named_tuple && !spec.keys.empty() &&
        std::find(seen.begin(), seen.end(), spec.context) == seen.end()) {
      seen.push_back(spec.context);
      json_.key(spec.context).object([&] {
        json_.key("field_names").array([&] {
          for (const auto& key : spec.keys)
            if (const auto* text = std::get_if<std::string>(&key)) json_.text(*text);
        });
      });
    }
    for (const auto& child : spec.children) named_tuples(child, seen);
  }

  void signature(const GraphModule& module) {
    const auto no_graph = [](const Subgraph&) {};
    ArgumentEncoder arguments(json_, types_, module.graph, error_, no_graph);
    json_.key("input_specs").array([&] {
      for (std::size_t i = 0; i < module.signature.inputs.size(); ++i) input(module, i, arguments);
    });
    json_.key("output_specs").array([&] {
      for (std::size_t i = 0; i < module.signature.outputs.size(); ++i)
        output(module, i, arguments);
    });
  }

  void input(const GraphModule& module, std::size_t i, ArgumentEncoder& arguments) {
    const InputSpec& spec = module.signature.inputs[i];
    const auto* row = std::find_if(std::begin(input_tags), std::end(input_tags),
                                   [&](const auto& tag) { return tag.kind == spec.kind; });
    json_.tagged(row->tag, [&] {
      json_.object([&] {
        if (spec.kind == InputKind::constant_input) {
          json_.key("name").text(spec.name);
          json_.key("value");
          return arguments.constant(spec.value);
        }
        json_.key("arg");
        const ValueId id = module.graph.inputs()[i];
        const bool whole = spec.kind == InputKind::user_input || !id.valid();
        if (spec.kind == InputKind::custom_object && id.valid())
          json_.object([&] {
            json_.key("name").text(spec.name);
            json_.key("class_fqn").text(module.graph.value(id).class_name);
          });
        else
          whole ? arguments.value(id) : arguments.reference(id);
        if (!row->target_key.empty()) json_.key(row->target_key).text(spec.target);
        if (spec.kind == InputKind::buffer) json_.key("persistent").boolean(spec.persistent);
      });
    });
  }

  void output(const GraphModule& module, std::size_t i, ArgumentEncoder& arguments) {
    const OutputSpec& spec = module.signature.outputs[i];
    const Argument& argument = module.graph.outputs()[i];
    const auto* row = std::find_if(std::begin(output_tags), std::end(output_tags),
                                   [&](const auto& tag) { return tag.kind == spec.kind; });
    json_.tagged(row->tag, [&] {
      json_.object([&] {
        json_.key("arg");
        if (spec.kind == OutputKind::user_output || !argument.value() || !argument.value()->valid())
          arguments.encode(argument);
        else
          arguments.reference(*argument.value());
        if (!row->target_key.empty()) json_.key(row->target_key).text(spec.target);
      });
    });
  }

  JsonWriter json_;
  Error error_;
  TypeEncoder types_;
};

}  // namespace treadle::inline v0::detail
