// Products and contractions against PyTorch's numbers.
#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/linear.hpp>
#include <treadle/ops/linear.hpp>

#include "cpu/linear_support.hpp"

namespace {

using namespace test;
using treadle::Dims;

Caller caller() {
  treadle::OpSet ops;
  ops.add(treadle::product_ops());
  ops.add(treadle::contraction_ops());
  return {ops, treadle::cpu::linear_kernels()};
}

TEST_CASE("products of matrices are PyTorch's") {
  Caller c = caller();
  check_calls(c, {{"aten::linear",
                   {ramp({2, 3}), ramp({2, 3}, 1), ramp({2}, 5)},
                   {2, 2},
                   {1.375, 0.125, 1.5, 0.4375}},
                  {"aten::matmul",
                   {ramp({2, 1, 2, 3}), ramp({2, 3, 2}, 1)},
                   {2, 2, 2, 2},
                   {0.3125, -2.0625, 0.5, -1.8125, -1.5625, 0.875, -1.6875, 0.8125, 0.6875, -1.5625,
                    0.875, -1.3125, -1.8125, 0.75, -1.9375, 0.6875}},
                  {"aten::addmm",
                   {ramp({2}), ramp({2, 3}), ramp({3, 2}, 1), number(2), real(0.5)},
                   {2, 2},
                   {-0.84375, 1.46875, -0.75, 1.59375}}});
}

TEST_CASE("einsum contracts three operands") {
  Caller c = caller();
  const std::vector<Tensor> operands = {ramp({2, 3}), ramp({2, 3, 2}, 1), ramp({2, 2}, 5)};
  const auto out = c.call("aten::einsum", {text("bi,oij,bj->bo"), operands, none()});
  check_elements(out[0], {2, 2}, {2.0625, -0.875, 0.828125, -1.46875});
}

TEST_CASE("einsum with one operand takes diagonals, sums and transposes") {
  Caller c = caller();
  const std::vector<Tensor> square = {*Tensor::from<float>({1, 2, 3, 4}, {2, 2})};
  const auto run = [&](const char* equation) {
    return elements_of(c.call("aten::einsum", {text(equation), square, none()})[0]);
  };
  CHECK(run("ii->i") == std::vector<double>{1, 4});
  CHECK(run("ii") == std::vector<double>{5});
  CHECK(run("ij->j") == std::vector<double>{4, 6});
  CHECK(run("ij->ji") == std::vector<double>{1, 3, 2, 4});
}

TEST_CASE("beta of zero does not read what is added") {
  Caller c = caller();
  const float nan = std::nanf("");
  const auto self = *Tensor::from<float>({nan, nan}, {2});
  const auto out =
      c.call("aten::addmv", {self, ramp({2, 2}), ramp({2}, 1), number(0), number(1)})[0];
  CHECK(elements_of(out)[0] == elements_of(c.call("aten::mv", {ramp({2, 2}), ramp({2}, 1)})[0])[0]);
}

TEST_CASE("addmm_ accumulates into a single row") {
  // Long enough that the sum is split along its depth.
  Caller c = caller();
  const std::vector<float> ones(1000, 1.0F);
  const auto self = *Tensor::from<float>({5, 7}, {1, 2});
  const auto a = *Tensor::from(ones, {1, 1000});
  const auto b = *Tensor::from(std::vector<float>(2000, 1.0F), {1000, 2});
  const auto out = c.call("aten::addmm_", {self, a, b})[0];
  CHECK(elements_of(out) == std::vector<double>{1005, 1007});
  CHECK(out.bytes() == self.bytes());
}

TEST_CASE("a product over nothing is zero") {
  Caller c = caller();
  const auto out = c.call("aten::mm", {ramp({2, 0}), ramp({0, 3})})[0];
  CHECK(elements_of(out) == std::vector<double>(6, 0.0));
}

TEST_CASE("a constant weight is packed, counted, and changes no result") {
  const auto kernels = treadle::cpu::linear_kernels();
  for (const std::int64_t rows : {1, 2, 37}) {
    CAPTURE(rows);
    const std::vector<Tensor> tensors = {ramp({rows, 65}), ramp({33, 65}, 1), ramp({33}, 5)};
    std::size_t kept = 0, none_kept = 0;
    const auto packed = run_prepared(kernels, "aten::linear", tensors, {}, {rows, 33}, 1, kept);
    const auto plain =
        run_prepared(kernels, "aten::linear", tensors, {}, {rows, 33}, -1, none_kept);
    CHECK(kept >= 33 * 65 * sizeof(float));
    CHECK(none_kept == 0);
    check_elements(packed, {rows, 33}, elements_of(plain));
  }
}

TEST_CASE("operands that do not fit are refused with their sizes") {
  Caller c = caller();
  const struct {
    std::string op;
    std::vector<Arg> arguments;
    std::string message;
  } table[] = {
      {"aten::mm", {ramp({2, 3}), ramp({4, 2})}, "sizes 3 and 4 must be equal"},
      {"aten::mm", {ramp({2}), ramp({2, 2})}, "'self' must have 2 dimensions, found 1"},
      {"aten::linear", {ramp({2, 3}), ramp({4, 2})}, "sizes 3 and 2 must be equal"},
      {"aten::einsum",
       {text("ij,jk->iz"), std::vector<Tensor>{ramp({2, 2}), ramp({2, 2})}, none()},
       "can't have 'z' there in its result"},
      {"aten::einsum",
       {text("ij"), std::vector<Tensor>{ramp({2, 2}), ramp({2, 2})}, none()},
       "does not have one term for each of 2 operands"},
  };
  for (const auto& row : table) {
    const auto result = c.try_call(row.op, row.arguments);
    REQUIRE_FALSE(result);
    CAPTURE(result.error().message());
    CHECK(std::string(result.error().message()).find(row.message) != std::string::npos);
  }
}

}  // namespace
