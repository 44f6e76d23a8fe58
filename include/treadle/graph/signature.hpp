// What each input and output of a program stands for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/core/tree_spec.hpp>
#include <treadle/graph/argument.hpp>

namespace treadle::inline v0 {

enum class InputKind : std::uint8_t {
  user_input,
  parameter,
  buffer,
  tensor_constant,
  custom_object,
  constant_input,  ///< a number or text that was fixed at export
  token,
};

enum class OutputKind : std::uint8_t {
  user_output,
  loss_output,
  buffer_mutation,
  parameter_mutation,
  user_input_mutation,
  gradient_to_parameter,
  gradient_to_user_input,
  token,
};

[[nodiscard]] constexpr std::string_view name(InputKind kind) noexcept {
  constexpr std::string_view names[] = {
      "user_input",    "parameter",      "buffer", "tensor_constant",
      "custom_object", "constant_input", "token"};
  return names[static_cast<int>(kind)];
}
[[nodiscard]] constexpr std::string_view name(OutputKind kind) noexcept {
  constexpr std::string_view names[] = {"user_output",
                                        "loss_output",
                                        "buffer_mutation",
                                        "parameter_mutation",
                                        "user_input_mutation",
                                        "gradient_to_parameter",
                                        "gradient_to_user_input",
                                        "token"};
  return names[static_cast<int>(kind)];
}

/// Stands beside the graph input of the same index.
struct InputSpec {
  InputKind kind = InputKind::user_input;
  std::string name;        ///< of the graph input; of the argument for constant inputs
  std::string target;      ///< qualified name of the parameter, buffer, constant or object
  bool persistent = true;  ///< buffers: part of the state dict
  Constant value;          ///< constant inputs: the value

  friend bool operator==(const InputSpec&, const InputSpec&) = default;
};

/// Stands beside the graph output of the same index.
struct OutputSpec {
  OutputKind kind = OutputKind::user_output;
  std::string target;  ///< what is written: the buffer, parameter or user input

  friend bool operator==(const OutputSpec&, const OutputSpec&) = default;
};

/// Inputs and outputs are index-aligned with the graph's.
struct Signature {
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;
  TreeSpec in_spec;  ///< tuple(args tuple, kwargs dict)
  TreeSpec out_spec;
  std::vector<std::string> argument_names;  ///< of `forward`; may be empty

  friend bool operator==(const Signature&, const Signature&) = default;
};

}  // namespace treadle::inline v0
