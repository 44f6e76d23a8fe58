// The kernels beside Fourier transforms: shifted spectra, frequencies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>

namespace treadle::inline v0::cpu {

/// `fft_fftshift`, `fft_ifftshift`: rolls every dimension by half its size. A plan for
/// `planned_kernel`.
class FftShiftKernel {
 public:
  Status prepare(const CallArguments& call) {
    const TensorMeta& in = call.tensor("self").meta();
    const TensorMeta& out = call.result(0);
    std::vector<bool> shifted(in.rank(), !call.get<std::vector<std::int64_t>>("dim"));
    for (const std::int64_t d : call.integers("dim")) shifted[wrap_dim(d, in.rank())] = true;
    const bool is_inverse = call.base_name() == "fft_ifftshift";
    Dims shifts(in.rank());
    for (std::size_t d = 0; d < in.rank(); ++d)
      if (shifted[d]) shifts[d] = is_inverse ? (in.sizes[d] + 1) / 2 : in.sizes[d] / 2;
    add_parts(in, out, shifts);
    return {};
  }
  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    for (const CopyPlan& part : parts_)
      part.run(context.parallel_for, tensors[0]->bytes(), tensors[1]->bytes());
    return {};
  }

 private:
  /// One copy for each choice of front and back along every dimension.
  void add_parts(const TensorMeta& in, const TensorMeta& out, const Dims& shifts) {
    const auto item = static_cast<std::int64_t>(size_of(in.dtype));
    for (std::size_t choice = 0; choice < (std::size_t{1} << in.rank()); ++choice) {
      TensorMeta from = in, to = out;
      std::int64_t from_at = 0, to_at = 0;
      for (std::size_t d = 0; d < in.rank(); ++d) {
        const bool is_back = (choice >> d) & 1;  // what moves to the front
        from.sizes[d] = to.sizes[d] = is_back ? shifts[d] : in.sizes[d] - shifts[d];
        if (is_back)
          from_at += (in.sizes[d] - shifts[d]) * in.strides[d];
        else
          to_at += shifts[d] * out.strides[d];
      }
      if (element_count(from) > 0) parts_.emplace_back(from, to, from_at * item, to_at * item);
    }
  }

  std::vector<CopyPlan> parts_;
};

/// `fft_fftfreq`, `fft_rfftfreq`. A plan for `planned_kernel`.
class FftFrequenciesKernel {
 public:
  Status prepare(const CallArguments& call) {
    const TensorMeta& out = call.result(0);
    n_ = call.get<std::int64_t>("n", 1);
    unit_ = 1.0 / (static_cast<double>(n_) * call.get<double>("d", 1.0));
    is_half_ = call.base_name() == "fft_rfftfreq";
    count_ = out.sizes[0];
    step_ = out.strides[0] * static_cast<std::int64_t>(size_of(out.dtype));
    store_ = store_loop(compute_type(DType::float64), out.dtype);
    return store_ ? Status() : call.context().fail("can't store ", name(out.dtype), " numbers");
  }
  Status run(RunContext<Backend>&, Tensor* const* tensors) const {
    for (std::int64_t i = 0; i < count_; ++i) {
      const std::int64_t k = is_half_ || i < (n_ + 1) / 2 ? i : i - n_;
      const double value = static_cast<double>(k) * unit_;
      store_(reinterpret_cast<const std::byte*>(&value), sizeof(double),
             tensors[0]->bytes() + i * step_, step_, 1);
    }
    return {};
  }

 private:
  std::int64_t n_ = 1, count_ = 0, step_ = 0;
  double unit_ = 1;
  bool is_half_ = false;
  ConvertLoop store_ = nullptr;
};

}  // namespace treadle::inline v0::cpu
