// Sums the times of nodes up.
#include "node_report.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <fmt/core.h>

#include <treadle/analysis/source.hpp>
#include <treadle/text/table.hpp>
#include <treadle/text/units.hpp>

namespace tool {

NodeReport node_report(const treadle::GraphModule& module, const treadle::NodeTimes& times) {
  NodeReport report;
  std::map<std::string, OperatorCost> operators;
  double total = 0;
  for (const auto id : module.graph.nodes()) {
    const auto entry = times.entry(id);
    if (entry.count == 0) continue;
    const auto& node = module.graph.node(id);
    const double each =
        static_cast<double>(entry.nanoseconds) / static_cast<double>(entry.count) / 1e3;
    report.nodes.push_back({node.name, node.target, treadle::source_line(node), each, 0});
    auto& op = operators[node.target];
    op.target = node.target;
    op.microseconds += each;
    ++op.instances;
    total += each;
  }
  for (auto& [target, op] : operators) report.operators.push_back(std::move(op));
  const double share = total > 0 ? 100 / total : 0;
  for (auto& node : report.nodes) node.percent = node.microseconds * share;
  for (auto& op : report.operators) op.percent = op.microseconds * share;
  std::ranges::sort(report.nodes, std::ranges::greater{}, &NodeCost::microseconds);
  std::ranges::sort(report.operators, std::ranges::greater{}, &OperatorCost::microseconds);
  return report;
}

std::string NodeReport::text() const {
  using treadle::Align;
  using treadle::Table;
  Table by_node({{"time", Align::right}, {"%", Align::right}, {"node"}, {"operator"}, {"source"}});
  for (const auto& node : nodes)
    by_node.add({treadle::time_text(node.microseconds), fmt::format("{:.1f}", node.percent),
                 node.name, node.target, node.source});
  Table by_operator(
      {{"time", Align::right}, {"%", Align::right}, {"instances", Align::right}, {"operator"}});
  for (const auto& op : operators)
    by_operator.add({treadle::time_text(op.microseconds), fmt::format("{:.1f}", op.percent),
                     fmt::format("{}", op.instances), op.target});
  return by_node.text() + "\n" + by_operator.text() + "\n";
}

}  // namespace tool
