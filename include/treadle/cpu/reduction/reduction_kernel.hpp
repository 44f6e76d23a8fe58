// The kernel of every plain reduction: from a call's arguments to a `ReducePlan`.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/cpu/reduction/reduce_plan.hpp>
#include <treadle/cpu/reduction/statistic_folds.hpp>
#include <treadle/ops/promotion.hpp>

namespace treadle::inline v0::cpu::detail {

/// How a reduction is told from its operator's name.
struct NamedReduction {
  enum class Type : std::uint8_t { of_input, of_result, of_both };

  std::string_view name;
  ReduceOp op;
  Type type = Type::of_input;
  bool mean = false;
  bool root = false;
  bool ordered = false;
  std::size_t first = 0;  ///< which of the fold's results comes first
};

inline constexpr NamedReduction named_reductions[] = {
    {"sum", make_reduce_op<SumFold, true, true>(), NamedReduction::Type::of_result},
    {"mean", make_reduce_op<SumFold, true, true>(), NamedReduction::Type::of_result, true},
    {"prod", make_reduce_op<ProductFold, true, true>(), NamedReduction::Type::of_result},
    {"nansum", make_reduce_op<NanSumFold, true, true>(), NamedReduction::Type::of_result},
    {"nanmean", make_reduce_op<NanSumFold, true, true>(), NamedReduction::Type::of_result, true},
    {"amax", make_reduce_op<MaxFold, true, false>()},
    {"amin", make_reduce_op<MinFold, true, false>()},
    {"aminmax", make_reduce_op<MinMaxFold, true, false>()},
    {"max", make_reduce_op<ArgMaxFold, true, false>(), {}, false, false, true},
    {"min", make_reduce_op<ArgMinFold, true, false>(), {}, false, false, true},
    {"argmax", make_reduce_op<ArgMaxFold, true, false>(), {}, false, false, true, 1},
    {"argmin", make_reduce_op<ArgMinFold, true, false>(), {}, false, false, true, 1},
    {"any", make_reduce_op<AnyFold, true, true>()},
    {"nanany", make_reduce_op<NanAnyFold, true, true>()},
    {"all", make_reduce_op<AllFold, true, true>()},
    {"count_nonzero", make_reduce_op<CountFold, true, true>()},
    {"var", make_reduce_op<VarianceFold, false, true>()},
    {"std", make_reduce_op<VarianceFold, false, true>(), {}, false, true},
    {"var_mean", make_reduce_op<VarianceFold, false, true>()},
    {"std_mean", make_reduce_op<VarianceFold, false, true>(), {}, false, true},
    {"logsumexp", make_reduce_op<LogSumExpFold, false, true>(), NamedReduction::Type::of_result},
    {"norm", make_reduce_op<NormFold, false, true>(), NamedReduction::Type::of_both},
};

inline constexpr ReduceOp norm2_op = make_reduce_op<Norm2Fold, false, true>();
inline constexpr ReduceOp norm1_op = make_reduce_op<Norm1Fold, false, true>();
inline constexpr ReduceOp norm0_op = make_reduce_op<Norm0Fold, false, true>();
inline constexpr ReduceOp max_norm_op = make_reduce_op<MaxNormFold, false, true>();
inline constexpr ReduceOp min_norm_op = make_reduce_op<MinNormFold, false, true>();

inline const ReduceOp& norm_op(double order, const ReduceOp& general) noexcept {
  if (order == 2) return norm2_op;
  if (order == 1) return norm1_op;
  if (order == 0) return norm0_op;
  if (std::isinf(order)) return order > 0 ? max_norm_op : min_norm_op;
  return general;
}

/// Which dimensions a call reduces: those of `dim`, or all; an empty list is none for `any.dims`
/// and `all.dims`.
inline std::vector<bool> reduction_mask(const CallArguments& arguments, std::size_t rank) {
  const auto dims = arguments.integers("dim");
  const bool lists = arguments.schema().name.ends_with(".dims");
  const bool given = arguments.get<std::vector<std::int64_t>>("dim").has_value();
  std::vector<bool> mask(rank, dims.empty() && !(lists && given));
  for (const std::int64_t dim : dims)
    if (rank > 0) mask[wrap_dim(dim, rank)] = true;
  return mask;
}

/// Kernel of the operators that `named_reductions` lists.
class ReductionKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const auto* found = find(arguments);
    if (!found)
      return arguments.context().fail("there is no reduction '", arguments.base_name(), "'");
    const TensorInfo<Backend> self = arguments.tensor("self");
    ReducePlan::Request request;
    request.input = &self.meta();
    request.input_slot = arguments.slot("self");
    request.mask = reduction_mask(arguments, self.meta().rank());
    request.op = &found->op;
    request.ordered = found->ordered;
    request.parameters.mean = found->mean;
    request.parameters.root = found->root;
    read_parameters(arguments, *found, request);
    request.type = compute_type(dtype_for(*found, self.dtype(), arguments.result(0).dtype));
    if (request.type == ComputeType::int64 && !found->op.of(request.type).is_defined())
      request.type = ComputeType::float32;
    for (std::size_t i = 0; i < arguments.result_count(); ++i)
      request.outputs.push_back({arguments.result_slot(i), &arguments.result(i), i + found->first});
    return plan_.prepare(arguments.context(), request);
  }
  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    return plan_.run(context, tensors);
  }

 private:
  static const NamedReduction* find(const CallArguments& arguments) noexcept {
    std::string_view name = arguments.base_name();
    if (name == "linalg_vector_norm" || name == "native_norm") name = "norm";
    if (name == "special_logsumexp") name = "logsumexp";
    if (name == "_aminmax") name = "aminmax";
    if (name == "_is_all_true") name = "all";
    if (name == "_is_any_true") name = "any";
    if (arguments.result(0).dtype == DType::bool_) name = truth_of(name);
    const bool place = arguments.result_count() == 2;
    if (name == "max" && !place) name = "amax";
    if (name == "min" && !place) name = "amin";
    for (const auto& reduction : named_reductions)
      if (reduction.name == name) return &reduction;
    return nullptr;
  }

  /// A sum of truth values, which the elements become first, says whether any is true.
  static std::string_view truth_of(std::string_view name) noexcept {
    if (name == "sum") return "any";
    if (name == "nansum") return "nanany";
    return name == "prod" ? "all" : name;
  }

  static DType dtype_for(const NamedReduction& reduction, DType input, DType result) noexcept {
    using enum NamedReduction::Type;
    if (reduction.type == of_input) return input;
    if (reduction.type == of_result) return result;
    return promote_types(input, result);
  }

  static void read_parameters(const CallArguments& arguments, const NamedReduction& reduction,
                              ReducePlan::Request& request) {
    if (const auto correction = arguments.get<Scalar>("correction"))
      request.parameters.correction = correction->to_double();
    else if (!arguments.get<bool>("unbiased", true))
      request.parameters.correction = 0;
    if (reduction.name != "norm") return;
    auto order = arguments.get<Scalar>("p");
    if (!order) order = arguments.get<Scalar>("ord");
    request.parameters.order = order ? order->to_double() : 2;
    request.op = &norm_op(request.parameters.order, reduction.op);
  }

  ReducePlan plan_;
};

}  // namespace treadle::inline v0::cpu::detail
