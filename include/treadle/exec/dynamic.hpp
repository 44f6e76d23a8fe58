// Steps whose metadata is known only in a run.
#pragma once

#include <complex>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <treadle/analysis/numbers.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/call.hpp>
#include <treadle/exec/frame.hpp>

namespace treadle::inline v0::detail {

/// The only element of a tensor as a number.
template <TensorBackend Backend>
Result<Number> read_number(Backend& backend, const typename Backend::Tensor& tensor) {
  const TensorMeta& meta = backend.meta(tensor);
  if (element_count(meta) != 1)
    return Error(ErrorCode::kernel_failed,
                 concat("a number is read from a tensor of ", element_count(meta), " elements"));
  std::byte bytes[16] = {};
  TREADLE_CHECK(backend.copy_to_host(tensor, std::span(bytes, size_of(meta.dtype))));
  Number number;
  const bool known = visit_dtype(meta.dtype, [&]<class T>(TypeTag<T>) {
    T value{};
    std::memcpy(static_cast<void*>(&value), bytes, sizeof(T));
    if constexpr (std::is_same_v<T, bool>)
      number = Number(value);
    else if constexpr (std::is_integral_v<T>)
      number = Number(value);
    else if constexpr (std::is_convertible_v<T, float>)
      number = Number(static_cast<double>(value));
  });
  if (!known || is_complex(meta.dtype))
    return Error(ErrorCode::kernel_failed,
                 concat("no number can be read from a ", name(meta.dtype), " tensor"));
  return number;
}

/// Runs one node from what the frame's slots hold now.
template <TensorBackend Backend>
class DynamicStep {
  using Tensor = typename Backend::Tensor;

 public:
  DynamicStep(Frame<Backend>& frame, RunContext<Backend>& context, NodeId node)
      : frame_(frame),
        context_(context),
        node_(frame.plan().graph->graph->node(node)),
        site_(frame.plan().graph->site(node)) {}

  Status run() {
    switch (site_.kind) {
      case SiteKind::symbolic: return run_symbolic();
      case SiteKind::size_query: return run_size_query();
      case SiteKind::read_number: return run_read_number();
      case SiteKind::op:
      case SiteKind::control:
      case SiteKind::method: return run_op();
    }
    return {};
  }

  /// A node's argument as it is now: numbers become constants, lists of numbers constant lists.
  static Result<CallArgument<Backend>> argument_now(Frame<Backend>& frame, const Argument& argument,
                                                    bool tensors) {
    if (const auto* constant = argument.constant()) return CallArgument<Backend>(*constant);
    if (const auto* v = argument.value()) return value_now(frame, *v);
    const auto* items = argument.list();
    if (!items) return CallArgument<Backend>(Constant(None{}));
    if (!tensors) {
      std::vector<Constant> constants;
      for (const auto& item : *items) {
        TREADLE_TRY(auto now, argument_now(frame, item, false));
        const auto* constant = std::get_if<Constant>(&now);
        if (!constant) return Error(ErrorCode::type_mismatch, "a list of numbers holds a tensor");
        constants.push_back(*constant);
      }
      return CallArgument<Backend>(join_constants(constants));
    }
    std::vector<Tensor> list;
    for (const auto& item : *items) {
      TREADLE_TRY(auto now, argument_now(frame, item, false));
      const auto* constant = std::get_if<Constant>(&now);
      if (constant && !std::holds_alternative<None>(*constant)) {
        TREADLE_TRY(now, number_tensor(frame.backend(), *constant));
      }
      const auto* tensor = std::get_if<Tensor>(&now);
      list.push_back(tensor ? *tensor : Tensor{});
    }
    return CallArgument<Backend>(std::move(list));
  }

 private:
  static CallArgument<Backend> value_now(Frame<Backend>& frame, ValueId v) {
    if (!v.valid()) return Constant(None{});
    if (const auto number = frame.number_of(v)) return to_constant(*number);
    return frame.tensor(v);
  }

  Result<Number> number_now(const Argument& argument) {
    if (const auto number = to_number(argument)) return *number;
    if (const auto* v = argument.value(); v && v->valid())
      if (const auto number = frame_.number_of(*v)) return *number;
    return Error(ErrorCode::type_mismatch, "expected a number");
  }

  Status run_symbolic() {
    std::vector<Number> operands;
    for (const auto& argument : site_.arguments) {
      TREADLE_TRY(const Number n, number_now(argument));
      operands.push_back(n);
    }
    TREADLE_TRY(frame_.number(node_.outputs[0]), site_.symbolic(operands));
    return {};
  }

  Result<const Tensor*> tensor_now(std::size_t i) {
    const auto* v = i < site_.arguments.size() ? site_.arguments[i].value() : nullptr;
    if (!v || !v->valid()) return Error(ErrorCode::type_mismatch, "expected a tensor");
    return &frame_.tensor(*v);
  }

  Status run_size_query() {
    TREADLE_TRY(const Tensor* tensor, tensor_now(0));
    Number dim(0);
    if (site_.arguments.size() > 1) TREADLE_CHECK(set(dim, number_now(site_.arguments[1])));
    TREADLE_TRY(const auto size,
                query_size(site_.query, context_.backend().meta(*tensor), dim.integer));
    frame_.number(node_.outputs[0]) = Number(size);
    return {};
  }

  static Status set(Number& target, Result<Number> number) {
    TREADLE_TRY(target, std::move(number));
    return {};
  }

  Status run_read_number() {
    TREADLE_TRY(const Tensor* tensor, tensor_now(0));
    TREADLE_TRY(frame_.number(node_.outputs[0]), read_number(context_.backend(), *tensor));
    return {};
  }

  Status run_op() {
    const auto& op = frame_.plan().executable->op(site_.op);
    std::vector<CallArgument<Backend>> arguments;
    for (std::size_t i = 0; i < op.schema.argument_count; ++i) {
      const auto& schema = op.schema.arguments[i];
      TREADLE_TRY(auto argument, argument_now(frame_, site_.arguments[i],
                                              schema.kind == SchemaKind::tensor && schema.list));
      arguments.push_back(std::move(argument));
    }
    TREADLE_TRY(auto results, call_operator(op, context_, std::move(arguments), declared(op),
                                            &frame_.plan().executable->host_weights()));
    for (std::size_t i = 0; i < node_.outputs.size() && i < results.size(); ++i)
      if (node_.outputs[i].valid()) frame_.tensor(node_.outputs[i]) = std::move(results[i]);
    return {};
  }

  /// What the program states of the results, for operators without a shape rule.
  std::vector<TensorType> declared(const ResolvedOp<Backend>& op) const {
    std::vector<TensorType> types;
    if (op.definition->infer) return types;
    for (const ValueId v : node_.outputs) {
      const auto& type = frame_.plan().graph->graph->value(v).tensor;
      types.push_back(type ? *type : TensorType{});
      types.back().storage_offset = 0;
    }
    return types;
  }

  Frame<Backend>& frame_;
  RunContext<Backend>& context_;
  const Node& node_;
  const CallSite& site_;
};

}  // namespace treadle::inline v0::detail
