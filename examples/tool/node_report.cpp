// Sums the times of nodes up.
#include "node_report.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include <fmt/core.h>

#include <treadle/analysis/source.hpp>
#include <treadle/text/table.hpp>
#include <treadle/text/units.hpp>

namespace tool {
namespace {

using treadle::Align;
using treadle::BoundGraph;
using treadle::Table;

/// Walks over a program's graphs and collects the nodes that ran.
class Collector {
 public:
  Collector(const treadle::NodeTimes& times, std::size_t runs)
      : times_(times), runs_(static_cast<double>(std::max<std::size_t>(runs, 1))) {}

  void visit(const BoundGraph& graph, const std::string& prefix) {
    for (const auto id : graph.graph->nodes()) {
      const auto& node = graph.graph->node(id);
      if (const auto entry = times_.entry(id, graph.id); entry.count > 0)
        add(node, prefix + node.name, entry);
      const auto inner = graph.subgraphs.find(id.index);
      if (inner == graph.subgraphs.end()) continue;
      std::size_t next = 0;
      for (const auto& argument : node.arguments)
        if (const auto* subgraph = argument.value.subgraph(); subgraph)
          visit(inner->second[next++], fmt::format("{}{}/{}/", prefix, node.name, subgraph->name));
    }
  }

  NodeReport finish() {
    for (auto& [target, op] : operators_) {
      op.cost.mean = op.cost.count > 0 ? op.cost.total / op.cost.count : 0;
      report_.operators.push_back(std::move(op));
    }
    double all = 0;
    for (const auto& node : report_.nodes) all += node.cost.self;
    const double share = all > 0 ? 100 / all : 0;
    for (auto& node : report_.nodes) node.cost.percent = node.cost.self * share;
    for (auto& op : report_.operators) op.cost.percent = op.cost.self * share;
    const auto self = [](const auto& entry) { return entry.cost.self; };
    std::ranges::sort(report_.nodes, std::ranges::greater{}, self);
    std::ranges::sort(report_.operators, std::ranges::greater{}, self);
    return std::move(report_);
  }

 private:
  void add(const treadle::Node& node, std::string name, const treadle::NodeTimes::Entry& entry) {
    Cost cost;
    cost.count = static_cast<double>(entry.count) / runs_;
    cost.total = static_cast<double>(entry.nanoseconds) / runs_ / 1e3;
    cost.self = static_cast<double>(entry.self_nanoseconds) / runs_ / 1e3;
    cost.mean = cost.total / cost.count;
    cost.least = static_cast<double>(entry.least) / 1e3;
    auto& op = operators_[node.target];
    op.target = node.target;
    op.cost.least = op.instances == 0 ? cost.least : std::min(op.cost.least, cost.least);
    op.cost.count += cost.count;
    op.cost.total += cost.total;
    op.cost.self += cost.self;
    ++op.instances;
    report_.nodes.push_back({std::move(name), node.target, treadle::source_line(node), cost});
  }

  const treadle::NodeTimes& times_;
  double runs_;
  std::map<std::string, OperatorCost> operators_;
  NodeReport report_;
};

Table make_table(const std::vector<Table::Column>& more) {
  std::vector<Table::Column> columns = {{"self", Align::right},  {"%", Align::right},
                                        {"total", Align::right}, {"mean", Align::right},
                                        {"min", Align::right},   {"count", Align::right}};
  columns.insert(columns.end(), more.begin(), more.end());
  return Table(std::move(columns));
}

std::vector<std::string> row(const Cost& cost, const std::vector<std::string>& more) {
  std::vector<std::string> cells = {
      treadle::time_text(cost.self),  fmt::format("{:.1f}", cost.percent),
      treadle::time_text(cost.total), treadle::time_text(cost.mean),
      treadle::time_text(cost.least), fmt::format("{:.4g}", cost.count)};
  cells.insert(cells.end(), more.begin(), more.end());
  return cells;
}

}  // namespace

NodeReport node_report(const treadle::BoundProgram& program, const treadle::NodeTimes& times,
                       std::size_t runs) {
  Collector collector(times, runs);
  collector.visit(program.root, {});
  return collector.finish();
}

std::string NodeReport::node_table() const {
  Table table = make_table({{"node"}, {"operator"}, {"source"}});
  for (const auto& node : nodes) table.add(row(node.cost, {node.name, node.target, node.source}));
  return table.text();
}

std::string NodeReport::operator_table() const {
  Table table = make_table({{"instances", Align::right}, {"operator"}});
  for (const auto& op : operators)
    table.add(row(op.cost, {fmt::format("{}", op.instances), op.target}));
  return table.text();
}

}  // namespace tool
