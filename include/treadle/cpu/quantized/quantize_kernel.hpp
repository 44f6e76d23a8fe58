// The kernel that quantises, dequantises or does one after the other.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include <treadle/core/half.hpp>
#include <treadle/cpu/quantized/quantize_parameters.hpp>

namespace treadle::inline v0::cpu::detail {

/// Kernel of `quantized_decomposed::*` and `fake_quantize_*`, by the name of the operator.
class QuantizeKernel {
 public:
  Status prepare(const CallArguments& call) {
    const auto info = call.tensor(call.schema().arguments[0].name);
    const TensorMeta& input = info.meta();
    const std::string_view name = call.base_name();
    job_ = name.starts_with("quantize")     ? Job::quantize
           : name.starts_with("dequantize") ? Job::dequantize
                                            : Job::imitate;
    rounds_last_ = name.ends_with("per_token") || name.ends_with("_group");
    per_tensor_ = name.find("per_tensor") != name.npos;
    count_ = element_count(input);
    out_dtype_ = call.result(0).dtype;
    Packer packer(call.context());
    TREADLE_CHECK(prepare_parameters(call, packer, input));
    const bool wide_input = wide_ || (!per_tensor_ && input.dtype == DType::int32);
    in_type_ =
        wide_input || input.dtype == DType::float64 ? ComputeType::float64 : ComputeType::float32;
    TREADLE_TRY(in_, packer.input(input, in_type_));
    TREADLE_TRY(out_, packer.output(call.result(0), in_type_));
    out_slot_ = call.result_slot(0);
    has_mask_ = call.result_count() > 1;
    if (has_mask_) {
      TREADLE_TRY(mask_, packer.output(call.result(1), ComputeType::boolean));
    }
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    return in_type_ == ComputeType::float64 ? run_as<double>(context, tensors)
                                            : run_as<float>(context, tensors);
  }

 private:
  enum class Job { quantize, dequantize, imitate };

  /// Parameters as a run sees them.
  template <class T>
  struct Numbers {
    T scale{}, inverse{}, zero{}, lowest{}, highest{};
  };

  Status prepare_parameters(const CallArguments& call, Packer& packer, const TensorMeta& input) {
    const bool many = call.schema().find("scales") >= 0;
    const std::string_view scale = many ? "scales" : "scale";
    const std::string_view zero = many ? "zero_points" : "zero_point";
    TREADLE_CHECK(scales_.prepare(call, packer, scale));
    TREADLE_CHECK(zeros_.prepare(call, packer, zero));
    TREADLE_CHECK(lowest_.prepare(call, packer, "quant_min"));
    TREADLE_CHECK(highest_.prepare(call, packer, "quant_max"));
    has_switch_ = call.schema().find("fake_quant_enabled") >= 0;
    TREADLE_CHECK(switch_.prepare(call, packer, "fake_quant_enabled"));
    TREADLE_CHECK(runs_.prepare(call, input, scales_.count()));
    const auto zeros = zeros_.count();
    if (zeros != scales_.count() && (many || zeros != 1) && !call.tensor(zero).is_none())
      return call.context().fail("expected ", scales_.count(), " zero points, found ", zeros);
    one_zero_ = zeros == 1;
    const auto is_double = [&](std::string_view name) {
      return !call.tensor(name).is_none() && call.tensor(name).dtype() == DType::float64;
    };
    wide_ = !per_tensor_ && job_ != Job::imitate && (is_double(scale) || is_double(zero));
    return {};
  }

  template <class T>
  Status run_as(RunContext<Backend>& context, Tensor* const* tensors) const {
    const double* scales = scales_.load(context, tensors);
    const double* zeros = zeros_.load(context, tensors);
    const double lowest = *lowest_.load(context, tensors);
    const double highest = *highest_.load(context, tensors);
    const bool off = has_switch_ && *switch_.load(context, tensors) == 0;
    const T* in = static_cast<const T*>(in_.load(context, *tensors[0]));
    T* out = static_cast<T*>(out_.target(context, *tensors[out_slot_]));
    bool* mask = nullptr;
    if (has_mask_) mask = static_cast<bool*>(mask_.target(context, *tensors[out_slot_ + 1]));
    context.parallel_for(count_, 8192, [&](std::int64_t begin, std::int64_t end) {
      runs_.for_each(begin, end, [&](std::int64_t p, std::int64_t first, std::int64_t last) {
        const auto n = numbers<T>(scales[p], zeros[one_zero_ ? 0 : p], lowest, highest);
        for (std::int64_t i = first; i < last; ++i) {
          if (mask) mask[i] = off || is_inside(in[i], n);
          out[i] = off ? in[i] : compute(in[i], n);
        }
      });
    });
    out_.store(context, *tensors[out_slot_]);
    if (has_mask_) mask_.store(context, *tensors[out_slot_ + 1]);
    return {};
  }

  template <class T>
  Numbers<T> numbers(double scale, double zero, double lowest, double highest) const noexcept {
    Numbers<T> n{static_cast<T>(scale), T(1) / static_cast<T>(scale), static_cast<T>(zero),
                 static_cast<T>(lowest), static_cast<T>(highest)};
    // A number is inverted in double precision, an element of a tensor in its own.
    if (per_tensor_ && job_ == Job::quantize) n.inverse = static_cast<T>(1 / scale);
    if (job_ == Job::imitate) n.inverse = static_cast<T>(1.0f / static_cast<float>(scale));
    return n;
  }

  template <class T>
  T compute(T x, const Numbers<T>& n) const noexcept {
    if (job_ == Job::dequantize) return narrowed(x - n.zero) * n.scale;
    const T level = limited(level_of(x, n), n);
    return job_ == Job::quantize ? level : (level - n.zero) * n.scale;
  }
  template <class T>
  T level_of(T x, const Numbers<T>& n) const noexcept {
    if (rounds_last_) return std::nearbyint(x * n.inverse + n.zero);
    return std::nearbyint(x * n.inverse) + n.zero;
  }
  template <class T>
  static T limited(T x, const Numbers<T>& n) noexcept {
    return x < n.lowest ? n.lowest : x > n.highest ? n.highest : x;
  }
  template <class T>
  bool is_inside(T x, const Numbers<T>& n) const noexcept {
    const T level = level_of(x, n);
    return level >= n.lowest && level <= n.highest;
  }
  /// The difference is rounded where the arithmetic is that of a half-width type.
  template <class T>
  T narrowed(T x) const noexcept {
    if (!per_tensor_) return x;
    if (out_dtype_ == DType::float16) return static_cast<T>(Half(static_cast<float>(x)));
    if (out_dtype_ == DType::bfloat16) return static_cast<T>(BFloat16(static_cast<float>(x)));
    return x;
  }

  Job job_ = Job::quantize;
  bool rounds_last_ = false, per_tensor_ = true, wide_ = false, has_mask_ = false;
  bool has_switch_ = false, one_zero_ = true;
  DType out_dtype_ = DType::float32;
  ComputeType in_type_ = ComputeType::float32;
  std::int64_t count_ = 0;
  NumbersArgument scales_, zeros_, lowest_, highest_, switch_;
  ParameterRuns runs_;
  Packed in_, out_, mask_;
  std::size_t out_slot_ = 0;
};

}  // namespace treadle::inline v0::cpu::detail
