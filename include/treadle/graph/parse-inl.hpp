// Definitions of the parsing functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/graph/parse.hpp>
#include <treadle/graph/parse_graph-inl.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Reads programs: the `module` block and the graph after it.
class ModuleParser : public GraphParser {
 public:
  using GraphParser::GraphParser;

  [[nodiscard]] bool module(GraphModule& out) {
    if (!expect_word("module") || !quoted(out.name) || !expect('{')) return false;
    while (!take('}'))
      if (!line(out)) return false;
    return expect_word("graph") && graph(out.graph) && check_end() && check(out);
  }

  [[nodiscard]] bool check_end() { return at_end() ? true : fail("expected the end"); }

 private:
  [[nodiscard]] bool line(GraphModule& out) {
    if (take_word("torch_version")) return quoted(out.torch_version);
    if (take_word("opset"))
      return entries([&](std::string key) { return integer(out.opset_version[std::move(key)]); });
    if (take_word("metadata"))
      return entries([&](std::string key) { return quoted(out.metadata[std::move(key)]); });
    if (take_word("range")) return range(out);
    if (take_word("guard")) return quoted(out.guards.emplace_back());
    if (take_word("input")) return input(out.signature.inputs.emplace_back());
    if (take_word("output")) return output_spec(out.signature.outputs.emplace_back());
    if (take_word("arguments")) return argument_names(out.signature.argument_names);
    if (take_word("in_spec")) return tree(out.signature.in_spec);
    if (take_word("out_spec")) return tree(out.signature.out_spec);
    return fail("expected a line of a module, or '}'");
  }

  [[nodiscard]] bool range(GraphModule& out) {
    std::string symbol;
    if (!quoted(symbol)) return false;
    RangeConstraint& range = out.ranges[std::move(symbol)];
    return expect('[') && bound(range.minimum) && expect(',') && bound(range.maximum) &&
           expect(']');
  }

  [[nodiscard]] bool bound(std::optional<std::int64_t>& out) {
    if (take_word("_")) return true;
    return integer(out.emplace());
  }

  template <class Kind>
  [[nodiscard]] bool kind(int count, Kind& out) {
    std::string_view text;
    skip_space();
    const std::size_t start = position();
    if (!word("a kind", text)) return false;
    const auto found = kind_named<Kind>(text, count);
    if (!found)
      return fail_at(start, ErrorCode::corrupt_file, concat("unknown kind '", text, '\''));
    out = *found;
    return true;
  }

  [[nodiscard]] bool input(InputSpec& out) {
    if (!kind(7, out.kind) || !quoted(out.name) || !quoted(out.target)) return false;
    if (take_word("not_persistent")) out.persistent = false;
    return take('=') ? constant(out.value) : true;
  }

  [[nodiscard]] bool output_spec(OutputSpec& out) {
    return kind(8, out.kind) && quoted(out.target);
  }

  [[nodiscard]] bool argument_names(std::vector<std::string>& out) {
    Constant names;
    if (!constant(names)) return false;
    auto* texts = std::get_if<std::vector<std::string>>(&names);
    if (!texts) return fail("expected a list of strings before this");
    out = std::move(*texts);
    return true;
  }

  [[nodiscard]] bool tree(TreeSpec& out) {
    if (take('*')) {
      out = {};
      return true;
    }
    std::string_view text;
    skip_space();
    const std::size_t start = position();
    if (!word("a tree", text)) return false;
    int found = 0;
    for (int i = 1; i < 10; ++i)
      if (tree_kind_names[i] == text) found = i;
    if (found == 0)
      return fail_at(start, ErrorCode::corrupt_file, concat("'", text, "' is no kind of tree"));
    out.kind = static_cast<TreeKind>(found);
    bool told = false;
    if (take('<')) {
      told = true;
      if (!quoted(out.type_name) || !expect(',') || !quoted(out.context) || !expect('>'))
        return false;
    }
    const bool good = deeper() && children(out);
    shallower();
    if (good && !told) {
      out.type_name = usual_type(out.kind);
      out.context = usual_context(out);
    }
    return good;
  }

  [[nodiscard]] bool children(TreeSpec& out) {
    if (!expect('(')) return false;
    if (take(')')) return true;
    do {
      const char c = peek();
      if (c == '"' || c == '-' || (c >= '0' && c <= '9')) {
        TreeKey key;
        if (c == '"' ? !quoted(key.emplace<std::string>()) : !integer(key.emplace<std::int64_t>()))
          return false;
        out.keys.push_back(std::move(key));
        if (!expect(':')) return false;
      }
      if (!tree(out.children.emplace_back())) return false;
    } while (take(','));
    return expect(')');
  }

  [[nodiscard]] bool check(const GraphModule& out) {
    if (out.signature.inputs.size() == out.graph.inputs().size() &&
        out.signature.outputs.size() == out.graph.outputs().size())
      return true;
    return fail_at(position(), ErrorCode::invalid_graph,
                   concat("the module has ", out.signature.inputs.size(), " inputs and ",
                          out.signature.outputs.size(), " outputs, its graph ",
                          out.graph.inputs().size(), " and ", out.graph.outputs().size()));
  }
};

}  // namespace detail

TREADLE_INLINE Result<GraphBody> parse_graph(std::string_view text) {
  GraphBody out;
  detail::ModuleParser parser(text);
  if (!parser.expect_word("graph") || !parser.graph(out) || !parser.check_end())
    return parser.take_error();
  return out;
}

TREADLE_INLINE Result<GraphModule> parse_module(std::string_view text) {
  GraphModule out;
  detail::ModuleParser parser(text);
  if (!parser.module(out)) return parser.take_error();
  return out;
}

}  // namespace treadle::inline v0
