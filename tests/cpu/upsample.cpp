// Resampling against PyTorch's numbers.
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/table_memory.hpp>
#include <treadle/cpu/upsample.hpp>
#include <treadle/cpu/upsample/resample_axis.hpp>
#include <treadle/ops/upsample.hpp>

#include "cpu/linear_support.hpp"

namespace {

using namespace test;

Caller caller() {
  treadle::OpSet ops;
  ops.add(treadle::upsample_ops());
  return {ops, treadle::cpu::upsample_kernels()};
}

TEST_CASE("resampled images are PyTorch's") {
  Caller c = caller();
  check_calls(
      c,
      {{"aten::upsample_bilinear2d.vec",
        {ramp({1, 1, 2, 2}), none(), flag(false), treadle::Constant(std::vector<double>{2.0, 1.5})},
        {1, 1, 4, 3},
        {-0.5, 0.375, 1.25, -0.3125, 0.21875, 0.75, 0.0625, -0.09375, -0.25, 0.25, -0.25, -0.75}},
       {"aten::upsample_nearest1d",
        {ramp({1, 1, 3}), list({5})},
        {1, 1, 5},
        {-0.5, -0.5, 1.25, 1.25, 0.25}},
       {"aten::upsample_bicubic2d",
        {ramp({1, 1, 2, 2}), list({3, 3}), flag(true)},
        {1, 1, 3, 3},
        {-0.5, 0.375, 1.25, -0.125, 0.0625, 0.25, 0.25, -0.25, -0.75}}});
}

TEST_CASE("tables that do not fit in memory are refused, whatever their method") {
  using treadle::cpu::Resampling;
  for (const auto method :
       {Resampling::nearest, Resampling::nearest_exact, Resampling::linear, Resampling::cubic}) {
    const auto made = treadle::cpu::make_resample_axis<float>(
        {.in = 4, .out = std::int64_t{1} << 61, .scale = {}, .method = method});
    REQUIRE_FALSE(made);
    CHECK(made.error().code() == treadle::ErrorCode::out_of_memory);
  }
  CHECK_FALSE(treadle::cpu::has_memory_for(std::numeric_limits<std::int64_t>::max(), 9));
  CHECK_FALSE(treadle::cpu::has_memory_for(-1, 1));
  CHECK(treadle::cpu::has_memory_for(3, 8));
}

TEST_CASE("scales of any size read elements of the image only") {
  using treadle::cpu::Resampling;
  for (const double scale : {1e-320, 1e-30, 1e-3, 1e30, 1e300})
    for (const auto method :
         {Resampling::nearest, Resampling::nearest_exact, Resampling::linear, Resampling::cubic})
      for (const bool antialias : {false, true}) {
        CAPTURE(scale);
        const auto axis = treadle::cpu::make_resample_axis<float>(
            {.in = 4, .out = 3, .scale = scale, .method = method, .antialias = antialias});
        REQUIRE(axis);
        CHECK(axis->positions.size() == static_cast<std::size_t>(3 * axis->taps));
        CHECK(axis->taps <= 4);
        for (const std::int64_t at : axis->positions) CHECK((at >= 0 && at < 4));
      }
}

TEST_CASE("a grid reads between elements and at the border") {
  Caller c = caller();
  const auto grid = *Tensor::from<float>({-1, -1, 0, 0, 2, 0.5F}, {1, 1, 3, 2});
  const auto out = c.call("aten::grid_sampler_2d",
                          {ramp({1, 1, 2, 2}), grid, number(0), number(1), flag(false)})[0];
  check_elements(out, {1, 1, 1, 3}, {-0.5, 0.0625, -0.75});
}

TEST_CASE("the identity map gives the centres of pixels") {
  Caller c = caller();
  const auto theta = *Tensor::from<float>({1, 0, 0, 0, 1, 0}, {1, 2, 3});
  const auto out = c.call("aten::affine_grid_generator", {theta, list({1, 1, 2, 2}), flag(false)});
  REQUIRE(out.size() == 1);
  check_elements(out[0], {1, 2, 2, 2}, {-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5});
}

}  // namespace
