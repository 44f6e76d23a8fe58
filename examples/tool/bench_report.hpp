// What `treadle bench` found.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "node_report.hpp"
#include "stopwatch.hpp"

namespace tool {

struct BenchReport {
  std::string model;
  std::string scheduler;
  std::string inputs;
  std::size_t threads = 0;
  Timing run;      ///< `Model::run`
  Timing session;  ///< `Session::run`
  std::optional<NodeReport> nodes;
  bool by_node = false;  ///< show nodes, not operators alone
};

/// One JSON object.
[[nodiscard]] std::string bench_json(const BenchReport& report);

}  // namespace tool
