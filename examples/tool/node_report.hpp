// Where the time of a run goes, by node and by operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <treadle/graph/graph_module.hpp>
#include <treadle/trace/node_times.hpp>

namespace tool {

struct NodeCost {
  std::string name;
  std::string target;
  std::string source;       ///< line of the Python program, if the file has it
  double microseconds = 0;  ///< a run
  double percent = 0;
};

struct OperatorCost {
  std::string target;
  std::size_t instances = 0;
  double microseconds = 0;
  double percent = 0;
};

/// Both lists begin with what costs most.
struct NodeReport {
  std::vector<NodeCost> nodes;
  std::vector<OperatorCost> operators;

  /// The two tables.
  [[nodiscard]] std::string text() const;
};

/// Nodes that never ran are left out. Nodes of subgraphs count with the node that runs them.
[[nodiscard]] NodeReport node_report(const treadle::GraphModule& module,
                                     const treadle::NodeTimes& times);

}  // namespace tool
