// A caller's inputs: checked against the program and put into a frame.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <treadle/analysis/class_name.hpp>
#include <treadle/analysis/numbers.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/executable.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/plan_cache.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0::detail {

template <TensorBackend Backend>
Status check_input_count(const BoundModule<Backend>& bound,
                         std::span<const Value<Backend>> inputs) {
  if (inputs.size() == bound.user_input_count()) return {};
  std::string names;
  for (std::size_t i = 0; i < bound.user_input_count(); ++i)
    names += concat(names.empty() ? "" : ", ",
                    bound.module().signature.inputs[bound.user_input_position(i)].name);
  return Error(ErrorCode::invalid_argument, concat("expected ", bound.user_input_count(),
                                                   " inputs (", names, "), found ", inputs.size()));
}

/// Numbers that were fixed at export must be given as they were.
template <TensorBackend Backend>
Status check_constant_inputs(const BoundModule<Backend>& bound,
                             std::span<const Value<Backend>> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& spec = bound.module().signature.inputs[bound.user_input_position(i)];
    if (spec.kind != InputKind::constant_input || inputs[i].is_none()) continue;
    const auto given = number_in(inputs[i]);
    const auto fixed = to_number(Argument(spec.value));
    const auto* text = inputs[i].template get_if<std::string>();
    const auto* fixed_text = std::get_if<std::string>(&spec.value);
    const bool same = (given && fixed && given->as_real() == fixed->as_real()) ||
                      (text && fixed_text && *text == *fixed_text);
    if (!same)
      return Error(ErrorCode::invalid_argument,
                   concat("input '", spec.name,
                          "' was fixed when the program was exported and can't change"));
  }
  return {};
}

/// Facts of all graph inputs from those of the user inputs.
template <TensorBackend Backend>
std::vector<InputFacts> graph_input_facts(const Executable<Backend>& executable,
                                          const std::vector<InputFacts>& user) {
  const Backend backend = executable.backend();
  std::vector<InputFacts> facts(executable.inputs().size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const auto& input = executable.inputs()[i];
    if (input.kind == InputSource::Kind::weight) {
      const auto& entry = executable.weights().entries()[input.index];
      facts[i].meta = entry.source.meta;
      if constexpr (!ViewBackend<Backend>)
        if (!entry.released) facts[i].meta = backend.meta(entry.tensor);
      facts[i].storage_bytes = entry.source.bytes.size();
      facts[i].storage = entry.source.storage;
      facts[i].is_weight = !executable.is_changed(input.index);
    } else if (input.kind == InputSource::Kind::user) {
      facts[i] = user[input.index];
    }
  }
  return facts;
}

/// Puts an object in its slot; it must be of the program's class.
template <TensorBackend Backend>
Status place_object(const GraphValue& value, const Value<Backend>& input, CustomObject& slot) {
  const auto* object = input.template get_if<CustomObject>();
  const std::string wanted = class_name(value.class_name);
  if (!object || class_name(object->type_name) != wanted || !object->object)
    return Error(
        ErrorCode::invalid_argument,
        concat("input '", value.name, "': expected an object of class '", wanted, "', found ",
               object ? concat("one of '", object->type_name, "'") : std::string(input.kind())));
  slot = *object;
  return {};
}

template <TensorBackend Backend>
Status place_inputs(const BoundModule<Backend>& bound, Frame<Backend>& frame,
                    std::span<const Value<Backend>> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ValueId v = bound.user_input(i);
    if (!v.valid()) continue;
    const GraphValue& value = bound.graph().value(v);
    if (value.kind == ValueKind::custom_object) {
      TREADLE_CHECK(place_object(value, inputs[i], frame.object(v)));
    } else if (const auto* tensor = inputs[i].template get_if<typename Backend::Tensor>()) {
      frame.tensor(v) = *tensor;
    } else {
      frame.number(v) = number_in(inputs[i]);
    }
  }
  return {};
}

}  // namespace treadle::inline v0::detail
