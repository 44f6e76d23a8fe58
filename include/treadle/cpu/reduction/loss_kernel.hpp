// The kernel of losses that compare two tensors element by element.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <treadle/cpu/reduction/element_distance.hpp>
#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/ops/promotion.hpp>

namespace treadle::inline v0::cpu::detail {

/// Loss of a prediction `x` for the target `y`; `b` is the loss's own parameter.
using ElementLoss = double (*)(double x, double y, double b);

inline double log_or_limit(double x) noexcept { return std::max(std::log(x), -100.0); }

struct NamedLoss {
  std::string_view name;
  ElementLoss loss;
};

inline constexpr NamedLoss named_losses[] = {
    {"mse_loss", [](double x, double y, double) { return (x - y) * (x - y); }},
    {"smooth_l1_loss",
     [](double x, double y, double b) {
       const double d = std::abs(x - y);
       return d < b ? 0.5 * d * d / b : d - 0.5 * b;
     }},
    {"huber_loss",
     [](double x, double y, double b) {
       const double d = std::abs(x - y);
       return d <= b ? 0.5 * d * d : b * (d - 0.5 * b);
     }},
    {"soft_margin_loss", [](double x, double y, double) { return std::log1p(std::exp(-y * x)); }},
    {"kl_div",
     [](double x, double y, double log_target) {
       if (log_target != 0) return std::exp(y) * (y - x);
       return y > 0 ? y * (std::log(y) - x) : y == 0 ? 0.0 : std::nan("");
     }},
    {"binary_cross_entropy",
     [](double x, double y, double) {
       return -(y * log_or_limit(x) + (1 - y) * log_or_limit(1 - x));
     }},
};

/// Kernel of the elementwise losses. Computes in double; sums in fixed blocks.
class LossKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const std::string_view name = arguments.base_name();
    for (const auto& candidate : named_losses)
      if (candidate.name == name) loss_ = candidate.loss;
    parameter_ = arguments.get<double>("beta", arguments.get<double>("delta", 1));
    if (name == "kl_div") parameter_ = arguments.get<bool>("log_target", false) ? 1 : 0;
    reduction_ = arguments.get<std::int64_t>("reduction", 1);
    Dims sizes;
    for (const std::string_view operand : operand_names)
      TREADLE_CHECK(widen(arguments, sizes, operand));
    count_ = element_count(sizes);
    is_distance_ = name == "l1_loss";
    if (is_distance_)
      distance_ = ElementDistance(promote_types(arguments.tensor("self").meta().dtype,
                                                arguments.tensor("target").meta().dtype));
    Packer packer(arguments.context());
    for (std::size_t i = 0; i < operands_.size(); ++i)
      TREADLE_CHECK(add_operand(arguments, packer, sizes, i));
    TREADLE_TRY(out_, packer.output(arguments.result(0), ComputeType::float64));
    out_slot_ = arguments.result_slot(0);
    partial_ = packer.reserve(static_cast<std::size_t>(count_ / block + 1) * sizeof(double));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    std::array<const double*, 4> in{};
    for (std::size_t i = 0; i < in.size(); ++i)
      if (operands_[i].given)
        in[i] = static_cast<const double*>(
            operands_[i].packed.load(context, *tensors[operands_[i].slot]));
    auto* out = static_cast<double*>(out_.target(context, *tensors[out_slot_]));
    auto* partial = reinterpret_cast<double*>(context.scratch() + partial_);
    const std::int64_t blocks = (count_ + block - 1) / block;
    context.parallel_for(blocks, 2, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) {
        double sum = 0;
        for (std::int64_t i = b * block; i < std::min(count_, (b + 1) * block); ++i) {
          const double value = element(in, i);
          if (reduction_ == 0) out[i] = value;
          sum += value;
        }
        partial[b] = sum;
      }
    });
    if (reduction_ != 0) {
      double sum = 0;
      for (std::int64_t b = 0; b < blocks; ++b) sum += partial[b];
      *out = reduction_ == 1 ? sum / static_cast<double>(count_) : sum;
    }
    out_.store(context, *tensors[out_slot_]);
    return {};
  }

 private:
  static constexpr std::int64_t block = 1024;
  static constexpr std::array<std::string_view, 4> operand_names = {"self", "target", "weight",
                                                                    "pos_weight"};
  struct Operand {
    bool given = false;
    std::size_t slot = 0;
    Packed packed;
  };

  [[nodiscard]] double element(const std::array<const double*, 4>& in, std::int64_t i) const {
    if (is_distance_) return distance_(in[0], in[1], i);
    const double x = in[0][i], y = in[1][i];
    double value = 0;
    if (loss_) {
      value = loss_(x, y, parameter_);
    } else {
      // Cross entropy of a logit, arranged so that nothing overflows.
      const double positive = in[3] ? (in[3][i] - 1) * y + 1 : 1;
      value = (1 - y) * x + positive * (std::log1p(std::exp(-std::abs(x))) + std::max(-x, 0.0));
    }
    return in[2] ? value * in[2][i] : value;
  }

  /// Broadcasts `sizes` with an operand's.
  static Status widen(const CallArguments& arguments, Dims& sizes, std::string_view operand) {
    const auto info = arguments.tensor(operand);
    if (info.is_none()) return {};
    const Dims& own = info.meta().sizes;
    while (sizes.size() < own.size()) sizes.insert(sizes.begin(), 1);
    for (std::size_t i = 0; i < own.size(); ++i) {
      auto& size = sizes[sizes.size() - own.size() + i];
      if (own[i] == size || own[i] == 1) continue;
      if (size != 1)
        return arguments.context().fail("sizes ", own, " and ", sizes, " do not broadcast");
      size = own[i];
    }
    return {};
  }

  Status add_operand(const CallArguments& arguments, Packer& packer, const Dims& sizes,
                     std::size_t i) {
    const auto info = arguments.tensor(operand_names[i]);
    if (info.is_none()) return {};
    operands_[i].given = true;
    operands_[i].slot = arguments.slot(operand_names[i]);
    TensorMeta meta = info.meta();
    const std::size_t missing = sizes.size() - meta.rank();
    meta.sizes = sizes;
    meta.strides = Dims(sizes.size(), 0);
    for (std::size_t d = 0; d < info.meta().rank(); ++d)
      if (info.meta().sizes[d] != 1) meta.strides[missing + d] = info.meta().strides[d];
    TREADLE_TRY(operands_[i].packed, packer.input(meta, distance_.compute_type()));
    return {};
  }

  ElementLoss loss_ = nullptr;  ///< null: a distance, or binary cross entropy of logits
  bool is_distance_ = false;
  ElementDistance distance_;
  double parameter_ = 0;
  std::int64_t reduction_ = 1, count_ = 0;
  std::array<Operand, 4> operands_;
  Packed out_;
  std::size_t out_slot_ = 0, partial_ = 0;
};

}  // namespace treadle::inline v0::cpu::detail
