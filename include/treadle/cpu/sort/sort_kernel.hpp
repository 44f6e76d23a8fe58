// The kernel of sorting and of selecting by rank.
#pragma once

#include <cstdint>
#include <string_view>

#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/cpu/sort/order_loops.hpp>

namespace treadle::inline v0::cpu::detail {

template <class T>
RowLoop order_loop(std::string_view name) noexcept {
  if (name == "topk") return &topk_loop<T>;
  if (name == "kthvalue") return &kth_loop<T>;
  if (name == "median" || name == "nanmedian") return &median_loop<T>;
  if (name == "mode") return &mode_loop<T>;
  return &sort_loop<T>;
}

/// Kernel of the operators that order the elements along one dimension.
class SortKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const std::string_view name = arguments.base_name();
    const TensorMeta& self = arguments.tensor("self").meta();
    RowPlan::Request request;
    const auto dim = arguments.get<std::int64_t>("dim", name == "msort" ? 0 : -1);
    request.dim = wrap_dim(dim, self.rank());
    request.flat = arguments.schema().find("dim") < 0 && name != "msort";
    request.type = compute_type(self.dtype);
    request.parameters.k = arguments.get<std::int64_t>("k", 0);
    if (self.rank() == 0) request.parameters.k = 1;  // the result is a number whatever k is
    request.parameters.descending = name == "topk" ? arguments.get<bool>("largest", true)
                                                   : arguments.get<bool>("descending", false);
    request.parameters.sorted =
        name == "topk" ? arguments.get<bool>("sorted", true) : name != "nanmedian";
    request.first_is_place = name == "argsort";
    request.work_per_element = sizeof(RankedPlace);
    request.cost = 40;
    switch (request.type) {
      case ComputeType::int64: request.loop = order_loop<std::int64_t>(name); break;
      case ComputeType::float32: request.loop = order_loop<float>(name); break;
      case ComputeType::float64: request.loop = order_loop<double>(name); break;
      default: return arguments.context().fail("not defined for ", treadle::name(self.dtype));
    }
    return plan_.prepare(arguments, request);
  }
  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    return plan_.run(context, tensors);
  }

 private:
  RowPlan plan_;
};

}  // namespace treadle::inline v0::cpu::detail
