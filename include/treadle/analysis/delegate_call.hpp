// Reads the nodes that hand work to a delegate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>

namespace treadle::inline v0 {

/// True for the operators that call what a program was lowered for.
[[nodiscard]] bool is_delegate_target(std::string_view target) noexcept;

/// A delegated call taken apart. Refers to the node.
struct DelegateCall {
  std::string_view name;           ///< of the lowered part; may be empty
  const Subgraph* body = nullptr;  ///< the lowered part as a graph, if it is there
  std::vector<Argument> operands;  ///< tensors, numbers and None, lists flattened
};

/// `executorch_call_delegate(part, operands…)`, `aoti_call_delegate(part, graph, weights,
/// operands)`, `call_aotinductor(part, operands…)`, where a part is a name, a graph or both. The
/// weights of the second form are in the part itself and are left out.
[[nodiscard]] Result<DelegateCall> read_delegate_call(const Node& node);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/analysis/delegate_call-inl.hpp>
#endif
