// Recurrent networks against PyTorch's numbers.
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/recurrent.hpp>
#include <treadle/ops/recurrent.hpp>

#include "cpu/linear_support.hpp"

namespace {

using namespace test;
using Tensors = std::vector<Tensor>;

Caller caller() {
  treadle::OpSet ops;
  ops.add(treadle::recurrent_ops());
  return {ops, treadle::cpu::recurrent_kernels()};
}

TEST_CASE("lstm gives PyTorch's outputs and final states") {
  Caller c = caller();
  const auto out = c.call("aten::lstm.input",
                          {ramp({2, 1, 2}), Tensors{ramp({1, 1, 2}, 1), ramp({1, 1, 2}, 2)},
                           Tensors{ramp({8, 2}), ramp({8, 2}, 1), ramp({8}, 5), ramp({8}, 2)},
                           flag(true), number(1), real(0), flag(false), flag(false), flag(false)});
  check_elements(out[0], {2, 1, 2}, {-0.02696, 0.1614179, -0.05658472, 0.2340003});
  check_elements(out[1], {1, 1, 2}, {-0.05658472, 0.2340003});
  check_elements(out[2], {1, 1, 2}, {-0.3790594, 0.3390307});
}

TEST_CASE("gru runs in both directions without biases") {
  Caller c = caller();
  const auto out = c.call("aten::gru.input",
                          {ramp({2, 1, 2}), ramp({2, 1, 2}, 1),
                           Tensors{ramp({6, 2}), ramp({6, 2}, 1), ramp({6, 2}, 2), ramp({6, 2}, 4)},
                           flag(false), number(1), real(0), flag(false), flag(true), flag(false)});
  check_elements(
      out[0], {2, 1, 4},
      {-0.1915403, 0.1366917, 0.5803452, 0.174867, 0.2571005, 0.3246528, -0.2369167, 0.3416583});
  check_elements(out[1], {2, 1, 2}, {0.2571005, 0.3246528, 0.5803452, 0.174867});
}

TEST_CASE("a cell is one step") {
  Caller c = caller();
  const auto out =
      c.call("aten::rnn_tanh_cell", {ramp({1, 2}), ramp({1, 2}, 1), ramp({2, 2}), ramp({2, 2}, 1)});
  check_elements(out[0], {1, 2}, {0.997661, -0.9413756});
}

TEST_CASE("a second layer reads the first one's outputs") {
  Caller c = caller();
  const auto rnn = [&](const Tensor& input, const Tensor& state, Tensors weights, int layers) {
    return c.call("aten::rnn_relu.input",
                  {input, state, std::move(weights), flag(false), number(layers), real(0),
                   flag(false), flag(false), flag(false)})[0];
  };
  const auto input = ramp({3, 2, 2}), zero = ramp({1, 2, 2}, 5);
  const Tensor w[] = {ramp({2, 2}), ramp({2, 2}, 1), ramp({2, 2}, 2), ramp({2, 2}, 4)};
  auto states = *Tensor::zeros(treadle::DType::float32, {2, 2, 2});
  for (int i = 0; i < 8; ++i) states.data<float>()[i] = zero.data<float>()[i % 4];
  const auto both = rnn(input, states, {w[0], w[1], w[2], w[3]}, 2);
  const auto apart = rnn(rnn(input, zero, {w[0], w[1]}, 1), zero, {w[2], w[3]}, 1);
  CHECK(elements_of(both) == elements_of(apart));
}

TEST_CASE("missing weights are refused") {
  Caller c = caller();
  const auto result = c.try_call(
      "aten::gru.input", {ramp({2, 1, 2}), ramp({1, 1, 2}, 1), Tensors{ramp({6, 2})}, flag(false),
                          number(1), real(0), flag(false), flag(false), flag(false)});
  REQUIRE_FALSE(result);
  CHECK(std::string(result.error().message()).find("1 weights") != std::string::npos);
}

}  // namespace
