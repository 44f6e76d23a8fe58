// How the export schema calls the kinds of inputs and outputs.
#pragma once

#include <string_view>

#include <treadle/graph/signature.hpp>

namespace treadle::inline v0::detail {

/// A variant of the schema's input or output spec: its tag, our kind, the key of its target.
template <class Kind>
struct SpecTag {
  std::string_view tag;
  Kind kind;
  std::string_view target_key;  ///< empty: no target
};

inline constexpr SpecTag<InputKind> input_tags[] = {
    {"user_input", InputKind::user_input, ""},
    {"parameter", InputKind::parameter, "parameter_name"},
    {"buffer", InputKind::buffer, "buffer_name"},
    {"tensor_constant", InputKind::tensor_constant, "tensor_constant_name"},
    {"custom_obj", InputKind::custom_object, "custom_obj_name"},
    {"constant_input", InputKind::constant_input, ""},
    {"token", InputKind::token, ""},
};
inline constexpr SpecTag<OutputKind> output_tags[] = {
    {"user_output", OutputKind::user_output, ""},
    {"loss_output", OutputKind::loss_output, ""},
    {"buffer_mutation", OutputKind::buffer_mutation, "buffer_name"},
    {"parameter_mutation", OutputKind::parameter_mutation, "parameter_name"},
    {"user_input_mutation", OutputKind::user_input_mutation, "user_input_name"},
    {"gradient_to_parameter", OutputKind::gradient_to_parameter, "parameter_name"},
    {"gradient_to_user_input", OutputKind::gradient_to_user_input, "user_input_name"},
    {"token", OutputKind::token, ""},
};

}  // namespace treadle::inline v0::detail
