// Resampling against PyTorch's numbers.
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/upsample.hpp>
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
