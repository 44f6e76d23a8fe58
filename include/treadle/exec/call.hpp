// Runs one operator on tensors at hand: infer, allocate, prepare, run.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/analysis/numbers.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/dtype_visit.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/prepare_kernel.hpp>
#include <treadle/exec/resolve.hpp>
#include <treadle/kernel/context.hpp>
#include <treadle/ops/infer_call.hpp>

namespace treadle::inline v0 {

/// An argument of a call whose values are all known: a constant, a tensor (an empty handle is
/// None), or a list of tensors.
template <TensorBackend Backend>
using CallArgument =
    std::variant<Constant, typename Backend::Tensor, std::vector<typename Backend::Tensor>>;

namespace detail {

/// A 0-d tensor of a Python number.
template <TensorBackend Backend>
Result<typename Backend::Tensor> number_tensor(Backend& backend, const Constant& constant) {
  const auto make = [&](auto value) -> Result<typename Backend::Tensor> {
    TREADLE_TRY(auto tensor, backend.empty(make_meta(dtype_of<decltype(value)>(), {})));
    TREADLE_CHECK(backend.copy_from_host(tensor, std::as_bytes(std::span(&value, 1))));
    return tensor;
  };
  if (const auto* v = std::get_if<bool>(&constant)) return make(*v);
  if (const auto* v = std::get_if<std::int64_t>(&constant)) return make(*v);
  if (const auto* v = std::get_if<double>(&constant)) return make(*v);
  if (const auto* v = std::get_if<std::complex<double>>(&constant)) return make(*v);
  return Error(ErrorCode::type_mismatch, "expected a tensor or a number");
}

/// One call in progress: owns the metadata that the phases pass to each other.
template <TensorBackend Backend>
class OperatorCall {
  using Tensor = typename Backend::Tensor;

 public:
  OperatorCall(const ResolvedOp<Backend>& op, RunContext<Backend>& context,
               const HostWeights* host_weights)
      : op_(op), context_(context), host_weights_(host_weights) {}

  Result<std::vector<Tensor>> run(std::vector<CallArgument<Backend>> arguments,
                                  std::span<const TensorType> declared) {
    arguments_ = std::move(arguments);
    TREADLE_CHECK(describe());
    TREADLE_CHECK(check_arguments(op_.schema, infer_values_));
    if (op_.functional) TREADLE_CHECK(check_in_place(*op_.functional, op_.schema, infer_values_));
    TREADLE_TRY(const auto call, infer_call(*op_.definition, op_.schema, infer_values_, declared));
    TREADLE_CHECK(make_results(call));
    if (call.needs_kernel) TREADLE_CHECK(run_kernel());
    return std::move(results_);
  }

 private:
  InferValue describe_tensor(const Tensor& tensor, bool is_none, bool wrapped) {
    tensors_.push_back(is_none ? nullptr : const_cast<Tensor*>(&tensor));
    if (is_none) {
      infos_.emplace_back();
      return {TensorArgument{}};
    }
    const TensorMeta& meta = context_.backend().meta(tensor);
    types_.push_back(to_type(meta));
    infos_.emplace_back(&meta, wrapped ? &tensor : nullptr);
    return {TensorArgument{&types_.back(), wrapped}};
  }

  Status describe_argument(std::size_t i) {
    const auto& schema = op_.schema.arguments[i];
    if (auto* list = std::get_if<std::vector<Tensor>>(&arguments_[i])) {
      const std::size_t first = infos_.size();
      InferValue::List items;
      for (const auto& tensor : *list)
        items.push_back(describe_tensor(tensor, is_empty_handle(tensor), false));
      kernel_arguments_.emplace_back(std::vector<TensorInfo<Backend>>(
          infos_.begin() + static_cast<std::ptrdiff_t>(first), infos_.end()));
      infer_values_.push_back({std::move(items)});
      return {};
    }
    if (const auto* constant = std::get_if<Constant>(&arguments_[i])) {
      if (schema.kind != SchemaKind::tensor) {
        infer_values_.push_back({*constant});
        kernel_arguments_.emplace_back(*constant);
        return {};
      }
      if (schema.list) {
        infer_values_.push_back({InferValue::List{}});
        kernel_arguments_.emplace_back(std::vector<TensorInfo<Backend>>{});
        return {};
      }
      if (std::holds_alternative<None>(*constant)) {
        infer_values_.push_back(describe_tensor(none_, true, false));
        kernel_arguments_.emplace_back(infos_.back());
        return {};
      }
      TREADLE_TRY(arguments_[i], number_tensor(context_.backend(), *constant));
      infer_values_.push_back(describe_tensor(std::get<Tensor>(arguments_[i]), false, true));
      kernel_arguments_.emplace_back(infos_.back());
      return {};
    }
    const auto& tensor = std::get<Tensor>(arguments_[i]);
    infer_values_.push_back(describe_tensor(tensor, is_empty_handle(tensor), false));
    kernel_arguments_.emplace_back(infos_.back());
    return {};
  }

  Status describe() {
    if (arguments_.size() != op_.schema.argument_count)
      return Error(ErrorCode::invalid_argument,
                   concat(op_.schema.name, ": expected ", op_.schema.argument_count,
                          " arguments, found ", arguments_.size()));
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      TREADLE_CHECK(describe_argument(i).with_context(op_.schema.name));
    return {};
  }

  Status make_results(const InferredCall& call) {
    results_.resize(call.results.size());
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const auto& result = call.results[i];
      auto meta = to_meta(result.type);
      if (!meta) {
        // Sizes depend on elements: the kernel allocates.
        meta = make_meta(result.type.dtype, Dims(result.type.rank(), -1), result.type.device);
      } else if (result.view_of >= 0) {
        const Tensor& base = *tensors_[static_cast<std::size_t>(result.view_of)];
        if (*meta == context_.backend().meta(base)) {
          results_[i] = base;
        } else if constexpr (ViewBackend<Backend>) {
          const auto reach = storage_bytes(*meta);
          if (!reach || *reach > context_.backend().storage_size(base))
            return Error(ErrorCode::type_mismatch,
                         concat(op_.schema.name, ": a view reaches outside its storage"));
          results_[i] = context_.backend().view(base, *meta);
        } else {
          return Error(ErrorCode::missing_kernel,
                       concat(op_.schema.name, ": the backend has no views"));
        }
      } else {
        TREADLE_TRY(results_[i], context_.backend().empty(*meta));
      }
      result_metas_.push_back(std::move(*meta));
    }
    return {};
  }

  Status run_kernel() {
    if (!op_.kernel)
      return Error(ErrorCode::missing_kernel, concat("no kernel for '", op_.schema.name, "'"));
    const Schema kernel_schema = parse_schema(op_.kernel->schema);
    std::vector<TensorInfo<Backend>> result_infos;
    std::size_t k = 0;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const bool written =
          kernel_schema.result_count > 0 &&
          kernel_schema.results[std::min(k++, kernel_schema.result_count - 1)].writes;
      if (written) continue;
      result_infos.emplace_back(&result_metas_[i], nullptr);
      tensors_.push_back(&results_[i]);
    }
    PrepareContext<Backend> prepare(context_.backend(), kernel_arguments_, result_infos, nullptr,
                                    host_weights_);
    TREADLE_TRY(const auto prepared,
                detail::prepare_kernel(*op_.kernel, prepare).with_context(op_.schema.name));
    std::vector<std::byte> scratch(prepare.scratch_bytes() + 64);
    auto* start = scratch.data();
    start += (64 - reinterpret_cast<std::uintptr_t>(start) % 64) % 64;
    auto* outer = context_.scratch();
    context_.set_scratch(start);
    auto status = op_.kernel->run(prepared.get(), context_, tensors_.data());
    context_.set_scratch(outer);
    return std::move(status).with_context(op_.schema.name);
  }

  bool is_empty_handle(const Tensor& tensor) const {
    if constexpr (requires { tensor.is_empty(); })
      return tensor.is_empty();
    else
      return false;
  }

  const ResolvedOp<Backend>& op_;
  RunContext<Backend>& context_;
  const HostWeights* host_weights_;
  std::vector<CallArgument<Backend>> arguments_;
  std::deque<TensorType> types_;
  std::vector<TensorInfo<Backend>> infos_;
  std::vector<InferValue> infer_values_;
  std::vector<KernelArgument<Backend>> kernel_arguments_;
  std::vector<Tensor*> tensors_;
  std::vector<Tensor> results_;
  std::deque<TensorMeta> result_metas_;
  Tensor none_{};
};

}  // namespace detail

/// Calls an operator. `arguments` are aligned with its schema, defaults included. Results are
/// flattened; those of views and in-place operators share storage with the arguments. `declared`
/// are the result types for operators without a shape rule; `host_weights` is what delegates have,
/// or null.
template <TensorBackend Backend>
Result<std::vector<typename Backend::Tensor>> call_operator(
    const ResolvedOp<Backend>& op, RunContext<Backend>& context,
    std::vector<CallArgument<Backend>> arguments, std::span<const TensorType> declared = {},
    const HostWeights* host_weights = nullptr) {
  return detail::OperatorCall<Backend>(op, context, host_weights)
      .run(std::move(arguments), declared);
}

}  // namespace treadle::inline v0
