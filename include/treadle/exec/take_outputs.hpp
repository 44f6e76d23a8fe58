// What a finished run leaves behind: outputs for the caller, mutations that the signature lists.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/executable.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/transfer.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0::detail {

template <TensorBackend Backend>
Value<Backend> constant_value(const Argument& output) {
  if (const auto* v = output.get<bool>()) return *v;
  if (const auto* v = output.get<std::int64_t>()) return *v;
  if (const auto* v = output.get<double>()) return *v;
  if (const auto* v = output.get<std::string>()) return *v;
  if (const auto* v = output.get<std::complex<double>>()) return *v;
  return {};
}

/// The value may share storage with weights or state, which the caller must not hold.
template <TensorBackend Backend>
bool shows_weights(const ExecutionPlan<Backend>& plan, ValueId v) {
  const auto& bound = plan.executable->bound();
  const ValueId alias = plan.known.alias_class(v);
  for (std::size_t i = 0; i < bound.inputs().size(); ++i) {
    const ValueId input = bound.graph().inputs()[i];
    if (input.valid() && bound.inputs()[i].kind == InputSource::Kind::weight &&
        plan.known.alias_class(input) == alias)
      return true;
  }
  return false;
}

template <TensorBackend Backend>
Result<Value<Backend>> output_value(Frame<Backend>& frame, const Argument& output) {
  const auto* v = output.value();
  if (!v || !v->valid()) return constant_value<Backend>(output);
  if (const auto number = frame.number_of(*v)) {
    if (number->is_boolean()) return Value<Backend>(number->truthy());
    if (number->is_integer()) return Value<Backend>(number->integer);
    return Value<Backend>(number->real);
  }
  const auto kind = frame.plan().graph->graph->value(*v).kind;
  if (kind == ValueKind::none || kind == ValueKind::token) return Value<Backend>();
  if (kind == ValueKind::custom_object) return Value<Backend>(frame.object(*v));
  if (shows_weights(frame.plan(), *v)) {
    TREADLE_TRY(auto copy, clone_tensor(frame.backend(), frame.tensor(*v)));
    return Value<Backend>(std::move(copy));
  }
  return Value<Backend>(frame.tensor(*v));
}

/// The user's outputs of a run, in order.
template <TensorBackend Backend>
Result<std::vector<Value<Backend>>> take_outputs(Frame<Backend>& frame) {
  const auto& bound = frame.plan().executable->bound();
  const auto& specs = bound.module().signature.outputs;
  const auto& outputs = bound.graph().outputs();
  std::vector<Value<Backend>> results;
  results.reserve(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto kind = i < specs.size() ? specs[i].kind : OutputKind::user_output;
    if (kind != OutputKind::user_output && kind != OutputKind::loss_output) continue;
    TREADLE_TRY(auto value, output_value(frame, outputs[i]));
    results.push_back(std::move(value));
  }
  return results;
}

/// Writes the mutations that the signature lists back to the state's and the caller's tensors.
template <TensorBackend Backend>
Status write_back(Frame<Backend>& frame) {
  for (const WriteBack& write : frame.plan().executable->bound().write_backs()) {
    auto status = copy_tensor(frame.backend(), frame.tensor(write.from), frame.tensor(write.to));
    if (!status)
      return std::move(status).error().with_context(
          concat("mutation of '", frame.plan().graph->graph->value(write.to).name, "'"));
  }
  return {};
}

}  // namespace treadle::inline v0::detail
