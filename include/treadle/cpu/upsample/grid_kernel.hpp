// The kernel of `grid_sampler`: reads an image at given points.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/cpu/linear/cast_operand.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>
#include <treadle/cpu/upsample/resample_axis.hpp>

namespace treadle::inline v0::cpu {

/// A plan for `planned_kernel`, for two and three spatial dimensions. Half-width images are
/// computed in float32. Coordinates in the grid count from the innermost dimension.
class GridSamplerKernel {
 public:
  Status prepare(const CallArguments& call) {
    PrepareContext<Backend>& context = call.context();
    const TensorMeta& out = call.result(0);
    out_slot_ = call.result_slot(0);
    if (!is_floating(out.dtype) || size_of(out.dtype) < 2)
      return context.fail("can't sample ", name(out.dtype), " images");
    dtype_ = out.dtype == DType::float64 ? DType::float64 : DType::float32;
    mode_ = static_cast<int>(call.get<std::int64_t>("interpolation_mode", 0));
    padding_ = static_cast<int>(call.get<std::int64_t>("padding_mode", 0));
    align_corners_ = call.get<bool>("align_corners", false);
    rank_ = out.rank() - 2;
    if (mode_ < 0 || mode_ > 2 || (mode_ == 2 && rank_ != 2) || padding_ < 0 || padding_ > 2)
      return context.fail("there is no sampling with interpolation mode ", mode_,
                          " and padding mode ", padding_);
    ScratchLayout scratch;
    TREADLE_TRY(input_, CastOperand::make(call.tensor("input").meta(), dtype_, false, 0, scratch));
    TREADLE_TRY(grid_, CastOperand::make(call.tensor("grid").meta(), dtype_, false, 1, scratch));
    if (element_count(out) > 0 && element_count(input_.meta()) == 0)
      return context.fail("an image of sizes ", input_.meta().sizes, " has no elements to sample");
    out_ = out;
    converts_out_ = out.dtype != dtype_;
    if (converts_out_) {
      out_ = make_meta(dtype_, out.sizes);
      out_at_ = scratch.reserve(out_);
      TREADLE_TRY(out_copy_, ConvertCopy::make(out_, out));
    }
    for (std::size_t d = 0; d < rank_; ++d) points_ *= out.sizes[2 + d];
    context.request_scratch(scratch.bytes());
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    if (dtype_ == DType::float64)
      run_as<double>(context, tensors);
    else
      run_as<float>(context, tensors);
    return {};
  }

 private:
  template <class T>
  using Point = std::array<T, 3>;

  template <class T>
  void run_as(RunContext<Backend>& context, Tensor* const* tensors) const {
    std::byte* const scratch = context.scratch();
    const ParallelFor& parallel_for = context.parallel_for;
    const auto* input = reinterpret_cast<const T*>(input_.place(parallel_for, tensors, scratch));
    const auto* grid = reinterpret_cast<const T*>(grid_.place(parallel_for, tensors, scratch));
    std::byte* const target = tensors[out_slot_]->bytes();
    T* const out = reinterpret_cast<T*>(converts_out_ ? scratch + out_at_ : target);
    const std::int64_t taps = mode_ == 2 ? 16 : 8;
    const std::int64_t cost = std::max<std::int64_t>(1, out_.sizes[1] * taps);
    parallel_for(out_.sizes[0] * points_, std::max<std::int64_t>(1, 20000 / cost),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) sample(input, grid, out, i);
                 });
    if (converts_out_) out_copy_.run(parallel_for, scratch + out_at_, target);
  }

  template <class T>
  void sample(const T* input, const T* grid, T* out, std::int64_t i) const {
    const Dims &in = input_.meta().strides, &points = grid_.meta().strides;
    std::int64_t rest = i % points_;
    const std::int64_t image = i / points_;
    grid += image * points[0];
    out += image * out_.strides[0];
    input += image * in[0];
    for (std::size_t d = rank_; d-- > 0;) {
      const std::int64_t at = rest % out_.sizes[2 + d];
      rest /= out_.sizes[2 + d];
      grid += at * points[1 + d];
      out += at * out_.strides[2 + d];
    }
    Point<T> point{};
    for (std::size_t d = 0; d < rank_; ++d)
      point[d] =
          unnormalized(grid[static_cast<std::int64_t>(rank_ - 1 - d) * points[rank_ + 1]], size(d));
    for (std::int64_t c = 0; c < out_.sizes[1]; ++c) {
      const T* channel = input + c * in[1];
      out[c * out_.strides[1]] = mode_ == 0   ? linear(channel, point)
                                 : mode_ == 1 ? nearest(channel, point)
                                              : cubic(channel, point);
    }
  }

  [[nodiscard]] std::int64_t size(std::size_t d) const noexcept {
    return input_.meta().sizes[2 + d];
  }
  template <class T>
  [[nodiscard]] T unnormalized(T x, std::int64_t size) const noexcept {
    if (align_corners_) return (x + T{1}) / T{2} * static_cast<T>(size - 1);
    return ((x + T{1}) * static_cast<T>(size) - T{1}) / T{2};
  }
  /// A coordinate moved into the image by the padding mode; what is not a number lies outside.
  template <class T>
  [[nodiscard]] T padded(T x, std::int64_t size) const noexcept {
    const T last = static_cast<T>(size - 1);
    if (padding_ == 2)
      x = align_corners_ ? reflected(x, T{0}, last) : reflected(x, T{-0.5}, last + T{0.5});
    if (padding_ != 0) x = std::min(last, std::max(x, T{0}));
    return x > T{-1e9} && x < T{1e9} ? x : T{-100};
  }
  template <class T>
  static T reflected(T x, T low, T high) noexcept {
    if (low == high) return T{0};
    const T span = high - low;
    x = std::abs(x - low);
    const T extra = std::fmod(x, span);
    const T flips = std::floor(x / span);
    return std::fmod(flips, T{2}) == T{0} ? extra + low : span - extra + low;
  }

  /// The element at whole coordinates, zero outside.
  template <class T>
  [[nodiscard]] T at(const T* channel, const std::array<std::int64_t, 3>& place) const noexcept {
    for (std::size_t d = 0; d < rank_; ++d) {
      if (place[d] < 0 || place[d] >= size(d)) return T{0};
      channel += place[d] * input_.meta().strides[2 + d];
    }
    return *channel;
  }

  template <class T>
  [[nodiscard]] T nearest(const T* channel, const Point<T>& point) const {
    std::array<std::int64_t, 3> place{};
    for (std::size_t d = 0; d < rank_; ++d)
      place[d] = static_cast<std::int64_t>(std::nearbyint(padded(point[d], size(d))));
    return at(channel, place);
  }

  template <class T>
  [[nodiscard]] T linear(const T* channel, const Point<T>& point) const {
    T sum = 0;
    for (std::size_t corner = 0; corner < (std::size_t{1} << rank_); ++corner) {
      std::array<std::int64_t, 3> place{};
      T weight = 1;
      for (std::size_t d = 0; d < rank_; ++d) {
        const T x = padded(point[d], size(d)), low = std::floor(x);
        const bool is_high = (corner >> d) & 1;
        place[d] = static_cast<std::int64_t>(low) + (is_high ? 1 : 0);
        weight *= is_high ? x - low : low + T{1} - x;
      }
      sum += at(channel, place) * weight;
    }
    return sum;
  }

  template <class T>
  [[nodiscard]] T cubic(const T* channel, const Point<T>& point) const {
    T sum = 0;
    const T bounded[2] = {inside(point[0]), inside(point[1])};
    const T low[2] = {std::floor(bounded[0]), std::floor(bounded[1])};
    for (std::int64_t i = -1; i <= 2; ++i)
      for (std::int64_t j = -1; j <= 2; ++j) {
        const T y = low[0] + static_cast<T>(i), x = low[1] + static_cast<T>(j);
        const std::array<std::int64_t, 3> place = {static_cast<std::int64_t>(padded(y, size(0))),
                                                   static_cast<std::int64_t>(padded(x, size(1))),
                                                   0};
        sum += at(channel, place) * detail::cubic_weight<T>(bounded[0] - y, T{-0.75}) *
               detail::cubic_weight<T>(bounded[1] - x, T{-0.75});
      }
    return sum;
  }
  template <class T>
  static T inside(T x) noexcept {
    return x > T{-1e9} && x < T{1e9} ? x : T{-100};
  }

  CastOperand input_, grid_;
  TensorMeta out_;
  ConvertCopy out_copy_;
  DType dtype_ = DType::float32;
  std::size_t rank_ = 2, out_slot_ = 2, out_at_ = 0;
  std::int64_t points_ = 1;
  int mode_ = 0, padding_ = 0;
  bool align_corners_ = false, converts_out_ = false;
};

}  // namespace treadle::inline v0::cpu
