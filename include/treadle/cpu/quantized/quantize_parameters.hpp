// Scales and zero points of a quantisation call, and which elements they are for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <treadle/core/result.hpp>
#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

/// A number that a call gives as a constant, or numbers that it gives as a tensor.
class NumbersArgument {
 public:
  Status prepare(const CallArguments& call, Packer& packer, std::string_view name) {
    const auto info = call.tensor(name);
    is_tensor_ = !info.is_none();
    if (!is_tensor_) {
      value_ = call.get<Scalar>(name, Scalar(0)).to_double();
      return {};
    }
    count_ = element_count(info.meta());
    slot_ = call.slot(name);
    TREADLE_TRY(packed_, packer.input(info.meta(), ComputeType::float64));
    return {};
  }
  /// The numbers of a run; `count` of them.
  [[nodiscard]] const double* load(const RunContext<Backend>& context,
                                   Tensor* const* tensors) const {
    if (!is_tensor_) return &value_;
    return static_cast<const double*>(packed_.load(context, *tensors[slot_]));
  }
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

 private:
  bool is_tensor_ = false;
  double value_ = 0;
  std::int64_t count_ = 1;
  std::size_t slot_ = 0;
  Packed packed_;
};

/// Element `i`, in row-major order, has the parameters number `i / run % count`.
struct ParameterRuns {
  std::int64_t run = 1, count = 1;

  /// Reads the operator's name: one for all, one a channel, one a row, one a group of a row.
  Status prepare(const CallArguments& call, const TensorMeta& input, std::int64_t scales) {
    const std::string_view name = call.base_name();
    const auto last = input.rank() == 0 ? 1 : input.sizes[input.rank() - 1];
    count = 1;
    run = std::max<std::int64_t>(1, element_count(input));
    if (name.ends_with("_group")) {
      run = call.get<std::int64_t>("group_size", 1);
      if (run > last && scales == input.sizes[0]) run = last;
      if (run < 1 || last % run != 0)
        return call.context().fail("groups of ", run, " do not divide rows of ", last);
      count = element_count(input) / run;
    } else if (name.find("per_channel") != name.npos) {
      const std::size_t axis = wrap_dim(call.get<std::int64_t>("axis", 0), input.rank());
      if (axis >= input.rank())
        return call.context().fail("axis ", axis, " of a tensor of rank ", input.rank());
      count = input.sizes[axis];
      run = 1;
      for (std::size_t d = axis + 1; d < input.rank(); ++d) run *= input.sizes[d];
    } else if (name.ends_with("per_token")) {
      run = last;
      count = last == 0 ? 0 : element_count(input) / last;
    }
    if (element_count(input) == 0 || scales == count) return {};
    return call.context().fail("expected ", count, " scales, found ", scales);
  }

  /// Calls `function(parameter, begin, end)` for the pieces of [begin, end) that share parameters.
  template <class Function>
  void for_each(std::int64_t begin, std::int64_t end, Function&& function) const {
    for (std::int64_t i = begin; i < end;) {
      const std::int64_t block = i / run;
      const std::int64_t stop = std::min(end, (block + 1) * run);
      function(block % count, i, stop);
      i = stop;
    }
  }
};

}  // namespace treadle::inline v0::cpu::detail
