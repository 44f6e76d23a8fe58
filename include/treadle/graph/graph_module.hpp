// A whole program as data: graph, signature and what was promised about sizes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <treadle/graph/graph_body.hpp>
#include <treadle/graph/signature.hpp>

namespace treadle::inline v0 {

/// Inclusive bounds of a named size; an absent bound is open.
struct RangeConstraint {
  std::optional<std::int64_t> minimum;
  std::optional<std::int64_t> maximum;

  friend bool operator==(const RangeConstraint&, const RangeConstraint&) = default;
};

/// A submodule of the exported module, for tools that take programs apart again.
struct ModuleCall {
  std::string fqn;
  std::string signature;  ///< its inputs and outputs as the file's JSON; empty if not recorded
};

/// Everything that a program file says besides its weights.
struct GraphModule {
  std::string name;
  GraphBody graph;
  Signature signature;
  std::map<std::string, RangeConstraint, std::less<>> ranges;
  std::vector<std::string> guards;  ///< conditions on inputs, as Python text
  std::map<std::string, std::int64_t, std::less<>> opset_version;
  std::string torch_version;
  std::vector<ModuleCall> calls;  ///< of submodules, in order; the whole module is `signature`
  std::map<std::string, std::string, std::less<>> metadata;
};

}  // namespace treadle::inline v0
