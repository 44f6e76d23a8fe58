// What factorizations refuse, and that singular vectors and values make the matrix again.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/linalg.hpp>
#include <treadle/ops/linalg.hpp>

#include "support/call_op.hpp"

namespace {

using namespace treadle;
using test::Arg;
using test::Tensor;

test::Caller make_caller() {
  OpSet ops;
  ops.add(linalg_ops());
  return {ops, cpu::linalg_kernels()};
}

double at(const Tensor& m, std::int64_t i, std::int64_t j) {
  return m.data<double>()[i * m.strides()[0] + j * m.strides()[1]];
}

/// Numbers without a pattern.
Tensor matrix(std::int64_t rows, std::int64_t columns) {
  std::vector<double> elements;
  for (std::int64_t i = 0; i < rows * columns; ++i)
    elements.push_back(std::sin(static_cast<double>(7 * i * i + 3 * i + 1)));
  return *Tensor::from(elements, {rows, columns});
}

}  // namespace

TEST_CASE("singular values and vectors make the matrix again") {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {4, 4}, {7, 3}, {3, 7}, {30, 20}}) {
    CAPTURE(rows);
    CAPTURE(columns);
    const Tensor a = matrix(rows, columns);
    const auto parts = make_caller().call("aten::_linalg_svd", {a});
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < std::min(rows, columns); ++k)
          sum += at(parts[0], i, k) * parts[1].data<double>()[k] * at(parts[2], k, j);
        CHECK(std::abs(sum - at(a, i, j)) < 1e-12);
      }
  }
}

TEST_CASE("a matrix of zeros has singular values of zero") {
  const auto parts =
      make_caller().call("aten::_linalg_svd", {*Tensor::zeros(DType::float64, {3, 3})});
  for (const double value : parts[1].elements<double>()) CHECK(value == 0);
}

TEST_CASE("matrices without an inverse or factor are refused where errors are asked for") {
  struct Row {
    const char* target;
    std::vector<Arg> arguments;
    const char* message;
  };
  const Tensor zeros = *Tensor::zeros(DType::float32, {2, 2});
  const Row rows[] = {
      {"aten::linalg_inv_ex", {zeros, Constant(true)}, "singular"},
      {"aten::linalg_cholesky_ex", {zeros, Constant(false), Constant(true)}, "positive definite"},
      {"aten::linalg_inv_ex", {*Tensor::zeros(DType::float32, {2, 3})}, "square"},
      {"aten::_linalg_det", {*Tensor::zeros(DType::int64, {2, 2})}, "int64"}};
  for (const auto& row : rows) {
    CAPTURE(row.target);
    const auto result = make_caller().try_call(row.target, row.arguments);
    REQUIRE_FALSE(result);
    CHECK(result.error().message().find(row.message) != std::string::npos);
  }
}
