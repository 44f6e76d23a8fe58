// Reads what the inputs and outputs of a program stand for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/exported/spec_tags.hpp>
#include <treadle/exported/type_decoder.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0::detail {

/// Reads the specs and compares them with the graph, which is there already.
class SignatureDecoder {
 public:
  SignatureDecoder(TypeDecoder& types, GraphModule& module) : types_(types), module_(module) {}

  /// `inputs` holds, for each graph input, its value or the constant in its place.
  [[nodiscard]] bool decode(JsonValue json, const std::vector<Argument>& inputs) {
    JsonValue input_specs, output_specs;
    if (!types_.field(json, "input_specs", JsonKind::array, input_specs) ||
        !types_.field(json, "output_specs", JsonKind::array, output_specs))
      return false;
    const auto& outputs = module_.graph.outputs();
    if (input_specs.size() != inputs.size())
      return types_.corrupt("'input_specs' has ", input_specs.size(), " entries, the graph ",
                            inputs.size(), " inputs");
    if (output_specs.size() != outputs.size())
      return types_.corrupt("'output_specs' has ", output_specs.size(), " entries, the graph ",
                            outputs.size(), " outputs");
    std::size_t i = 0;
    for (const JsonValue spec : input_specs) {
      if (!decode_input(spec, inputs[i])) return types_.at(concat("input spec ", i));
      ++i;
    }
    i = 0;
    for (const JsonValue spec : output_specs) {
      if (!decode_output(spec, outputs[i])) return types_.at(concat("output spec ", i));
      ++i;
    }
    return true;
  }

 private:
  template <class Kind, std::size_t Count>
  [[nodiscard]] bool find_tag(JsonValue variant, const SpecTag<Kind> (&table)[Count],
                              const SpecTag<Kind>*& out) {
    for (const auto& row : table)
      if (row.tag == variant.key()) return out = &row, true;
    return types_.unknown_tag(variant, "spec");
  }

  /// The name of a value in `{name}` or in a union of arguments; empty for constants.
  [[nodiscard]] bool argument_name(JsonValue arg, std::string_view& out) {
    out = {};
    if (!types_.object(arg, "arg")) return false;
    if (arg.find("name")) return types_.text(arg, "name", out);
    JsonValue tag;
    if (!types_.variant(arg, "arg", tag)) return false;
    const JsonValue name = tag.find(tag.key().starts_with("as_sym_") ? "as_name" : "name");
    if (name.is(JsonKind::text)) out = name.text();
    return true;
  }

  [[nodiscard]] bool decode_input(JsonValue json, const Argument& input) {
    JsonValue variant;
    const SpecTag<InputKind>* tag = nullptr;
    if (!types_.variant(json, "input spec", variant) || !find_tag(variant, input_tags, tag) ||
        !types_.object(variant, variant.key()))
      return false;
    InputSpec spec;
    spec.kind = tag->kind;
    std::string_view name;
    if (tag->kind == InputKind::constant_input) {
      if (!types_.text(variant, "name", name)) return false;
      if (!input.constant()) return types_.corrupt("a constant stands for a graph value");
      spec.name = name;
    } else {
      if (!argument_name(variant.find("arg"), name)) return false;
      if (!check_input(spec, name, input)) return false;
    }
    if (input.constant()) spec.value = *input.constant();
    if (!read_target(variant, tag->target_key, spec.target)) return false;
    const JsonValue persistent = variant.find("persistent");
    if (tag->kind == InputKind::buffer && !persistent.is_null() &&
        !types_.boolean(persistent, "persistent", spec.persistent))
      return false;
    module_.signature.inputs.push_back(std::move(spec));
    return true;
  }

  static std::string_view name_of(const InputSpec& spec) { return treadle::name(spec.kind); }

  /// The spec's name is that of the graph input; a constant in place of a user input makes the
  /// spec one of a constant.
  [[nodiscard]] bool check_input(InputSpec& spec, std::string_view name, const Argument& input) {
    const auto* id = input.value();
    if (!id) {
      if (spec.kind != InputKind::user_input)
        return types_.corrupt("a ", name_of(spec), " stands for a constant of the graph");
      spec.kind = InputKind::constant_input;
      return true;
    }
    auto& value = module_.graph.value(*id);
    if (value.name != name)
      return types_.corrupt("names ", in_quotes(name), ", but the graph input is ",
                            in_quotes(value.name));
    spec.name = name;
    if (spec.kind == InputKind::token) value.kind = ValueKind::token;
    const bool tensor = spec.kind == InputKind::parameter || spec.kind == InputKind::buffer ||
                        spec.kind == InputKind::tensor_constant;
    if ((tensor && value.kind != ValueKind::tensor) ||
        (spec.kind == InputKind::custom_object && value.kind != ValueKind::custom_object))
      return types_.corrupt("a ", name_of(spec), " stands for the ", treadle::name(value.kind),
                            " value ", in_quotes(name));
    return true;
  }

  [[nodiscard]] bool read_target(JsonValue variant, std::string_view key, std::string& out) {
    if (key.empty()) return true;
    std::string_view text;
    if (!types_.text(variant, key, text)) return false;
    if (text.empty()) return types_.corrupt("'", key, "' is empty");
    out = text;
    return true;
  }

  [[nodiscard]] bool decode_output(JsonValue json, const Argument& output) {
    JsonValue variant;
    const SpecTag<OutputKind>* tag = nullptr;
    if (!types_.variant(json, "output spec", variant) || !find_tag(variant, output_tags, tag) ||
        !types_.object(variant, variant.key()))
      return false;
    OutputSpec spec;
    spec.kind = tag->kind;
    std::string_view name;
    if (!argument_name(variant.find("arg"), name) ||
        !read_target(variant, tag->target_key, spec.target))
      return false;
    if (const auto* id = output.value(); id && module_.graph.value(*id).name != name)
      return types_.corrupt("names ", in_quotes(name), ", but the graph output is ",
                            in_quotes(module_.graph.value(*id).name));
    if (!output.value() && !name.empty())
      return types_.corrupt("names ", in_quotes(name), ", but the graph output is a constant");
    if (!check_target(spec)) return false;
    module_.signature.outputs.push_back(std::move(spec));
    return true;
  }

  /// What an output writes is an input of the right kind.
  [[nodiscard]] bool check_target(const OutputSpec& spec) {
    std::optional<InputKind> wanted;
    switch (spec.kind) {
      case OutputKind::buffer_mutation: wanted = InputKind::buffer; break;
      case OutputKind::parameter_mutation:
      case OutputKind::gradient_to_parameter: wanted = InputKind::parameter; break;
      case OutputKind::user_input_mutation:
      case OutputKind::gradient_to_user_input: wanted = InputKind::user_input; break;
      default: return true;
    }
    for (const auto& input : module_.signature.inputs)
      if (input.kind == *wanted &&
          (*wanted == InputKind::user_input ? input.name : input.target) == spec.target)
        return true;
    return types_.corrupt("a ", treadle::name(spec.kind), " writes ", in_quotes(spec.target),
                          ", which is no ", treadle::name(*wanted), " of the program");
  }

  TypeDecoder& types_;
  GraphModule& module_;
};

}  // namespace treadle::inline v0::detail
