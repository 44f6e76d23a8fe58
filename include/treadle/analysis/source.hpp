// Says where a node is: in the graph and in the Python program.
#pragma once

#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>
#include <treadle/graph/graph_body.hpp>

namespace treadle::inline v0 {

/// `model.py:31` from the innermost frame of the node's Python trace that is not generated code;
/// empty if the file has no traces.
[[nodiscard]] inline std::string source_line(const Node& node) {
  std::string_view trace = node.meta("stack_trace");
  while (!trace.empty()) {
    const auto at = trace.rfind("File \"");
    if (at == std::string_view::npos) return {};
    const std::string_view entry = trace.substr(at + 6);
    const auto quote = entry.find('"');
    const auto line = entry.find(", line ");
    if (quote != std::string_view::npos && line == quote + 1 && entry.front() != '<') {
      const auto digits = entry.substr(line + 7);
      return concat(entry.substr(0, quote), ':',
                    digits.substr(0, digits.find_first_not_of("0123456789")));
    }
    trace = trace.substr(0, at);
  }
  return {};
}

/// `node 'add_1' aten::add.Tensor (model.py:31)`: how error messages name a node.
[[nodiscard]] inline std::string describe(const Node& node) {
  const std::string line = source_line(node);
  return concat("node '", node.name, "' ", node.target, line.empty() ? "" : " (", line,
                line.empty() ? "" : ")");
}

}  // namespace treadle::inline v0
