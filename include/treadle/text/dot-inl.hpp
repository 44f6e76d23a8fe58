// Definitions of the Graphviz printer.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include <treadle/text/dot.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Text inside double quotes of the language.
inline std::string dot_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

inline std::string dot_type(const GraphValue& value) {
  if (!value.tensor) return std::string(name(value.kind));
  std::string text = fmt::format("{}[", name(value.tensor->dtype));
  for (std::size_t i = 0; i < value.tensor->rank(); ++i)
    text += (i == 0 ? "" : ", ") + to_string(value.tensor->sizes[i]);
  return text + "]";
}

/// Writes one drawing. Every graph gets a number, which keeps names of different graphs apart.
class DotPrinter {
 public:
  explicit DotPrinter(DotOptions options) : options_(options) {}

  std::string print(const GraphBody& graph, const Signature* signature) {
    line("digraph program {");
    ++depth_;
    line("rankdir=TB; compound=true;");
    line("node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=10];");
    line("edge [fontname=\"Helvetica\", fontsize=8, color=\"#555555\"];");
    print_graph(graph, signature);
    --depth_;
    line("}");
    return std::move(text_);
  }

 private:
  /// Deeper subgraphs are left out, so that no file makes the printer run out of stack.
  static constexpr std::size_t max_depth = 64;

  void line(std::string_view content) {
    text_.append(2 * depth_, ' ');
    text_ += content;
    text_ += '\n';
  }
  void box(std::string_view id, std::string_view label, std::string_view colour) {
    line(fmt::format("{} [label=\"{}\", fillcolor=\"{}\"];", id, label, colour));
  }

  static std::string_view colour_of(const Node& node) {
    bool control = false;
    for (const auto& argument : node.arguments) control |= argument.value.subgraph() != nullptr;
    if (control) return "#e5c8f0";
    const std::string_view target = node.target;
    if (!target.starts_with("aten::") && target.find("::") == std::string_view::npos)
      return "#e8e8e8";
    const std::string_view base = target.substr(0, target.find('.'));
    if (base.ends_with('_') && !base.ends_with("__")) return "#f6c6a8";
    return target.find("sym_") == std::string_view::npos ? "#cfe2f7" : "#e8e8e8";
  }
  static std::string_view colour_of(InputKind kind) {
    if (kind == InputKind::user_input || kind == InputKind::constant_input) return "#cdeac0";
    return "#f7ecc0";
  }

  bool hidden(const Signature* signature, std::size_t input) const {
    if (!signature || options_.weights || input >= signature->inputs.size()) return false;
    const auto kind = signature->inputs[input].kind;
    return kind != InputKind::user_input && kind != InputKind::constant_input;
  }

  void print_inputs(const GraphBody& graph, const Signature* signature, std::size_t number) {
    for (std::size_t i = 0; i < graph.inputs().size(); ++i) {
      const ValueId id = graph.inputs()[i];
      if (!id.valid()) continue;
      if (hidden(signature, i)) {
        hidden_.insert(id);
        continue;
      }
      const bool known = signature && i < signature->inputs.size();
      const auto kind = known ? signature->inputs[i].kind : InputKind::user_input;
      const auto& value = graph.value(id);
      const std::string& shown =
          known && !signature->inputs[i].target.empty() ? signature->inputs[i].target : value.name;
      box(fmt::format("g{}i{}", number, id.index),
          fmt::format("{}\\n{}", dot_quoted(shown), dot_quoted(dot_type(value))), colour_of(kind));
    }
  }

  void print_graph(const GraphBody& graph, const Signature* signature) {
    const std::size_t number = graphs_++;
    print_inputs(graph, signature, number);
    for (const NodeId id : graph.nodes()) {
      const Node& node = graph.node(id);
      box(fmt::format("g{}n{}", number, id.index),
          fmt::format("{}\\n{}", dot_quoted(node.target), dot_quoted(node.name)), colour_of(node));
      print_subgraphs(node, fmt::format("g{}n{}", number, id.index));
    }
    for (const NodeId id : graph.nodes())
      for (const auto& argument : graph.node(id).arguments)
        print_edges(graph, signature, number, argument.value,
                    fmt::format("g{}n{}", number, id.index), argument.name);
    for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
      const bool known = signature && i < signature->outputs.size();
      const std::string id = fmt::format("g{}o{}", number, i);
      box(id, known ? output_label(signature->outputs[i], i) : fmt::format("output {}", i),
          "#f4b6c2");
      print_edges(graph, signature, number, graph.outputs()[i], id, {});
    }
  }

  static std::string output_label(const OutputSpec& spec, std::size_t i) {
    if (spec.kind == OutputKind::user_output) return fmt::format("output {}", i);
    return fmt::format("{}\\n{}", name(spec.kind), dot_quoted(spec.target));
  }

  void print_subgraphs(const Node& node, const std::string& id) {
    for (const auto& argument : node.arguments) {
      const Subgraph* inner = argument.value.subgraph();
      if (!inner || depth_ > max_depth) continue;
      const std::size_t number = graphs_;
      line(fmt::format("subgraph cluster_{} {{", number));
      ++depth_;
      line(
          fmt::format("label=\"{} of {}\"; color=\"#9467bd\"; fontname=\"Helvetica\"; fontsize=10;",
                      dot_quoted(inner->name), dot_quoted(node.name)));
      line(fmt::format("g{}enter [shape=point, label=\"\"];", number));
      print_graph(*inner->body, nullptr);
      --depth_;
      line("}");
      line(fmt::format("{} -> g{}enter [style=dashed, lhead=cluster_{}];", id, number, number));
    }
  }

  /// One edge for each value in the argument, from whatever makes it.
  void print_edges(const GraphBody& graph, const Signature* signature, std::size_t number,
                   const Argument& argument, const std::string& to, std::string_view role) {
    argument.for_each_value([&](ValueId id) {
      if (!id.valid()) return;
      const GraphValue& value = graph.value(id);
      std::string from = fmt::format("g{}n{}", number, value.producer.index);
      if (!value.producer.valid()) {
        if (signature && hidden_.contains(id)) return;
        from = fmt::format("g{}i{}", number, id.index);
      }
      const std::string label = options_.shapes ? dot_quoted(dot_type(value)) : std::string();
      line(fmt::format("{} -> {} [label=\"{}\", tooltip=\"{}{}{}\"];", from, to, label,
                       dot_quoted(value.name), role.empty() ? "" : " as ", dot_quoted(role)));
    });
  }

  DotOptions options_;
  std::string text_;
  std::size_t depth_ = 0;
  std::size_t graphs_ = 0;
  std::set<ValueId> hidden_;  ///< inputs of the outermost graph that are not drawn
};

}  // namespace detail

TREADLE_INLINE std::string to_dot(const GraphModule& module, DotOptions options) {
  return detail::DotPrinter(options).print(module.graph, &module.signature);
}

TREADLE_INLINE std::string to_dot(const GraphBody& graph, DotOptions options) {
  return detail::DotPrinter(options).print(graph, nullptr);
}

}  // namespace treadle::inline v0
