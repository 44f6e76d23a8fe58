// Drops whole features (sizes 0 and 1) of a tensor.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/cpu/creation/call.hpp>
#include <treadle/cpu/creation/draw.hpp>
#include <treadle/cpu/loops.hpp>

namespace treadle::inline v0::cpu::detail {

/// One draw a feature, kept in the scratch while the elements are written.
class FeatureDropout {
 public:
  static Result<std::shared_ptr<const FeatureDropout>> make(const TensorInfo<Backend>& input,
                                                            DropoutScale scale, double rate,
                                                            PrepareContext<Backend>& context) {
    const TensorMeta &in = input.meta(), &out = context.results()[0].meta();
    if (in.rank() < 2)
      return context.fail("features are dropped from at least two dimensions, found ", in.rank());
    FeatureDropout made(scale, rate);
    TensorMeta draws = make_meta(DType::float64, in.sizes);
    for (auto& stride : draws.strides) stride = 0;
    draws.strides[0] = in.sizes[1];
    draws.strides[1] = 1;
    made.features_ = in.sizes[0] * in.sizes[1];
    context.request_scratch(static_cast<std::size_t>(made.features_) * sizeof(double));
    made.load_ = load_loop(in.dtype, ComputeType::float64);
    made.store_ = store_loop(ComputeType::float64, out.dtype);
    if (!made.load_ || !made.store_)
      return context.fail("elements of ", name(in.dtype), " can't be dropped");
    TREADLE_TRY(made.nest_, make_nest({&out, &in, &draws}));
    return std::make_shared<const FeatureDropout>(std::move(made));
  }

  Status run(RunContext<Backend>& context, const Tensor& in, const Tensor& out) const {
    auto* draws = reinterpret_cast<double*>(context.scratch());
    for (std::int64_t i = 0; i < features_; ++i) draws[i] = context.random().uniform();
    std::byte* bases[] = {out.bytes(), in.bytes(), context.scratch()};
    for_each_run(nest_, bases, 0, nest_.count,
                 [&](std::byte* const* at, const std::int64_t* strides, std::int64_t n) {
                   for (std::int64_t i = 0; i < n; ++i) {
                     double value = 0;
                     auto* bytes = reinterpret_cast<std::byte*>(&value);
                     load_(at[1] + i * strides[1], 0, bytes, 0, 1);
                     const auto draw = *reinterpret_cast<const double*>(at[2] + i * strides[2]);
                     value = scale_.apply(value, draw >= rate_);
                     store_(bytes, 0, at[0] + i * strides[0], 0, 1);
                   }
                 });
    return {};
  }

 private:
  FeatureDropout(DropoutScale scale, double rate) noexcept : scale_(scale), rate_(rate) {}

  DropoutScale scale_;
  double rate_ = 0;
  std::int64_t features_ = 0;
  LoopNest nest_;
  ConvertLoop load_ = nullptr, store_ = nullptr;
};

}  // namespace treadle::inline v0::cpu::detail
