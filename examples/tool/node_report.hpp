// Where the time of a run goes, by node and by operator.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/trace/node_times.hpp>

namespace tool {

/// Times in microseconds. `total`, `self` and `count` are those of one run of the program, on
/// average; a node of a loop's body has a count above 1.
struct Cost {
  double count = 0;
  double total = 0;
  double self = 0;     ///< total less the nodes that ran inside: no time is counted twice
  double mean = 0;     ///< total of one time
  double least = 0;    ///< total of the fastest time
  double percent = 0;  ///< self, as part of all nodes'
};

struct NodeCost {
  std::string name;  ///< with the control node that runs it, as in `cond/true_graph_0/add`
  std::string target;
  std::string source;  ///< line of the Python program, if the file has it
  Cost cost;
};

struct OperatorCost {
  std::string target;
  std::size_t instances = 0;  ///< nodes that ran
  Cost cost;
};

/// Both lists begin with what costs most itself.
struct NodeReport {
  std::vector<NodeCost> nodes;
  std::vector<OperatorCost> operators;

  [[nodiscard]] std::string node_table() const;
  [[nodiscard]] std::string operator_table() const;
};

/// Nodes that never ran are left out.
[[nodiscard]] NodeReport node_report(const treadle::BoundProgram& program,
                                     const treadle::NodeTimes& times, std::size_t runs);

}  // namespace tool
