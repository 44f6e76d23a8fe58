// What a higher-order operator hands to its subgraphs.
#pragma once

#include <cstdint>
#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/config.hpp>
#include <treadle/graph/argument.hpp>

namespace treadle::inline v0 {

/// The operands of a control node by role. A subgraph's inputs are the carried ones, then one row
/// of each sliced one, then the constant ones.
struct ControlOperands {
  std::vector<Argument> carried;   ///< replaced by the results of each round
  std::vector<Argument> sliced;    ///< taken row by row; twice in an associative scan
  std::vector<Argument> constant;  ///< the same in every round
  std::int64_t dimension = 0;      ///< of the rows, where an early exporter states it
  bool reverse = false;
};

/// Sorts a control node's operands. Missing lists are empty.
[[nodiscard]] ControlOperands control_operands(const CallSite& site);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/analysis/control_operands-inl.hpp>
#endif
