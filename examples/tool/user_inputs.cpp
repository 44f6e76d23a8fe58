// Lists what a program takes from its caller.
#include "user_inputs.hpp"

#include <complex>
#include <cstdint>
#include <type_traits>
#include <variant>

#include <fmt/core.h>

namespace tool {

std::string type_text(const treadle::GraphValue& value) {
  if (!value.tensor) return std::string(name(value.kind));
  std::string text = fmt::format("{}[", name(value.tensor->dtype));
  for (std::size_t i = 0; i < value.tensor->rank(); ++i)
    text += (i == 0 ? "" : ", ") + to_string(value.tensor->sizes[i]);
  return text + "]";
}

std::string constant_text(const treadle::Constant& constant) {
  return std::visit(
      []<class T>(const T& v) -> std::string {
        if constexpr (std::is_same_v<T, treadle::None>)
          return "None";
        else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t> ||
                           std::is_same_v<T, double>)
          return treadle::concat(v);
        else if constexpr (std::is_same_v<T, std::string>)
          return fmt::format("\"{}\"", v);
        else if constexpr (std::is_same_v<T, std::complex<double>>)
          return fmt::format("{}{:+}j", v.real(), v.imag());
        else
          return "a constant";
      },
      constant);
}

std::vector<UserInput> user_inputs(const treadle::GraphModule& module) {
  std::vector<UserInput> inputs;
  const auto& specs = module.signature.inputs;
  for (std::size_t i = 0; i < specs.size() && i < module.graph.inputs().size(); ++i) {
    const bool constant = specs[i].kind == treadle::InputKind::constant_input;
    if (!constant && specs[i].kind != treadle::InputKind::user_input) continue;
    UserInput input{specs[i].name, {}, module.graph.inputs()[i], false, constant};
    if (constant || !input.value.valid()) {
      input.value = {};
      input.type = "constant " + constant_text(specs[i].value);
    } else {
      const auto& value = module.graph.value(input.value);
      input.tensor = value.tensor.has_value();
      input.type = type_text(value);
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::string count_text(const std::vector<UserInput>& inputs) {
  std::string text = fmt::format("{} input{}", inputs.size(), inputs.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    text += fmt::format("{} {} {}", i == 0 ? ":" : ",", inputs[i].name, inputs[i].type);
  return text;
}

}  // namespace tool
