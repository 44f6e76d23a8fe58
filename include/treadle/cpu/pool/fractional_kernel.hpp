// The kernel of max pooling over windows at pseudo-random places.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <treadle/core/clamped_integer.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

/// `fractional_max_pool2d` and `fractional_max_pool3d` (Graham, "Fractional max-pooling", 2014):
/// one random number a plane and dimension says where the windows start.
class FractionalPoolKernel {
 public:
  Status prepare(const CallArguments& call) {
    const TensorMeta& self = call.tensor("self").meta();
    const TensorMeta& samples = call.tensor("random_samples").meta();
    dims_ = call.base_name() == "fractional_max_pool3d" ? 3 : 2;
    single_ = self.dtype != DType::float64;
    const auto kernel = call.integers("kernel_size");
    for (std::size_t d = 0; d < dims_; ++d) {
      in_[3 - dims_ + d] = self.sizes[self.rank() - dims_ + d];
      out_[3 - dims_ + d] = call.result(0).sizes[self.rank() - dims_ + d];
      window_[3 - dims_ + d] = kernel[d];
    }
    planes_ = 1;
    for (std::size_t d = 0; d + dims_ < self.rank(); ++d) planes_ *= self.sizes[d];
    if (element_count(samples) != planes_ * static_cast<std::int64_t>(dims_))
      return call.context().fail("expected ", dims_, " random samples a plane, found sizes ",
                                 samples.sizes);
    Packer packer(call.context());
    TREADLE_TRY(self_, packer.input(self, ComputeType::float64));
    TREADLE_TRY(samples_, packer.input(samples, ComputeType::float64));
    TREADLE_TRY(result_, packer.output(call.result(0), ComputeType::float64));
    TREADLE_TRY(places_, packer.output(call.result(1), ComputeType::int64));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const auto* in = static_cast<const double*>(self_.load(context, *tensors[0]));
    const auto* samples = static_cast<const double*>(samples_.load(context, *tensors[1]));
    auto* out = static_cast<double*>(result_.target(context, *tensors[2]));
    auto* places = static_cast<std::int64_t*>(places_.target(context, *tensors[3]));
    const std::int64_t area = in_[0] * in_[1] * in_[2], pooled = out_[0] * out_[1] * out_[2];
    for (std::int64_t p = 0; p < planes_; ++p)
      pool_plane(in + p * area, samples + p * static_cast<std::int64_t>(dims_), out + p * pooled,
                 places + p * pooled);
    result_.store(context, *tensors[2]);
    places_.store(context, *tensors[3]);
    return {};
  }

 private:
  /// Where window `i` of a dimension starts; as PyTorch in the precision of the numbers.
  [[nodiscard]] std::int64_t start(std::size_t d, std::int64_t i, double sample) const noexcept {
    const std::int64_t last = in_[d] - window_[d];
    if (i == out_[d] - 1) return last;
    // Samples are data, and may be anything; windows stay inside.
    const auto whole = [last](double x) { return clamped_integer(x, 0, 2 * last + 1); };
    const auto inside = [last](std::int64_t x) { return std::clamp<std::int64_t>(x, 0, last); };
    if (single_) {
      const float alpha = static_cast<float>(last) / static_cast<float>(out_[d] - 1);
      const auto u = static_cast<float>(sample);
      return inside(whole((static_cast<float>(i) + u) * alpha) - whole(u * alpha));
    }
    const double alpha = static_cast<double>(last) / static_cast<double>(out_[d] - 1);
    return inside(whole((static_cast<double>(i) + sample) * alpha) - whole(sample * alpha));
  }
  /// The samples of two dimensions are the other way round: width, height.
  [[nodiscard]] double sample_of(const double* samples, std::size_t d) const noexcept {
    if (dims_ == 3) return samples[d];
    return d == 0 ? 0 : samples[2 - d];
  }

  void pool_plane(const double* in, const double* samples, double* out,
                  std::int64_t* places) const noexcept {
    std::array<std::int64_t, 3> at{}, from{};
    std::int64_t n = 0;
    for (at[0] = 0; at[0] < out_[0]; ++at[0])
      for (at[1] = 0; at[1] < out_[1]; ++at[1])
        for (at[2] = 0; at[2] < out_[2]; ++at[2], ++n) {
          for (std::size_t d = 0; d < 3; ++d) {
            from[d] = start(d, at[d], sample_of(samples, d));
            // Samples outside of [0, 1) must not lead outside of the plane.
            from[d] = std::max<std::int64_t>(0, std::min(from[d], in_[d] - window_[d]));
          }
          largest(in, from, out[n], places[n]);
        }
  }
  void largest(const double* in, const std::array<std::int64_t, 3>& from, double& value,
               std::int64_t& place) const noexcept {
    place = (from[0] * in_[1] + from[1]) * in_[2] + from[2];
    value = -std::numeric_limits<double>::infinity();
    for (std::int64_t a = from[0]; a < from[0] + window_[0]; ++a)
      for (std::int64_t b = from[1]; b < from[1] + window_[1]; ++b)
        for (std::int64_t c = from[2]; c < from[2] + window_[2]; ++c) {
          const std::int64_t i = (a * in_[1] + b) * in_[2] + c;
          if (!(in[i] > value) && in[i] == in[i]) continue;
          value = in[i];
          place = i;
        }
  }

  std::size_t dims_ = 2;
  bool single_ = true;
  std::int64_t planes_ = 1;
  std::array<std::int64_t, 3> in_{1, 1, 1}, out_{1, 1, 1}, window_{1, 1, 1};
  Packed self_, samples_, result_, places_;
};

}  // namespace treadle::inline v0::cpu::detail
