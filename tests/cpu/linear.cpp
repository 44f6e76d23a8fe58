// Products and contractions against PyTorch's numbers.
#include <cstddef>
#include <cstdint>
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
  ops.add(treadle::grouped_ops());
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

TEST_CASE("einsum sums the lone index of small integers and truth values in int64") {
  Caller c = caller();
  const std::vector<Tensor> bytes = {*Tensor::from<std::uint8_t>({200, 100, 3, 4}, {2, 2})};
  const std::vector<Tensor> flags = {*Tensor::from<bool>({true, true, false, true}, {2, 2})};
  const auto run = [&](const char* equation, const std::vector<Tensor>& operands) {
    return c.call("aten::einsum", {text(equation), operands, none()})[0];
  };
  const auto sums = run("ij->i", bytes), counts = run("ij->i", flags);
  REQUIRE(sums.dtype() == treadle::DType::int64);
  CHECK(sums.data<std::int64_t>()[0] == 300);
  REQUIRE(counts.dtype() == treadle::DType::int64);
  CHECK(counts.data<std::int64_t>()[0] == 2);
  CHECK(run("ij,jk->ik", {bytes[0], bytes[0]}).dtype() == treadle::DType::uint8);
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

/// Groups of rows, columns or depths multiplied with a matrix each, one element after the other.
std::vector<double> grouped_product(const Tensor& a, const Tensor& b,
                                    const std::vector<std::int64_t>& ends, std::int64_t groups) {
  const std::size_t ar = a.sizes().size() - 2, br = b.sizes().size() - 2;
  const std::int64_t m = a.sizes()[ar], k = a.sizes()[ar + 1], n = b.sizes()[br + 1];
  const auto element = [](const Tensor& x, std::int64_t g, std::int64_t i, std::int64_t j) {
    const auto& s = x.strides();
    const bool deep = s.size() == 3;
    return double{x.data<float>()[(deep ? g * s[0] : 0) + i * s[deep] + j * s[deep + 1]]};
  };
  const bool stacked = ar == br;
  std::vector<double> out(static_cast<std::size_t>((stacked ? groups : 1) * m * n), 0.0);
  std::int64_t start = 0;
  for (std::int64_t g = 0; g < groups; ++g) {
    const std::int64_t end = ends.empty() ? 0 : ends[static_cast<std::size_t>(g)];
    const auto inside = [&](std::int64_t place) { return start <= place && place < end; };
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t d = 0; d < k; ++d) {
          if (ar == 0 && br == 1 && !inside(i)) continue;
          if (ar == 1 && br == 0 && !inside(j)) continue;
          if (ar == 0 && br == 0 && !inside(d)) continue;
          out[static_cast<std::size_t>((stacked ? g * m * n : 0) + i * n + j)] +=
              element(a, g, i, d) * element(b, g, d, j);
        }
    start = end;
  }
  return out;
}

TEST_CASE("groups of rows, columns or depths are multiplied with a matrix each") {
  Caller c = caller();
  const struct {
    Dims a, b;
    std::vector<std::int64_t> ends;
    Dims out;
  } table[] = {
      {{7, 5}, {3, 5, 6}, {2, 2, 6}, {7, 6}},  // the second group is empty, row 6 has none
      {{3, 4, 5}, {5, 7}, {1, 5, 7}, {4, 7}},  // columns
      {{4, 9}, {9, 5}, {0, 4, 9}, {3, 4, 5}},  // depths
      {{3, 4, 5}, {3, 5, 2}, {}, {3, 4, 2}},   // nothing is divided
      {{300, 70}, {2, 70, 33}, {13, 300}, {300, 33}}, {{0, 5}, {2, 5, 4}, {0, 0}, {0, 4}},
  };
  for (const auto& row : table) {
    const Tensor a = ramp(row.a), b = ramp(row.b, 1);
    const auto groups = static_cast<std::int64_t>(row.ends.size());
    const Arg ends = row.ends.empty() ? none() : Arg(*Tensor::from(row.ends, {groups}));
    const auto expected = grouped_product(a, b, row.ends, row.ends.empty() ? row.a[0] : groups);
    const auto out = c.call("aten::_grouped_mm", {a, b, ends})[0];
    check_elements(out, row.out, expected);
    CHECK(out.strides()[row.out.size() - 2] % 4 == 0);  // 16 bytes
    if (row.a.size() == 2 && row.b.size() == 3)
      check_elements(c.call("transformers::grouped_mm_fallback", {a, b, ends})[0], row.out,
                     expected);
  }
}

TEST_CASE("ends of groups that go backwards or too far are refused") {
  Caller c = caller();
  for (const auto& [places, message] :
       {std::pair(std::vector<std::int64_t>{3, 2}, "group 1 ends at 2, expected from 3 to 4"),
        std::pair(std::vector<std::int64_t>{1, 5}, "group 1 ends at 5, expected from 1 to 4"),
        std::pair(std::vector<std::int64_t>{-1, 4}, "group 0 ends at -1, expected from 0 to 4")}) {
    const auto result = c.try_call("aten::_grouped_mm",
                                   {ramp({4, 3}), ramp({2, 3, 2}), *Tensor::from(places, {2})});
    REQUIRE_FALSE(result);
    CAPTURE(result.error().message());
    CHECK(std::string(result.error().message()).find(message) != std::string::npos);
  }
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
      {"aten::_grouped_mm",
       {ramp({4, 3}), ramp({2, 3, 2}), none()},
       "the ends of the groups are missing"},
      {"aten::_grouped_mm",
       {ramp({4, 3}), ramp({2, 3, 2}), *Tensor::from<float>({1, 4}, {2})},
       "the ends of groups are int32 or int64, found float32"},
  };
  for (const auto& row : table) {
    const auto result = c.try_call(row.op, row.arguments);
    REQUIRE_FALSE(result);
    CAPTURE(result.error().message());
    CHECK(std::string(result.error().message()).find(row.message) != std::string::npos);
  }
}

}  // namespace
