// Which graph input a mutation that the signature lists writes.
#pragma once

#include <cstddef>
#include <string>

#include <treadle/core/ids.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0 {

/// The graph input to which output `i` of the program is copied at the end of a run; invalid if the
/// output is no mutation, or one of something that the program does not take.
[[nodiscard]] inline ValueId mutated_input(const GraphModule& module, std::size_t i) {
  if (i >= module.signature.outputs.size()) return {};
  const OutputSpec& output = module.signature.outputs[i];
  const bool user = output.kind == OutputKind::user_input_mutation;
  if (!user && output.kind != OutputKind::buffer_mutation &&
      output.kind != OutputKind::parameter_mutation)
    return {};
  const auto& inputs = module.signature.inputs;
  for (std::size_t k = 0; k < inputs.size() && k < module.graph.inputs().size(); ++k)
    if ((inputs[k].kind == InputKind::user_input) == user &&
        (user ? inputs[k].name : inputs[k].target) == output.target)
      return module.graph.inputs()[k];
  return {};
}

}  // namespace treadle::inline v0
