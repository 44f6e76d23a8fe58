// What a program takes from its caller, as the tool reports it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <treadle/core/ids.hpp>
#include <treadle/graph/graph_module.hpp>

namespace tool {

/// One user input, in flattened order.
struct UserInput {
  std::string name;
  std::string type;        ///< `float32[s0, 3]`, `sym_int`, `constant 2`
  treadle::ValueId value;  ///< invalid for constants
  bool tensor = false;
  bool constant = false;  ///< fixed at export: may be left out
};

[[nodiscard]] std::vector<UserInput> user_inputs(const treadle::GraphModule& module);
/// `2 inputs: x float32[1, 64], n sym_int`.
[[nodiscard]] std::string count_text(const std::vector<UserInput>& inputs);
/// `float32[s0, 3]`, or the kind of a value that is no tensor.
[[nodiscard]] std::string type_text(const treadle::GraphValue& value);
/// `2`, `"sum"`, `None`.
[[nodiscard]] std::string constant_text(const treadle::Constant& constant);

}  // namespace tool
