// The kernel of losses that compare predictions with classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <treadle/cpu/norm/row_norm_kernel.hpp>
#include <treadle/cpu/reduction/softmax_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

/// Kernel of `nll_loss` and `cross_entropy_loss` in all their forms. Works on rows of classes, in
/// double.
class ClassLossKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const TensorMeta& self = arguments.tensor("self").meta();
    const TensorMeta& target = arguments.tensor("target").meta();
    const std::size_t dim = self.rank() > 1 ? 1 : 0;
    classes_ = self.sizes[dim];
    rows_ = classes_ == 0 ? 0 : element_count(self) / classes_;
    takes_log_ = arguments.base_name() == "cross_entropy_loss";
    probabilities_ = is_floating(target.dtype);
    reduction_ = arguments.get<std::int64_t>("reduction", 1);
    ignored_ = arguments.get<std::int64_t>("ignore_index", -100);
    smoothing_ = arguments.get<double>("label_smoothing", 0);
    if (element_count(target) != (probabilities_ ? rows_ * classes_ : rows_))
      return arguments.context().fail("a target of sizes ", target.sizes,
                                      " does not fit predictions of sizes ", self.sizes);
    Packer packer(arguments.context());
    const auto order = Packer::dim_last(self.rank(), dim);
    TREADLE_TRY(self_, packer.input(self, ComputeType::float64, order));
    if (probabilities_) {
      TREADLE_TRY(target_, packer.input(target, ComputeType::float64, order));
    } else {
      TREADLE_TRY(target_, packer.input(target, ComputeType::int64));
    }
    TREADLE_CHECK(weight_.prepare(arguments, packer, "weight", ComputeType::float64));
    if (weight_.given && element_count(arguments.tensor("weight").meta()) != classes_)
      return arguments.context().fail("'weight' must have one element for each of ", classes_,
                                      " classes");
    TREADLE_TRY(out_, packer.output(arguments.result(0), ComputeType::float64));
    out_slot_ = arguments.result_slot(0);
    total_.given = arguments.result_count() > 1;
    counts_ = reduction_ != 0 || self.rank() == 1;
    if (total_.given) {
      total_.slot = arguments.result_slot(1);
      TREADLE_TRY(total_.packed, packer.output(arguments.result(1), ComputeType::float64));
    }
    work_ = packer.reserve(static_cast<std::size_t>(classes_) * sizeof(double));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const auto* in = static_cast<const double*>(self_.load(context, *tensors[0]));
    const void* target = target_.load(context, *tensors[1]);
    const double* weight = weight_.load<double>(context, tensors);
    auto* out = static_cast<double*>(out_.target(context, *tensors[out_slot_]));
    auto* logs = reinterpret_cast<double*>(context.scratch() + work_);
    double sum = 0, total = 0;
    for (std::int64_t r = 0; r < rows_; ++r) {
      const double* row = in + r * classes_;
      if (takes_log_) {
        log_softmax_row(RowParameters{}, row, logs, classes_);
        row = logs;
      }
      double value = 0;
      if (probabilities_) {
        value = soft_loss(row, static_cast<const double*>(target) + r * classes_, weight);
        total += 1;
      } else {
        const std::int64_t label = static_cast<const std::int64_t*>(target)[r];
        if (label != ignored_ && (label < 0 || label >= classes_))
          return context.fail("class ", label, " is out of range [0, ", classes_ - 1, "]");
        if (label != ignored_) {
          total += weight ? weight[label] : 1;
          value = hard_loss(row, label, weight);
        }
      }
      if (reduction_ == 0) out[r] = value;
      sum += value;
    }
    if (reduction_ != 0) *out = reduction_ == 1 ? sum / total : sum;
    out_.store(context, *tensors[out_slot_]);
    if (!total_.given) return {};
    *static_cast<double*>(total_.packed.target(context, *tensors[total_.slot])) =
        counts_ ? total : 0;
    total_.packed.store(context, *tensors[total_.slot]);
    return {};
  }

 private:
  [[nodiscard]] double hard_loss(const double* row, std::int64_t label,
                                 const double* weight) const {
    const double own = -(weight ? weight[label] : 1) * row[label];
    if (smoothing_ == 0) return own;
    double all = 0;
    for (std::int64_t c = 0; c < classes_; ++c) all -= (weight ? weight[c] : 1) * row[c];
    return (1 - smoothing_) * own + smoothing_ / static_cast<double>(classes_) * all;
  }
  [[nodiscard]] double soft_loss(const double* row, const double* target,
                                 const double* weight) const {
    double loss = 0;
    for (std::int64_t c = 0; c < classes_; ++c) {
      const double share =
          target[c] * (1 - smoothing_) + smoothing_ / static_cast<double>(classes_);
      loss -= share * row[c] * (weight ? weight[c] : 1);
    }
    return loss;
  }

  std::int64_t rows_ = 0, classes_ = 0, reduction_ = 1, ignored_ = -100;
  double smoothing_ = 0;
  bool takes_log_ = false, probabilities_ = false;
  bool counts_ = false;  ///< the second result is the total weight
  Packed self_, target_, out_;
  OptionalPacked weight_, total_;
  std::size_t out_slot_ = 0, work_ = 0;
};

}  // namespace treadle::inline v0::cpu::detail
