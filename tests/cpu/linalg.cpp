// What factorizations refuse, and that singular vectors and values make the matrix again.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <utility>
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

TEST_CASE("eigenvalues and eigenvectors satisfy their equation") {
  for (const std::int64_t n : {1, 2, 3, 8, 25}) {
    CAPTURE(n);
    const Tensor a = matrix(n, n);
    const auto parts = make_caller().call("aten::linalg_eig", {a});
    const auto* values = parts[0].data<std::complex<double>>();
    const auto* vectors = parts[1].data<std::complex<double>>();
    const auto& strides = parts[1].strides();
    std::complex<double> trace = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      trace += values[k] - at(a, k, k);
      double norm = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        std::complex<double> sum = 0;
        for (std::int64_t j = 0; j < n; ++j)
          sum += at(a, i, j) * vectors[j * strides[0] + k * strides[1]];
        const auto own = vectors[i * strides[0] + k * strides[1]];
        norm += std::norm(own);
        CHECK(std::abs(sum - values[k] * own) < 1e-11);
      }
      CHECK(norm == doctest::Approx(1));
    }
    CHECK(std::abs(trace) < 1e-11);
  }
}

TEST_CASE("eigenvalues of a triangle, a rotation and a defective matrix are PyTorch's") {
  const auto values = [](std::vector<double> elements, std::int64_t n) {
    const auto parts =
        make_caller().call("aten::linalg_eig", {*Tensor::from(std::move(elements), {n, n})});
    const auto* data = parts[0].data<std::complex<double>>();
    std::vector<std::complex<double>> out(data, data + n);
    std::sort(out.begin(), out.end(), [](auto a, auto b) {
      return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
    return out;
  };
  using Numbers = std::vector<std::complex<double>>;
  CHECK(values({3, 5, 7, 0, 1, 2, 0, 0, 2}, 3) == Numbers{1, 2, 3});
  const auto turned = values({0, -1, 1, 0}, 2);
  CHECK(std::abs(turned[0] - std::complex<double>(0, -1)) < 1e-15);
  CHECK(std::abs(turned[1] - std::complex<double>(0, 1)) < 1e-15);
  CHECK(values({2, 1, 0, 2}, 2) == Numbers{2, 2});
  CHECK(values({0, 0, 0, 0}, 2) == Numbers{0, 0});
}

TEST_CASE("symmetric factors with pivots that are none are refused") {
  const Tensor a = matrix(3, 3), b = matrix(3, 1);
  for (const std::int32_t pivot : {0, 4, -1}) {
    const auto pivots = *Tensor::from<std::int32_t>({1, 2, pivot}, {3});
    const auto result = make_caller().try_call("aten::linalg_ldl_solve", {a, pivots, b});
    REQUIRE_FALSE(result);
    CHECK(result.error().message().find("pivots") != std::string::npos);
  }
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
