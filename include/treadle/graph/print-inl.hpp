// Definitions of the printing functions.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/graph/print.hpp>
#include <treadle/graph/print_literal.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Writes graphs to a string.
class GraphPrinter {
 public:
  explicit GraphPrinter(PrintOptions options) : options_(options) {}

  [[nodiscard]] std::string take() && { return std::move(out_); }

  /// From the parenthesis of the inputs on; `indent` is that of the line that the graph begins on.
  void print_graph(const GraphBody& graph, std::size_t indent) {
    out_ += '(';
    separated(graph.inputs(), [&](ValueId id) { define(graph, id); });
    out_ += "):\n";
    for (const NodeId id : graph.nodes()) {
      out_.append(indent + 2, ' ');
      print_node(graph, graph.node(id), indent + 2);
      out_ += '\n';
    }
    out_.append(indent + 2, ' ');
    out_ += "return (";
    separated(graph.outputs(),
              [&](const Argument& item) { print_argument(graph, item, indent + 2); });
    out_ += ')';
  }

  void print_node(const GraphBody& graph, const Node& node, std::size_t indent) {
    print_results(graph, node);
    append_name(out_, node.target);
    out_ += '(';
    separated(node.arguments, [&](const NamedArgument& argument) {
      if (argument.keyword) out_ += '*';
      if (!argument.name.empty()) {
        append_name(out_, argument.name);
        out_ += '=';
      }
      print_argument(graph, argument.value, indent);
    });
    out_ += ')';
    std::string_view usual;
    for (const ValueId id : node.outputs)
      if (usual.empty() && id.valid()) usual = graph.value(id).name;
    if (node.name != usual) {
      out_ += " @";
      append_name(out_, node.name);
    }
    if (options_.metadata && !node.metadata.empty()) {
      out_ += " meta ";
      print_texts(node.metadata);
    }
  }

  void print_constant(const Constant& constant) {
    std::visit([this](const auto& value) { print_plain(value); }, constant);
  }

  /// `{"key": "text", …}`.
  template <class Pairs>
  void print_texts(const Pairs& pairs) {
    out_ += '{';
    separated(pairs, [&](const auto& pair) {
      append_quoted(out_, pair.first);
      out_ += ": ";
      if constexpr (std::is_convertible_v<decltype(pair.second), std::string_view>)
        append_quoted(out_, pair.second);
      else
        append(out_, pair.second);
    });
    out_ += '}';
  }

  void print_tree(const TreeSpec& spec) {
    if (spec.kind == TreeKind::leaf) {
      out_ += '*';
      return;
    }
    out_ += tree_kind_names[static_cast<int>(spec.kind)];
    if (spec.type_name != usual_type(spec.kind) || spec.context != usual_context(spec)) {
      out_ += '<';
      append_quoted(out_, spec.type_name);
      out_ += ", ";
      append_quoted(out_, spec.context);
      out_ += '>';
    }
    out_ += '(';
    std::size_t i = 0;
    separated(spec.children, [&](const TreeSpec& child) {
      if (i < spec.keys.size()) {
        if (const auto* number = std::get_if<std::int64_t>(&spec.keys[i]))
          append(out_, *number);
        else
          append_quoted(out_, std::get<std::string>(spec.keys[i]));
        out_ += ": ";
      }
      ++i;
      print_tree(child);
    });
    out_ += ')';
  }

  std::string& out() noexcept { return out_; }

  template <class Items, class Print>
  void separated(const Items& items, Print&& print) {
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ", ";
      first = false;
      print(item);
    }
  }

 private:
  void print_results(const GraphBody& graph, const Node& node) {
    if (node.result_lengths.empty()) return;
    std::size_t at = 0;
    separated(node.result_lengths, [&](std::int32_t length) {
      if (length == Node::single) {
        define(graph, at < node.outputs.size() ? node.outputs[at] : ValueId{});
        ++at;
        return;
      }
      out_ += '[';
      for (std::int32_t i = 0; i < length; ++i, ++at) {
        if (i != 0) out_ += ", ";
        define(graph, at < node.outputs.size() ? node.outputs[at] : ValueId{});
      }
      out_ += ']';
    });
    out_ += " = ";
  }

  void use(const GraphBody& graph, ValueId id) {
    if (!id.valid()) {
      out_ += '_';
      return;
    }
    out_ += '%';
    append_name(out_, graph.value(id).name);
  }

  void define(const GraphBody& graph, ValueId id) {
    use(graph, id);
    if (!id.valid() || !options_.types) return;
    const GraphValue& value = graph.value(id);
    out_ += ": ";
    if (value.kind == ValueKind::tensor && value.tensor) return print_type(*value.tensor);
    out_ += name(value.kind);
    if (value.tensor) {
      out_ += '(';
      print_type(*value.tensor);
      out_ += ')';
    }
    if (value.symbolic) out_ += concat('(', to_string(value.symbolic), ')');
    if (!value.class_name.empty()) {
      out_ += '(';
      append_quoted(out_, value.class_name);
      out_ += ')';
    }
  }

  void print_dims(const SymDims& dims, char open, char close) {
    out_ += open;
    separated(dims, [&](const SymInt& dim) { out_ += to_string(dim); });
    out_ += close;
  }

  /// Expressions stand in parentheses, since they may hold angle brackets.
  static std::string offset_text(const SymInt& offset) {
    return offset.known() ? concat("offset=", *offset.value())
                          : concat("offset=(", to_string(offset), ')');
  }

  void print_type(const TensorType& type) {
    out_ += name(type.dtype);
    print_dims(type.sizes, '[', ']');
    if (!(type.strides == contiguous_strides(type.sizes))) print_dims(type.strides, '{', '}');
    std::vector<std::string> facts;
    if (!type.storage_offset.is(0)) facts.push_back(offset_text(type.storage_offset));
    if (!(type.device == Device{})) facts.push_back(concat("device=", to_string(type.device)));
    if (type.layout != Layout::strided) facts.push_back(concat("layout=", name(type.layout)));
    if (type.requires_grad) facts.emplace_back("grad");
    if (facts.empty()) return;
    out_ += '<';
    separated(facts, [&](const std::string& fact) { out_ += fact; });
    out_ += '>';
  }

  /// True for a list that would read as a constant.
  static bool looks_constant(const Argument::List& items) {
    if (items.empty() || !items[0].constant()) return false;
    const std::size_t kind = items[0].constant()->index();
    for (const auto& item : items)
      if (!item.constant() || item.constant()->index() != kind) return false;
    return items[0].get<bool>() || items[0].get<std::int64_t>() || items[0].get<double>() ||
           items[0].get<std::string>();
  }

  void print_argument(const GraphBody& graph, const Argument& argument, std::size_t indent) {
    if (const auto* constant = argument.constant()) return print_constant(*constant);
    if (const auto* id = argument.value()) return use(graph, *id);
    if (const auto* items = argument.list()) {
      if (looks_constant(*items)) out_ += "list";
      out_ += '[';
      separated(*items, [&](const Argument& item) { print_argument(graph, item, indent); });
      out_ += ']';
    } else if (const auto* entries = argument.dict()) {
      out_ += '{';
      separated(*entries, [&](const auto& entry) {
        append_quoted(out_, entry.first);
        out_ += ": ";
        print_argument(graph, entry.second, indent);
      });
      out_ += '}';
    } else if (const auto* sub = argument.subgraph()) {
      out_ += concat('\n', std::string(indent + 2, ' '), "graph ");
      append_quoted(out_, sub->name);
      print_graph(*sub->body, indent + 2);
    }
  }

  void print_plain(None) { out_ += "None"; }
  void print_plain(bool value) { out_ += value ? "True" : "False"; }
  void print_plain(std::int64_t value) { append(out_, value); }
  void print_plain(double value) { append_real(out_, value); }
  void print_plain(const std::complex<double>& value) {
    out_ += "complex(";
    append_real(out_, value.real());
    out_ += ", ";
    append_real(out_, value.imag());
    out_ += ')';
  }
  void print_plain(const std::string& value) { append_quoted(out_, value); }
  void print_plain(DType value) { out_ += name(value); }
  void print_plain(const Device& value) { out_ += concat("device(", to_string(value), ')'); }
  void print_plain(Layout value) { out_ += concat("layout(", name(value), ')'); }
  void print_plain(MemoryFormat value) { out_ += concat("memory_format(", name(value), ')'); }
  void print_plain(const OperatorName& value) {
    out_ += "operator(";
    append_name(out_, value.target);
    out_ += ')';
  }
  template <class Item>
  void print_plain(const std::vector<Item>& items) {
    if (items.empty())
      out_ += std::is_same_v<Item, bool>           ? "bools"
              : std::is_same_v<Item, std::int64_t> ? "ints"
              : std::is_same_v<Item, double>       ? "floats"
                                                   : "strings";
    out_ += '[';
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ", ";
      first = false;
      print_plain(static_cast<const Item&>(item));
    }
    out_ += ']';
  }

  PrintOptions options_;
  std::string out_;
};

/// Prints what a program says besides its graph.
inline void print_header(GraphPrinter& printer, const GraphModule& module, bool metadata) {
  std::string& out = printer.out();
  const auto line = [&](std::string_view word) -> std::string& {
    return out.append("  ").append(word).append(" ");
  };
  out += "module ";
  append_quoted(out, module.name);
  out += " {\n";
  append_quoted(line("torch_version"), module.torch_version);
  out += '\n';
  line("opset");
  printer.print_texts(module.opset_version);
  out += '\n';
  if (metadata) {
    line("metadata");
    printer.print_texts(module.metadata);
    out += '\n';
  }
  for (const auto& [symbol, range] : module.ranges) {
    append_quoted(line("range"), symbol);
    out += concat(" [", range.minimum ? concat(*range.minimum) : "_", ", ",
                  range.maximum ? concat(*range.maximum) : "_", "]\n");
  }
  for (const auto& guard : module.guards) {
    append_quoted(line("guard"), guard);
    out += '\n';
  }
}

inline void print_signature(GraphPrinter& printer, const Signature& signature) {
  std::string& out = printer.out();
  for (const auto& spec : signature.inputs) {
    out += concat("  input ", name(spec.kind), ' ');
    append_quoted(out, spec.name);
    out += ' ';
    append_quoted(out, spec.target);
    if (!spec.persistent) out += " not_persistent";
    if (!std::holds_alternative<None>(spec.value)) {
      out += " = ";
      printer.print_constant(spec.value);
    }
    out += '\n';
  }
  for (const auto& spec : signature.outputs) {
    out += concat("  output ", name(spec.kind), ' ');
    append_quoted(out, spec.target);
    out += '\n';
  }
  out += "  arguments ";
  printer.print_constant(signature.argument_names);
  out += "\n  in_spec ";
  printer.print_tree(signature.in_spec);
  out += "\n  out_spec ";
  printer.print_tree(signature.out_spec);
  out += "\n}\n";
}

}  // namespace detail

TREADLE_INLINE std::string print(const GraphBody& graph, PrintOptions options) {
  detail::GraphPrinter printer(options);
  printer.out() += "graph";
  printer.print_graph(graph, 0);
  printer.out() += '\n';
  return std::move(printer).take();
}

TREADLE_INLINE std::string print(const GraphModule& module, PrintOptions options) {
  detail::GraphPrinter printer(options);
  detail::print_header(printer, module, options.metadata);
  detail::print_signature(printer, module.signature);
  printer.out() += "graph";
  printer.print_graph(module.graph, 0);
  printer.out() += '\n';
  return std::move(printer).take();
}

TREADLE_INLINE std::string print(const GraphBody& graph, NodeId node, PrintOptions options) {
  detail::GraphPrinter printer(options);
  printer.print_node(graph, graph.node(node), 0);
  return std::move(printer).take();
}

}  // namespace treadle::inline v0
