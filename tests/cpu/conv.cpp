// Convolution operators against PyTorch's numbers.
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/conv.hpp>
#include <treadle/ops/conv.hpp>

#include "cpu/linear_support.hpp"

namespace {

using namespace test;

Caller caller() {
  treadle::OpSet ops;
  ops.add(treadle::conv_ops());
  return {ops, treadle::cpu::conv_kernels()};
}

TEST_CASE("convolutions are PyTorch's") {
  Caller c = caller();
  check_calls(
      c, {{"aten::conv1d",
           {ramp({1, 2, 5}), ramp({2, 2, 3}, 1), ramp({2}, 5), list({2}), list({1})},
           {1, 2, 3},
           {-0.1875, 0.875, 1.1875, -1.0625, 0.4375, -1.9375}},
          // No batch dimension, one input channel a group.
          {"aten::conv1d",
           {ramp({2, 4}), ramp({2, 1, 3}, 1), none(), list({1}), list({1}), list({1}), number(2)},
           {2, 4},
           {-0.6875, 1.375, -0.875, -0.8125, 0.5, -0.75, -0.875, 1.625}},
          // An even kernel: one more zero at the end than at the start.
          {"aten::conv2d.padding",
           {ramp({1, 1, 3, 3}), ramp({1, 1, 2, 2}, 1), none(), list({1, 1}), text("same")},
           {1, 1, 3, 3},
           {0.375, -1.3125, -0.25, 0.8125, -0.875, 0.0625, 1.5625, -0.9375, 0.25}},
          {"aten::conv_transpose2d.input",
           {ramp({1, 1, 2, 2}), ramp({1, 1, 2, 2}, 1), ramp({1}, 5), list({2, 2}), list({0, 0}),
            list({1, 1})},
           {1, 1, 5, 5},
           {0.5,    -0.375, -1.25,  0.9375, 0,       0.125, 0.625,   -0.3125, -1.5625,
            0,      -0.25,  0.1875, 0.75,   -0.5625, 0,     -0.0625, -0.3125, 0.1875,
            0.9375, 0,      0,      0,      0,       0,     0}}});
}

TEST_CASE("channels last gives the same numbers, channels last") {
  Caller c = caller();
  const auto input = ramp({2, 3, 4, 5}), weight = ramp({2, 3, 3, 3}, 1);
  treadle::TensorMeta meta = input.meta();
  meta.strides = {60, 1, 15, 3};
  const auto turned = *Tensor::empty(meta);
  treadle::copy_elements(input.bytes(), input.meta(), turned.bytes(), meta);
  const auto plain = c.call("aten::conv2d", {input, weight})[0];
  const auto last = c.call("aten::conv2d", {turned, weight})[0];
  check_elements(last, plain.sizes(), elements_of(plain));
  CHECK(plain.strides() == treadle::Dims{12, 6, 3, 1});
  CHECK(last.strides() == treadle::Dims{12, 1, 6, 2});
}

TEST_CASE("a constant weight is packed, counted, and changes no result") {
  const auto kernels = treadle::cpu::conv_kernels();
  const std::vector<Tensor> tensors = {ramp({2, 4, 6, 7}), ramp({6, 2, 3, 3}, 1), ramp({6}, 5)};
  using Numbers = std::vector<std::int64_t>;
  const std::vector<treadle::Constant> rest = {Numbers{1, 1}, Numbers{1, 1}, Numbers{1, 1},
                                               std::int64_t{2}};
  std::size_t kept = 0, none_kept = 0;
  const auto packed = run_prepared(kernels, "aten::conv2d", tensors, rest, {2, 6, 6, 7}, 1, kept);
  const auto plain =
      run_prepared(kernels, "aten::conv2d", tensors, rest, {2, 6, 6, 7}, -1, none_kept);
  CHECK(kept >= 6 * 2 * 9 * sizeof(float));
  CHECK(none_kept == 0);
  CHECK(elements_of(packed) == elements_of(plain));
}

TEST_CASE("impossible convolutions are refused") {
  Caller c = caller();
  const struct {
    std::vector<Arg> arguments;
    std::string message;
  } table[] = {
      {{ramp({1, 3, 4, 4}), ramp({2, 4, 3, 3})}, "sizes 3 and 4 must be equal"},
      {{ramp({1, 3, 2, 4}), ramp({2, 3, 3, 3})}, "is too small for a kernel of size 3"},
      {{ramp({1, 3, 4, 4}), ramp({2, 3, 3, 3}), none(), list({0, 1})},
       "strides must be positive, found 0"},
      {{ramp({1, 3, 4, 4}), ramp({2, 3, 3, 3}), none(), list({1, 1}), list({0, 0}), list({1, 1}),
        number(0)},
       "groups must be positive, found 0"},
      {{ramp({1, 3, 4, 4}), ramp({2, 3, 3, 3}), none(), list({1, std::int64_t{1} << 31})},
       "must fit 32 bits"},
      {{ramp({1, 3, 4, 4}), ramp({2, 3, 3, 3}), none(), list({1, 1}), list({0, 0}),
        list({1, std::numeric_limits<std::int64_t>::min()})},
       "must fit 32 bits"},
  };
  for (const auto& row : table) {
    const auto result = c.try_call("aten::conv2d", row.arguments);
    REQUIRE_FALSE(result);
    CAPTURE(result.error().message());
    CHECK(std::string(result.error().message()).find(row.message) != std::string::npos);
  }
}

}  // namespace
