// The kernel of layer and root-mean-square normalisation.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/cpu/simd/vector_math.hpp>

namespace treadle::inline v0::cpu::detail {

/// The distance from 1 to the next number of a dtype.
inline double epsilon_of(DType dtype) noexcept {
  switch (dtype) {
    case DType::float64: return std::numeric_limits<double>::epsilon();
    case DType::float16: return 0.0009765625;
    case DType::bfloat16: return 0.0078125;
    default: return static_cast<double>(std::numeric_limits<float>::epsilon());
  }
}

/// An operand that may be None.
struct OptionalPacked {
  bool given = false;
  std::size_t slot = 0;
  Packed packed;

  Status prepare(const CallArguments& arguments, Packer& packer, std::string_view name,
                 ComputeType type) {
    const auto info = arguments.tensor(name);
    given = !info.is_none();
    if (!given) return {};
    slot = arguments.slot(name);
    TREADLE_TRY(packed, packer.input(info.meta(), type));
    return {};
  }
  template <class T>
  [[nodiscard]] const T* load(const RunContext<Backend>& context, Tensor* const* tensors) const {
    return given ? static_cast<const T*>(packed.load(context, *tensors[slot])) : nullptr;
  }
};

/// Addresses of one call, dense.
template <class T>
struct RowNormOperands {
  const T* in;
  const T* weight;
  const T* bias;
  T* out;
  T* mean;  ///< null if not wanted
  T* rstd;
};

/// Kernel of `layer_norm` and `rms_norm` in all their forms.
class RowNormKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const auto name = arguments.base_name();
    centred_ = name.find("layer") != name.npos;
    const TensorMeta& input = arguments.tensor("input").meta();
    n_ = 1;
    for (const auto size : arguments.integers("normalized_shape")) n_ *= size;
    rows_ = n_ == 0 ? 0 : element_count(input) / n_;
    if (n_ == 0 && arguments.result_count() > 1) empty_rows_ = element_count(arguments.result(1));
    epsilon_ = arguments.get<double>("eps", epsilon_of(input.dtype));
    math_ = &simd::vector_reductions(simd::detect());
    wide_ = input.dtype == DType::float64;
    const auto type = wide_ ? ComputeType::float64 : ComputeType::float32;
    Packer packer(arguments.context());
    TREADLE_CHECK(input_.prepare(arguments, packer, "input", type));
    TREADLE_CHECK(weight_.prepare(arguments, packer, "weight", type));
    TREADLE_CHECK(bias_.prepare(arguments, packer, "bias", type));
    for (std::size_t i = 0; i < arguments.result_count(); ++i) {
      results_[i].given = true;
      results_[i].slot = arguments.result_slot(i);
      TREADLE_TRY(results_[i].packed, packer.output(arguments.result(i), type));
    }
    grain_ = std::max<std::int64_t>(1, 20000 / std::max<std::int64_t>(1, n_));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    wide_ ? run_as<double>(context, tensors) : run_as<float>(context, tensors);
    return {};
  }

 private:
  template <class T>
  void run_as(RunContext<Backend>& context, Tensor* const* tensors) const {
    RowNormOperands<T> o{};
    o.in = input_.load<T>(context, tensors);
    o.weight = weight_.load<T>(context, tensors);
    o.bias = bias_.load<T>(context, tensors);
    const auto target = [&](std::size_t i) -> T* {
      const auto& result = results_[i];
      if (!result.given) return nullptr;
      return static_cast<T*>(result.packed.target(context, *tensors[result.slot]));
    };
    o.out = target(0);
    o.mean = centred_ ? target(1) : nullptr;
    o.rstd = target(centred_ ? 2 : 1);
    context.parallel_for(rows_, grain_, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) row(o, r);
    });
    if (n_ == 0) fill_statistics(o);
    for (const auto& result : results_)
      if (result.given) result.packed.store(context, *tensors[result.slot]);
  }

  /// Rows without elements: their mean is 0, the deviation not a number.
  template <class T>
  void fill_statistics(const RowNormOperands<T>& o) const {
    if (o.mean) std::fill_n(o.mean, empty_rows_, T{0});
    if (o.rstd) std::fill_n(o.rstd, empty_rows_, std::numeric_limits<T>::quiet_NaN());
  }

  void row(const RowNormOperands<float>& o, std::int64_t r) const {
    const float* in = o.in + r * n_;
    const auto n = static_cast<std::size_t>(n_);
    const auto epsilon = static_cast<float>(epsilon_);
    float mean = 0, rstd = 0;
    if (centred_) {
      math_->layer_norm(in, o.weight, o.bias, epsilon, o.out + r * n_, n, &mean, &rstd);
      if (o.mean) o.mean[r] = mean;
    } else {
      if (o.rstd) rstd = 1 / std::sqrt(math_->dot(in, in, n) / static_cast<float>(n_) + epsilon);
      math_->rms_norm(in, o.weight, epsilon, o.out + r * n_, n);
    }
    if (o.rstd) o.rstd[r] = rstd;
  }

  void row(const RowNormOperands<double>& o, std::int64_t r) const {
    const double* in = o.in + r * n_;
    double* out = o.out + r * n_;
    const auto n = static_cast<std::size_t>(n_);
    const double mean = centred_ ? math_->sum_f64(in, n) / static_cast<double>(n_) : 0;
    double squares = 0;
    for (std::int64_t i = 0; i < n_; ++i) squares += (in[i] - mean) * (in[i] - mean);
    const double rstd = 1 / std::sqrt(squares / static_cast<double>(n_) + epsilon_);
    for (std::int64_t i = 0; i < n_; ++i)
      out[i] = (in[i] - mean) * rstd * (o.weight ? o.weight[i] : 1) + (o.bias ? o.bias[i] : 0);
    if (o.mean) o.mean[r] = mean;
    if (o.rstd) o.rstd[r] = rstd;
  }

  bool centred_ = true;
  bool wide_ = false;
  std::int64_t n_ = 0, rows_ = 0, empty_rows_ = 0, grain_ = 1;
  double epsilon_ = 0;
  const simd::VectorReductions* math_ = nullptr;
  OptionalPacked input_, weight_, bias_;
  std::array<OptionalPacked, 3> results_;
};

}  // namespace treadle::inline v0::cpu::detail
