// The kernel of batch, instance and group normalisation.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <treadle/cpu/norm/row_norm_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

/// Mean and sum of squared distances of what has been seen.
struct Moments {
  double mean = 0, squares = 0, count = 0;

  void add(double other_mean, double other_squares, double other_count) noexcept {
    const double total = count + other_count, delta = other_mean - mean;
    if (total == 0) return;
    squares += other_squares + delta * delta * (count * other_count / total);
    mean += delta * (other_count / total);
    count = total;
  }
  void add(const simd::VectorReductions& math, const float* in, std::int64_t n) noexcept {
    constexpr std::int64_t block = 4096;
    for (; n > 0; n -= block, in += block) {
      const std::int64_t m = std::min(n, block);
      float block_mean = 0, variance = 0;
      math.mean_variance(in, static_cast<std::size_t>(m), &block_mean, &variance);
      add(static_cast<double>(block_mean), static_cast<double>(variance) * static_cast<double>(m),
          static_cast<double>(m));
    }
  }
  void add(const simd::VectorReductions& math, const double* in, std::int64_t n) noexcept {
    if (n == 0) return;
    const auto count_in = static_cast<double>(n);
    const double own = math.sum_f64(in, static_cast<std::size_t>(n)) / count_in;
    double own_squares = 0;
    for (std::int64_t i = 0; i < n; ++i) own_squares += (in[i] - own) * (in[i] - own);
    add(own, own_squares, count_in);
  }
};

/// Kernel of the operators that shift and scale whole channels. A unit is what shares statistics: a
/// channel of the batch, or a group of channels of one sample.
class ChannelNormKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const TensorMeta& input = arguments.tensor("input").meta();
    read_shape(arguments, input);
    read_mode(arguments);
    epsilon_ = arguments.get<double>("eps", 1e-5);
    momentum_ = arguments.get<double>("momentum", 0.1);
    maps_ = &simd::vector_maps(simd::detect());
    reductions_ = &simd::vector_reductions(simd::detect());
    wide_ = input.dtype == DType::float64;
    const auto type = wide_ ? ComputeType::float64 : ComputeType::float32;
    Packer packer(arguments.context());
    TREADLE_CHECK(input_.prepare(arguments, packer, "input", type));
    TREADLE_CHECK(weight_.prepare(arguments, packer, "weight", type));
    TREADLE_CHECK(bias_.prepare(arguments, packer, "bias", type));
    TREADLE_CHECK(prepare_running(arguments, packer));
    if (!from_input_ && !(running_mean_.given && running_var_.given))
      return arguments.context().fail("evaluation needs running_mean and running_var");
    TREADLE_TRY(out_, packer.output(arguments.result(0), type));
    out_slot_ = arguments.result_slot(0);
    for (std::size_t i = 1; i < arguments.result_count(); ++i) {
      saved_[i - 1].given = element_count(arguments.result(i)) == units_;
      saved_[i - 1].slot = arguments.result_slot(i);
      TREADLE_TRY(saved_[i - 1].packed, packer.output(arguments.result(i), ComputeType::float64));
    }
    statistics_ = packer.reserve(static_cast<std::size_t>(units_) * 3 * sizeof(double));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    wide_ ? run_as<double>(context, tensors) : run_as<float>(context, tensors);
    return {};
  }

 private:
  void read_shape(const CallArguments& arguments, const TensorMeta& input) {
    batch_ = input.sizes[0];
    channels_ = arguments.get<std::int64_t>("C", input.rank() > 1 ? input.sizes[1] : 0);
    const std::int64_t planes = batch_ * channels_;
    plane_ = planes == 0 ? 0 : element_count(input) / planes;
  }
  void read_mode(const CallArguments& arguments) {
    const auto name = arguments.base_name();
    if (name.find("group") != name.npos) {
      groups_ = arguments.get<std::int64_t>("num_groups", 0);
      if (groups_ == 0) groups_ = arguments.get<std::int64_t>("group", 1);
    } else if (name == "instance_norm" && arguments.get<bool>("use_input_stats", true)) {
      groups_ = channels_;
    }
    from_input_ = groups_ > 0 || arguments.get<bool>("training", false) ||
                  arguments.get<bool>("use_input_stats", false);
    units_ = groups_ > 0 ? batch_ * groups_ : channels_;
  }
  Status prepare_running(const CallArguments& arguments, Packer& packer) {
    TREADLE_CHECK(running_mean_.prepare(arguments, packer, "running_mean", ComputeType::float64));
    TREADLE_CHECK(running_var_.prepare(arguments, packer, "running_var", ComputeType::float64));
    updates_ =
        from_input_ && running_mean_.given && running_var_.given && batch_ * channels_ * plane_ > 0;
    if (!updates_) return {};
    const auto& mean = arguments.tensor("running_mean").meta();
    const auto& variance = arguments.tensor("running_var").meta();
    TREADLE_TRY(new_mean_, packer.output(mean, ComputeType::float64));
    TREADLE_TRY(new_var_, packer.output(variance, ComputeType::float64));
    return {};
  }

  template <class T>
  [[nodiscard]] Moments moments(const T* in, std::int64_t unit) const {
    Moments m;
    if (groups_ > 0) {
      const std::int64_t size = channels_ / groups_ * plane_;
      m.add(*reductions_, in + unit * size, size);
    } else {
      for (std::int64_t b = 0; b < batch_; ++b)
        m.add(*reductions_, in + (b * channels_ + unit) * plane_, plane_);
    }
    return m;
  }

  /// Fills mean, inverse deviation and unbiased variance of every unit.
  template <class T>
  void find_statistics(RunContext<Backend>& context, Tensor* const* tensors, const T* in,
                       double* statistics) const {
    double *mean = statistics, *rstd = statistics + units_, *variance = statistics + 2 * units_;
    if (!from_input_) {
      const double* known_mean = running_mean_.load<double>(context, tensors);
      const double* known_var = running_var_.load<double>(context, tensors);
      for (std::int64_t u = 0; u < units_; ++u) {
        mean[u] = known_mean[u];
        rstd[u] = 1 / std::sqrt(known_var[u] + epsilon_);
      }
      return;
    }
    const std::int64_t size = units_ == 0 ? 0 : batch_ * channels_ * plane_ / units_;
    const std::int64_t grain = std::max<std::int64_t>(1, 20000 / std::max<std::int64_t>(1, size));
    context.parallel_for(units_, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t u = begin; u < end; ++u) {
        const Moments m = moments(in, u);
        mean[u] = m.mean;
        rstd[u] = 1 / std::sqrt(m.squares / m.count + epsilon_);
        variance[u] = m.squares / (m.count - 1);
      }
    });
  }

  void update_running(RunContext<Backend>& context, Tensor* const* tensors,
                      const double* statistics) const {
    const double* old_mean = running_mean_.load<double>(context, tensors);
    const double* old_var = running_var_.load<double>(context, tensors);
    auto* mean = static_cast<double*>(new_mean_.target(context, *tensors[running_mean_.slot]));
    auto* variance = static_cast<double*>(new_var_.target(context, *tensors[running_var_.slot]));
    const std::int64_t repeats = channels_ == 0 ? 0 : units_ / channels_;
    for (std::int64_t c = 0; c < channels_; ++c) {
      double mean_sum = 0, variance_sum = 0;
      for (std::int64_t r = 0; r < repeats; ++r) {
        mean_sum += statistics[r * channels_ + c];
        variance_sum += statistics[2 * units_ + r * channels_ + c];
      }
      const double share = momentum_ / static_cast<double>(repeats);
      mean[c] = (1 - momentum_) * old_mean[c] + share * mean_sum;
      variance[c] = (1 - momentum_) * old_var[c] + share * variance_sum;
    }
    new_mean_.store(context, *tensors[running_mean_.slot]);
    new_var_.store(context, *tensors[running_var_.slot]);
  }

  // The mean is taken off first: elements that equal it give exactly the bias.
  void affine(const float* in, float mean, float scale, float bias, float* out) const {
    if (plane_ >= 8)
      return maps_->affine(in, mean, scale, bias, out, static_cast<std::size_t>(plane_));
    for (std::int64_t i = 0; i < plane_; ++i) out[i] = (in[i] - mean) * scale + bias;
  }
  void affine(const double* in, double mean, double scale, double bias, double* out) const {
    for (std::int64_t i = 0; i < plane_; ++i) out[i] = (in[i] - mean) * scale + bias;
  }

  template <class T>
  void normalize(RunContext<Backend>& context, Tensor* const* tensors, const T* in,
                 const double* statistics) const {
    const T* weight = weight_.load<T>(context, tensors);
    const T* bias = bias_.load<T>(context, tensors);
    T* out = static_cast<T*>(out_.target(context, *tensors[out_slot_]));
    const std::int64_t grain = std::max<std::int64_t>(1, 40000 / (plane_ + 4));
    context.parallel_for(batch_ * channels_, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p) {
        const std::int64_t c = p % channels_;
        const std::int64_t u = groups_ > 0 ? p / (channels_ / groups_) : c;
        const double scale = statistics[units_ + u] * (weight ? static_cast<double>(weight[c]) : 1);
        affine(in + p * plane_, static_cast<T>(statistics[u]), static_cast<T>(scale),
               bias ? bias[c] : T{0}, out + p * plane_);
      }
    });
    out_.store(context, *tensors[out_slot_]);
  }

  template <class T>
  void run_as(RunContext<Backend>& context, Tensor* const* tensors) const {
    auto* statistics = reinterpret_cast<double*>(context.scratch() + statistics_);
    const T* in = input_.load<T>(context, tensors);
    find_statistics(context, tensors, in, statistics);
    normalize(context, tensors, in, statistics);
    for (std::size_t i = 0; i < saved_.size(); ++i) {
      const auto& saved = saved_[i];
      if (!saved.given) continue;
      auto* to = static_cast<double*>(saved.packed.target(context, *tensors[saved.slot]));
      std::copy_n(statistics + static_cast<std::int64_t>(i) * units_, units_, to);
      saved.packed.store(context, *tensors[saved.slot]);
    }
    if (updates_) update_running(context, tensors, statistics);
  }

  std::int64_t batch_ = 0, channels_ = 0, plane_ = 0, groups_ = 0, units_ = 0;
  bool from_input_ = false, updates_ = false, wide_ = false;
  double epsilon_ = 0, momentum_ = 0;
  const simd::VectorMaps* maps_ = nullptr;
  const simd::VectorReductions* reductions_ = nullptr;
  OptionalPacked input_, weight_, bias_, running_mean_, running_var_;
  Packed new_mean_, new_var_, out_;
  std::size_t out_slot_ = 0, statistics_ = 0;
  std::array<OptionalPacked, 2> saved_;
};

}  // namespace treadle::inline v0::cpu::detail
