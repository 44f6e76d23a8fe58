// Pooling against numbers that PyTorch gives.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/pool.hpp>
#include <treadle/ops/pool.hpp>

#include "support/call_op.hpp"

namespace {

using namespace treadle;
using test::Arg;
using test::Tensor;

test::Caller make_caller() {
  OpSet ops;
  ops.add(pool_ops());
  ops.add(fractional_pool_ops());
  return {ops, cpu::pool_kernels()};
}

Arg list(std::vector<std::int64_t> numbers) { return Constant(std::move(numbers)); }

/// 0, 1, 2 … as one plane.
Tensor counting(std::int64_t height, std::int64_t width) {
  std::vector<float> elements;
  for (std::int64_t i = 0; i < height * width; ++i) elements.push_back(static_cast<float>(i));
  return *Tensor::from(elements, {1, 1, height, width});
}

void check_equal(const Tensor& found, Dims sizes, const std::vector<float>& expected) {
  CHECK(found.sizes() == sizes);
  const auto elements = found.elements<float>();
  CHECK(std::vector<float>(elements.begin(), elements.end()) == expected);
}

}  // namespace

TEST_CASE("max pooling knows padding, stride, dilation and ceil mode") {
  struct Case {
    std::int64_t kernel, stride, padding, dilation;
    bool ceil_mode;
    Dims sizes;
    std::vector<float> expected;
  };
  const Case cases[] = {
      {2, 2, 0, 1, false, {1, 1, 2, 2}, {5, 7, 13, 15}},
      {3, 2, 1, 1, false, {1, 1, 2, 2}, {5, 7, 13, 15}},
      {2, 1, 0, 3, false, {1, 1, 1, 1}, {15}},
      {3, 2, 0, 1, true, {1, 1, 2, 2}, {10, 11, 14, 15}},
      {3, 2, 0, 1, false, {1, 1, 1, 1}, {10}},
  };
  auto caller = make_caller();
  for (const auto& c : cases) {
    CAPTURE(c.kernel);
    CAPTURE(c.dilation);
    const std::vector<Arg> arguments = {counting(4, 4),     list({c.kernel}),
                                        list({c.stride}),   list({c.padding}),
                                        list({c.dilation}), Constant(c.ceil_mode)};
    check_equal(caller.call("aten::max_pool2d", arguments)[0], c.sizes, c.expected);
    const auto both = caller.call("aten::max_pool2d_with_indices", arguments);
    check_equal(both[0], c.sizes, c.expected);
    // Each element of the input is its own place.
    const auto places = both[1].elements<std::int64_t>();
    for (std::size_t i = 0; i < c.expected.size(); ++i)
      CHECK(static_cast<float>(places[i]) == c.expected[i]);
  }
}

TEST_CASE("average pooling counts the padding, leaves it out, or divides by what it is told") {
  auto caller = make_caller();
  const auto call = [&](bool count_padding, Arg divisor) {
    return caller.call("aten::avg_pool2d",
                       {counting(2, 2), list({2}), list({2}), list({1}), Constant(false),
                        Constant(count_padding), std::move(divisor)})[0];
  };
  check_equal(call(true, Constant(None{})), {1, 1, 2, 2}, {0, 0.25F, 0.5F, 0.75F});
  check_equal(call(false, Constant(None{})), {1, 1, 2, 2}, {0, 1, 2, 3});
  check_equal(call(true, Constant(std::int64_t{2})), {1, 1, 2, 2}, {0, 0.5F, 1, 1.5F});
}

TEST_CASE("adaptive pooling covers the input with overlapping cells") {
  auto caller = make_caller();
  check_equal(caller.call("aten::adaptive_avg_pool2d", {counting(3, 3), list({2, 2})})[0],
              {1, 1, 2, 2}, {2, 3, 5, 6});
  check_equal(caller.call("aten::adaptive_avg_pool2d", {counting(3, 3), list({1, 1})})[0],
              {1, 1, 1, 1}, {4});
  check_equal(caller.call("aten::adaptive_max_pool2d", {counting(3, 3), list({2, 2})})[0],
              {1, 1, 2, 2}, {4, 5, 7, 8});
}

TEST_CASE("a window that does not fit is an error that names the size") {
  auto caller = make_caller();
  const auto failed = caller.try_call("aten::max_pool2d", {counting(2, 2), list({5})});
  REQUIRE(!failed);
  CHECK(failed.error().message().find("size 2 is too small") != std::string::npos);
  const auto padded =
      caller.try_call("aten::max_pool2d", {counting(2, 2), list({2}), list({}), list({2})});
  REQUIRE(!padded);
  CHECK(padded.error().message().find("at most half the window") != std::string::npos);
}

TEST_CASE("random samples of any size keep the windows of a fractional pool inside") {
  auto caller = make_caller();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float sample : {0.5F, -3.0F, 7.0F, 1e30F, -infinity, infinity, nan}) {
    CAPTURE(sample);
    const auto samples = *Tensor::from<float>({sample, sample}, {1, 1, 2});
    const auto out = caller.call("aten::fractional_max_pool2d",
                                 {counting(9, 8), list({2, 3}), list({4, 3}), samples});
    const auto found = out[0].elements<float>();
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK((found[i] >= 0 && found[i] < 72));
      CHECK(out[1].elements<std::int64_t>()[i] == static_cast<std::int64_t>(found[i]));
    }
  }
}
