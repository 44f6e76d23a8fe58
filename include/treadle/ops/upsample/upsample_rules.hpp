// Shape rules of resampling.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <treadle/core/clamped_integer.hpp>
#include <treadle/core/result.hpp>
#include <treadle/ops/conv/conv_rules.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// `size · factor` rounded down; an expression if the factor is a fraction of a power of two.
[[nodiscard]] inline SymInt scaled_size(InferContext& context, const SymInt& size, double factor) {
  if (size.known())
    return clamped_integer(static_cast<double>(*size.value()) * factor, 0, std::int64_t{1} << 62);
  std::int64_t denominator = 1;
  while (denominator < (1 << 20) && factor != std::floor(factor)) factor *= 2, denominator *= 2;
  if (factor != std::floor(factor) || std::abs(factor) > 1e9) return context.unknown_size();
  return floor_div(size * SymInt(static_cast<std::int64_t>(factor)), denominator);
}

/// `upsample(input, output_size, …)`; the `vec` overloads end in a list of scale factors that may
/// stand for the sizes.
inline Status upsample(InferContext& context, std::size_t rank) {
  const TensorType& input = context.tensor(0);
  TREADLE_CHECK(check_rank(context, 0, rank + 2));
  SymDims sizes = {input.sizes[0], input.sizes[1]};
  const SymDims wanted = context.integers(1);
  const int factors = context.schema().find("scale_factors");
  if (context.is_none(1) && factors >= 0) {
    const std::vector<double> scale = context.reals(static_cast<std::size_t>(factors));
    if (scale.size() != rank)
      return context.fail("expected ", rank, " scale factors, found ", scale.size());
    for (std::size_t d = 0; d < rank; ++d)
      sizes.push_back(scaled_size(context, input.sizes[2 + d], scale[d]));
  } else {
    if (wanted.size() != rank)
      return context.fail("expected ", rank, " output sizes, found ", wanted.size());
    sizes.insert(sizes.end(), wanted.begin(), wanted.end());
  }
  for (std::size_t d = 2; d < sizes.size(); ++d)
    if (sizes[d].known() && *sizes[d].value() <= 0)
      return context.fail("output sizes must be positive, found ", to_string(sizes[d]));
  TensorType out = make_type(input.dtype, std::move(sizes), input.device);
  if (rank >= 2 && suggests_channels_last(input))
    out.strides = format_strides(
        out.sizes, rank == 2 ? MemoryFormat::channels_last : MemoryFormat::channels_last_3d);
  context.add(std::move(out));
  return {};
}
template <std::size_t Rank>
Status upsample_rule(InferContext& context) {
  return upsample(context, Rank);
}

/// `grid_sampler(input [N, C, in…], grid [N, out…, dims])`.
inline Status grid_sampler_rule(InferContext& context) {
  const TensorType &input = context.tensor(0), &grid = context.tensor(1);
  TREADLE_CHECK(check_same_dtype(context, {0, 1}));
  if ((input.rank() != 4 && input.rank() != 5) || grid.rank() != input.rank())
    return context.fail("expected an input and a grid of 4 or 5 dimensions, found ", input.rank(),
                        " and ", grid.rank());
  TREADLE_CHECK(check_same_size(context, grid.sizes.back(), input.rank() - 2));
  TREADLE_CHECK(check_same_size(context, input.sizes[0], grid.sizes[0]));
  SymDims sizes = {input.sizes[0], input.sizes[1]};
  sizes.insert(sizes.end(), grid.sizes.begin() + 1, grid.sizes.end() - 1);
  context.add(make_type(input.dtype, std::move(sizes), input.device));
  return {};
}

/// `affine_grid_generator(theta [N, dims, dims + 1], size)`.
inline Status affine_grid_rule(InferContext& context) {
  const TensorType& theta = context.tensor(0);
  const SymDims size = context.integers(1);
  TREADLE_CHECK(check_rank(context, 0, 3));
  if (size.size() != 4 && size.size() != 5)
    return context.fail("expected a size of 4 or 5 numbers, found ", size.size());
  const auto dims = static_cast<std::int64_t>(size.size()) - 2;
  TREADLE_CHECK(check_same_size(context, theta.sizes[1], dims));
  TREADLE_CHECK(check_same_size(context, theta.sizes[2], dims + 1));
  SymDims sizes = {size[0]};
  sizes.insert(sizes.end(), size.begin() + 2, size.end());
  sizes.push_back(dims);
  context.add(make_type(theta.dtype, std::move(sizes), theta.device));
  return {};
}

}  // namespace treadle::inline v0::rules
