// Reads graphs of graph text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/graph/graph_body.hpp>
#include <treadle/graph/parse_constant.hpp>

namespace treadle::inline v0::detail {

class GraphParser : public ConstantParser {
 public:
  using ConstantParser::ConstantParser;

  /// From the parenthesis of the inputs on.
  [[nodiscard]] bool graph(GraphBody& out) {
    GraphBody* const outer = std::exchange(graph_, &out);
    const bool good = deeper() && inputs() && body();
    graph_ = outer;
    --depth_;
    return good;
  }

  /// A constant list or scalar, as a constant; fails on anything with values in it.
  [[nodiscard]] bool constant(Constant& out) {
    GraphBody none;
    GraphBody* const outer = std::exchange(graph_, &none);
    Argument argument;
    skip_space();
    const std::size_t start = position();
    const bool good = this->argument(argument);
    graph_ = outer;
    if (!good) return false;
    if (!argument.constant()) return fail_at(start, ErrorCode::corrupt_file, "expected a constant");
    out = *argument.constant();
    return true;
  }

  /// `{"key": "text", …}`; values are read by `read`.
  template <class Read>
  [[nodiscard]] bool entries(Read read) {
    if (!expect('{')) return false;
    if (take('}')) return true;
    do {
      std::string key;
      if (!quoted(key) || !expect(':') || !read(std::move(key))) return false;
    } while (take(','));
    return expect('}');
  }

 protected:
  [[nodiscard]] bool deeper() {
    if (++depth_ <= max_graph_text_depth) return true;
    return fail_at(position(), ErrorCode::limit_exceeded,
                   concat("nested deeper than max_graph_text_depth = ", max_graph_text_depth));
  }
  void shallower() noexcept { --depth_; }

 private:
  [[nodiscard]] bool inputs() {
    if (!expect('(')) return false;
    if (!take(')')) {
      do {
        if (take_word("_")) {
          graph_->add_constant_input();
          continue;
        }
        GraphValue value;
        if (!definition(value)) return false;
        graph_->add_input(std::move(value));
      } while (take(','));
      if (!expect(')')) return false;
    }
    return expect(':');
  }

  [[nodiscard]] bool body() {
    while (!take_word("return"))
      if (!node()) return false;
    std::vector<Argument> outputs;
    if (!expect('(')) return false;
    if (!take(')')) {
      do {
        if (!argument(outputs.emplace_back())) return false;
      } while (take(','));
      if (!expect(')')) return false;
    }
    graph_->set_outputs(std::move(outputs));
    return true;
  }

  /// `%name: type`.
  [[nodiscard]] bool definition(GraphValue& out) {
    if (!expect('%')) return false;
    const std::size_t start = position();
    if (!name("a name", out.name)) return false;
    if (graph_->find_value(out.name).valid())
      return fail_at(start, ErrorCode::invalid_graph,
                     concat("value '%", out.name, "' is defined twice"));
    return take(':') ? value_type(out) : true;
  }

  [[nodiscard]] bool node() {
    Node node;
    const char first = peek();
    if (first == '%' || first == '[' || peek_word() == "_") {
      do {
        if (!result(node)) return false;
      } while (take(','));
      if (!expect('=')) return false;
    }
    if (!name("an operator", node.target) || !expect('(')) return false;
    if (!take(')')) {
      do {
        if (!named_argument(node.arguments.emplace_back())) return false;
      } while (take(','));
      if (!expect(')')) return false;
    }
    if (take('@')) {
      if (!name("the node's name", node.name)) return false;
    } else {
      for (const ValueId id : node.outputs)
        if (node.name.empty() && id.valid()) node.name = graph_->value(id).name;
    }
    if (take_word("meta") && !entries([&](std::string key) {
          return quoted(node.metadata.emplace_back(std::move(key), "").second);
        }))
      return false;
    graph_->add_node(std::move(node));
    return true;
  }

  [[nodiscard]] bool result(Node& node) {
    if (!take('[')) {
      node.result_lengths.push_back(Node::single);
      return output(node);
    }
    const std::size_t first = node.outputs.size();
    if (!take(']')) {
      do {
        if (!output(node)) return false;
      } while (take(','));
      if (!expect(']')) return false;
    }
    node.result_lengths.push_back(static_cast<std::int32_t>(node.outputs.size() - first));
    return true;
  }

  [[nodiscard]] bool output(Node& node) {
    if (take_word("_")) {
      node.outputs.push_back(ValueId{});
      return true;
    }
    GraphValue value;
    if (!definition(value)) return false;
    node.outputs.push_back(graph_->add_value(std::move(value)));
    return true;
  }

  /// `name=value`, `*name=value`, or a value alone.
  [[nodiscard]] bool named_argument(NamedArgument& out) {
    out.keyword = take('*');
    const std::size_t start = position();
    const char c = peek();
    if (c != '%' && c != '[' && c != '{' && c != '-') {
      if (name("a name", out.name) && take('=')) return argument(out.value);
      rewind(start);
      out.name.clear();
    }
    return argument(out.value);
  }

  [[nodiscard]] bool argument(Argument& out) {
    const char c = peek();
    if (c == '%') return use(out);
    if (c == '[' || c == '{') {
      const bool good = deeper() && (c == '[' ? list(out, false) : dictionary(out));
      shallower();
      return good;
    }
    const std::string_view word = peek_word();
    if (word == "_") {
      out = ValueId{};
      return take_word("_");
    }
    if (word == "list") return take_word(word) && list(out, true);
    if (word == "ints") return empty(word, std::vector<std::int64_t>(), out);
    if (word == "floats") return empty(word, std::vector<double>(), out);
    if (word == "bools") return empty(word, std::vector<bool>(), out);
    if (word == "strings") return empty(word, std::vector<std::string>(), out);
    if (word == "graph") return subgraph(out);
    Constant constant;
    if (!scalar(constant)) return false;
    out = std::move(constant);
    return true;
  }

  [[nodiscard]] bool use(Argument& out) {
    const std::size_t start = position();
    std::string named;
    if (!expect('%') || !name("a name", named)) return false;
    const ValueId id = graph_->find_value(named);
    if (!id.valid())
      return fail_at(start, ErrorCode::invalid_graph,
                     concat("value '%", named, "' is used before it is defined"));
    out = id;
    return true;
  }

  template <class Items>
  [[nodiscard]] bool empty(std::string_view word, Items items, Argument& out) {
    out = Constant(std::move(items));
    return take_word(word) && expect('[') && expect(']');
  }

  [[nodiscard]] bool list(Argument& out, bool keep) {
    Argument::List items;
    if (!expect('[')) return false;
    if (!take(']')) {
      do {
        if (!argument(items.emplace_back())) return false;
      } while (take(','));
      if (!expect(']')) return false;
    }
    if (keep || !(merge<std::int64_t>(items, out) || merge<double>(items, out) ||
                  merge<bool>(items, out) || merge<std::string>(items, out)))
      out = std::move(items);
    return true;
  }

  /// Makes a list of plain constants of one kind a constant.
  template <class Item>
  static bool merge(const Argument::List& items, Argument& out) {
    std::vector<Item> plain;
    for (const auto& item : items) {
      const auto* value = item.get<Item>();
      if (!value) return false;
      plain.push_back(*value);
    }
    if (items.empty()) return false;
    out = Constant(std::move(plain));
    return true;
  }

  [[nodiscard]] bool dictionary(Argument& out) {
    Argument::Dict items;
    if (!entries([&](std::string key) {
          return argument(items.emplace_back(std::move(key), Argument()).second);
        }))
      return false;
    out = std::move(items);
    return true;
  }

  [[nodiscard]] bool subgraph(Argument& out) {
    std::string named;
    auto body = std::make_shared<GraphBody>();
    if (!expect_word("graph") || !quoted(named) || !graph(*body)) return false;
    out = Subgraph{std::move(named), std::move(body)};
    return true;
  }

  GraphBody* graph_ = nullptr;
  std::size_t depth_ = 0;
};

}  // namespace treadle::inline v0::detail
