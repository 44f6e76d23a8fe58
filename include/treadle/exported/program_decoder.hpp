// Reads whole programs of the export schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/exported/graph_decoder.hpp>
#include <treadle/exported/json_copy.hpp>
#include <treadle/exported/signature_decoder.hpp>
#include <treadle/exported/tree_spec_decoder.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0::detail {

/// A version of the schema; files of major 2 have no minor.
struct SchemaVersion {
  std::int64_t major = 0;
  std::int64_t minor = 0;
};

class ProgramDecoder {
 public:
  ProgramDecoder(const LoadLimits& limits, bool metadata)
      : types_(limits), decoding_{types_, metadata, 0} {}

  [[nodiscard]] Error take_error() { return types_.take_error(); }
  [[nodiscard]] SchemaVersion version() const noexcept { return version_; }
  /// Harmless oddities met on the way.
  [[nodiscard]] std::vector<std::string>& notes() noexcept { return notes_; }

  /// Reads an `ExportedProgram`.
  [[nodiscard]] bool decode(JsonValue program, GraphModule& out) {
    JsonValue module, graph, signature;
    if (!types_.object(program, "exported program") || !read_version(program) ||
        !types_.field(program, "graph_module", JsonKind::object, module) ||
        !types_.field(module, "graph", JsonKind::object, graph) ||
        !types_.field(module, "signature", JsonKind::object, signature))
      return false;
    GraphDecoder decoder(decoding_, out.graph);
    if (!decoder.decode(graph)) return false;
    SignatureDecoder signatures(types_, out);
    if (!signatures.decode(signature, decoder.inputs())) return types_.at("signature");
    return read_trees(module, out) && read_ranges(program, out) && read_rest(program, module, out);
  }

 private:
  [[nodiscard]] bool read_version(JsonValue program) {
    const JsonValue version = program.find("schema_version");
    if (version.is(JsonKind::object)) {
      if (!types_.integer(version.find("major"), "major", version_.major) ||
          !types_.integer(version.find("minor"), "minor", version_.minor))
        return types_.at("schema_version");
    } else if (!types_.integer(version, "schema_version", version_.major)) {
      return false;
    }
    // From 2 on the majors differ in spelling only; all spellings are read.
    if (version_.major >= 2 && version_.major <= 8) return true;
    return types_.fail(unsupported_file("the program's schema has the major version ",
                                        version_.major, ", expected 2 to 8"));
  }

  [[nodiscard]] bool read_trees(JsonValue module, GraphModule& out) {
    const JsonValue calls = module.find("module_call_graph");
    JsonValue signature;
    if (!calls.is_null()) {
      if (!types_.expect(calls, JsonKind::array, "module_call_graph")) return false;
      for (const JsonValue call : calls) {
        const JsonValue fqn = call.find("fqn");
        if (!fqn.is(JsonKind::text)) continue;
        if (fqn.text().empty())
          signature = call.find("signature");
        else
          out.calls.push_back({std::string(fqn.text()), text_of(call.find("signature"))});
      }
    }
    if (signature.is_null()) {
      notes_.emplace_back("the file has no tree specs: inputs and outputs are taken as flat");
      return flat_trees(out);
    }
    const JsonValue fields = module.find("treespec_namedtuple_fields");
    TreeSpecDecoder trees(types_, fields);
    std::string_view in_spec, out_spec;
    if (!types_.text(signature, "in_spec", in_spec) ||
        !types_.text(signature, "out_spec", out_spec))
      return types_.at("module_call_graph");
    if (!trees.decode(in_spec, out.signature.in_spec)) return types_.at("in_spec");
    if (!trees.decode(out_spec, out.signature.out_spec)) return types_.at("out_spec");
    const JsonValue names = signature.find("forward_arg_names");
    if (!names.is_null() && !read_texts(names, "forward_arg_names", out.signature.argument_names))
      return false;
    return check_trees(out.signature);
  }

  /// A value as JSON text; empty for none.
  static std::string text_of(JsonValue value) {
    JsonWriter text;
    if (!value.is_null()) copy_json(value, text);
    return std::move(text).take();
  }

  static std::pair<std::size_t, std::size_t> count_leaves(const Signature& signature) {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    for (const auto& spec : signature.inputs)
      inputs += spec.kind == InputKind::user_input || spec.kind == InputKind::constant_input;
    for (const auto& spec : signature.outputs)
      outputs += spec.kind == OutputKind::user_output || spec.kind == OutputKind::loss_output;
    return {inputs, outputs};
  }

  [[nodiscard]] bool flat_trees(GraphModule& out) {
    const auto [inputs, outputs] = count_leaves(out.signature);
    TreeSpec arguments{TreeKind::tuple, {}, {}, "builtins.tuple", "null"};
    arguments.children.resize(inputs);
    const TreeSpec keywords{TreeKind::dict, {}, {}, "builtins.dict", "[]"};
    out.signature.in_spec = {
        TreeKind::tuple, {std::move(arguments), keywords}, {}, "builtins.tuple", "null"};
    out.signature.out_spec = {TreeKind::tuple, {}, {}, "builtins.tuple", "null"};
    out.signature.out_spec.children.resize(outputs);
    return true;
  }

  [[nodiscard]] bool check_trees(const Signature& signature) {
    const auto& in = signature.in_spec;
    if (in.kind != TreeKind::tuple || in.children.size() != 2 ||
        in.children[1].keys.size() != in.children[1].children.size())
      return types_.corrupt("'in_spec' is not a tuple of arguments and keywords");
    const auto [inputs, outputs] = count_leaves(signature);
    if (leaf_count(in) != inputs)
      return types_.corrupt("'in_spec' has ", leaf_count(in), " leaves, the signature ", inputs,
                            " user inputs");
    if (leaf_count(signature.out_spec) != outputs)
      return types_.corrupt("'out_spec' has ", leaf_count(signature.out_spec),
                            " leaves, the signature ", outputs, " user outputs");
    return true;
  }

  [[nodiscard]] bool read_ranges(JsonValue program, GraphModule& out) {
    const JsonValue ranges = program.find("range_constraints");
    if (ranges.is_null()) return true;
    if (!types_.object(ranges, "range_constraints")) return false;
    for (const JsonValue row : ranges) {
      RangeConstraint range;
      if (!types_.object(row, row.key()) || !read_bound(row, "min_val", range.minimum) ||
          !read_bound(row, "max_val", range.maximum))
        return types_.at(concat("range of ", in_quotes(row.key())));
      if (range.minimum && range.maximum && *range.minimum > *range.maximum)
        return types_.corrupt("range of ", in_quotes(row.key()), " is empty: ", *range.minimum,
                              " to ", *range.maximum);
      out.ranges[std::string(row.key())] = range;
    }
    return true;
  }

  /// A bound beyond 64 bits, and an infinity, stand for an open one.
  [[nodiscard]] bool read_bound(JsonValue row, std::string_view key,
                                std::optional<std::int64_t>& out) {
    const JsonValue bound = row.find(key);
    if (bound.is_null() || bound.is(JsonKind::large) || bound.is(JsonKind::text)) return true;
    if (bound.is(JsonKind::real)) return true;
    std::int64_t value = 0;
    if (!types_.integer(bound, key, value)) return false;
    out = value;
    return true;
  }

  [[nodiscard]] bool read_texts(JsonValue list, std::string_view what,
                                std::vector<std::string>& out) {
    if (!types_.expect(list, JsonKind::array, what)) return false;
    for (const JsonValue item : list) {
      if (!types_.expect(item, JsonKind::text, what)) return false;
      out.emplace_back(item.text());
    }
    return true;
  }

  [[nodiscard]] bool read_rest(JsonValue program, JsonValue module, GraphModule& out) {
    const JsonValue guards = program.find("guards_code");
    if (!guards.is_null() && !read_texts(guards, "guards_code", out.guards)) return false;
    const JsonValue torch = program.find("torch_version");
    if (torch.is(JsonKind::text)) out.torch_version = torch.text();
    for (const JsonValue row : members(program.find("opset_version")))
      if (row.is(JsonKind::integer)) out.opset_version[std::string(row.key())] = row.integer();
    for (const JsonValue row : members(module.find("metadata")))
      if (row.is(JsonKind::text)) out.metadata[std::string(row.key())] = row.text();
    return true;
  }

  /// The members of an object; none of anything else.
  static std::vector<JsonValue> members(JsonValue object) {
    std::vector<JsonValue> out;
    if (!object.is(JsonKind::object)) return out;
    for (const JsonValue member : object) out.push_back(member);
    return out;
  }

  TypeDecoder types_;
  GraphDecoding decoding_;
  SchemaVersion version_;
  std::vector<std::string> notes_;
};

}  // namespace treadle::inline v0::detail
