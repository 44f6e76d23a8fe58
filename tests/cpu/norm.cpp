// Normalisation against numbers that PyTorch gives.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/norm.hpp>
#include <treadle/ops/norm.hpp>

#include "support/call_op.hpp"

namespace {

using namespace treadle;
using test::Tensor;

test::Caller make_caller() {
  OpSet ops;
  ops.add(norm_ops());
  return {ops, cpu::norm_kernels()};
}

Tensor floats(std::vector<float> elements, Dims sizes) {
  return *Tensor::from(elements, std::move(sizes));
}

void check_close(const Tensor& found, const std::vector<double>& expected) {
  REQUIRE(found.count() == static_cast<std::int64_t>(expected.size()));
  const auto elements = found.elements<float>();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(static_cast<double>(elements[i]) == doctest::Approx(expected[i]).epsilon(1e-4));
  }
}

const test::Arg none = Constant(None{});

}  // namespace

TEST_CASE("layer norm gives rows of mean 0 and deviation 1, scaled and shifted") {
  auto caller = make_caller();
  const auto x = floats({1, 2, 3, 2, 4, 6}, {2, 3});
  const test::Arg shape = Constant(std::vector<std::int64_t>{3});
  const auto plain = caller.call("aten::native_layer_norm", {x, shape, none, none, Constant(0.0)});
  check_close(plain[0], {-1.2247449, 0, 1.2247449, -1.2247449, 0, 1.2247449});
  check_close(plain[1], {2, 4});
  check_close(plain[2], {1.2247449, 0.61237246});
  const auto scaled = caller.call(
      "aten::layer_norm",
      {x, shape, floats({1, 2, 3}, {3}), floats({0, 1, 0}, {3}), Constant(0.0), Constant(true)});
  check_close(scaled[0], {-1.2247449, 1, 3.6742346, -1.2247449, 1, 3.6742346});
}

TEST_CASE("rms norm divides by the root of the mean square") {
  auto caller = make_caller();
  const auto x = floats({3, 4}, {1, 2});
  const auto y = caller.call("aten::rms_norm",
                             {x, Constant(std::vector<std::int64_t>{2}), none, Constant(0.0)});
  check_close(y[0], {0.8485281, 1.1313709});
}

TEST_CASE("batch norm uses the running statistics in evaluation and moves them in training") {
  auto caller = make_caller();
  const auto x = floats({1, 2, 3, 4}, {2, 2, 1});
  const auto mean = floats({1, 1}, {2}), variance = floats({4, 4}, {2});
  const auto call = [&](bool training) {
    return caller.call("aten::batch_norm", {x, none, none, mean, variance, Constant(training),
                                            Constant(0.5), Constant(0.0), Constant(false)})[0];
  };
  check_close(call(false), {0, 0.5, 1, 1.5});
  check_close(call(true), {-1, -1, 1, 1});
  check_close(mean, {1.5, 2});
  check_close(variance, {3, 3});
}

TEST_CASE("group norm normalises each group of channels of each sample") {
  auto caller = make_caller();
  const auto y =
      caller.call("aten::group_norm", {floats({1, 3, 5, 9}, {1, 4}), Constant(std::int64_t{2}),
                                       none, none, Constant(0.0), Constant(false)});
  check_close(y[0], {-1, 1, -1, 1});
}

TEST_CASE("a group of one element is exactly its bias") {
  auto caller = make_caller();
  const auto out =
      caller.call("aten::group_norm", {floats({1.1F, -0.3F, 70.7F}, {1, 3}),
                                       Constant(std::int64_t{3}), none, floats({0, 2, -5}, {3})});
  const auto elements = out[0].elements<float>();
  CHECK(std::vector<float>(elements.begin(), elements.end()) == std::vector<float>{0, 2, -5});
}

TEST_CASE("a weight of the wrong size is an error that names it") {
  auto caller = make_caller();
  const auto failed = caller.try_call(
      "aten::group_norm", {floats({1, 3, 5, 9}, {1, 4}), Constant(std::int64_t{2}),
                           floats({1, 1, 1}, {3}), none, Constant(0.0), Constant(false)});
  REQUIRE(!failed);
  CHECK(failed.error().message().find("'weight' has sizes [3]") != std::string::npos);
}
