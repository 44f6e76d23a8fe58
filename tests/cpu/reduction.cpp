// Reductions, scans and losses against numbers that PyTorch gives.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/reduction.hpp>
#include <treadle/ops/reduction.hpp>

#include "support/call_op.hpp"

namespace {

using namespace treadle;
using test::Arg;
using test::Tensor;

test::Caller make_caller() {
  OpSet ops;
  for (const auto table :
       {reduction_ops(), softmax_ops(), scan_ops(), loss_ops(), class_loss_ops(), distance_ops()})
    ops.add(table);
  return {ops, cpu::reduction_kernels()};
}

Arg list(std::vector<std::int64_t> numbers) { return Constant(std::move(numbers)); }
Arg number(std::int64_t n) { return Constant(n); }

Tensor floats(std::vector<float> elements, Dims sizes) {
  return *Tensor::from(elements, std::move(sizes));
}

/// [[1, 2, 3], [4, 5, 6]], transposed in memory if asked for.
Tensor matrix(bool transposed) {
  if (!transposed) return floats({1, 2, 3, 4, 5, 6}, {2, 3});
  const auto packed = floats({1, 4, 2, 5, 3, 6}, {3, 2});
  auto meta = packed.meta();
  meta.sizes = {2, 3};
  meta.strides = {1, 2};
  return {packed.storage(), meta};
}

void check_close(const Tensor& found, const std::vector<double>& expected) {
  REQUIRE(found.count() == static_cast<std::int64_t>(expected.size()));
  const auto elements = found.elements<float>();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(static_cast<double>(elements[i]) == doctest::Approx(expected[i]).epsilon(1e-5));
  }
}

}  // namespace

TEST_CASE("reductions over either dimension agree with PyTorch in any layout") {
  struct Case {
    const char* name;
    std::vector<double> rows, columns;
  };
  const Case cases[] = {
      {"aten::sum.dim_IntList", {6, 15}, {5, 7, 9}},
      {"aten::mean.dim", {2, 5}, {2.5, 3.5, 4.5}},
      {"aten::amax", {3, 6}, {4, 5, 6}},
      {"aten::amin", {1, 4}, {1, 2, 3}},
      {"aten::var.dim", {1, 1}, {4.5, 4.5, 4.5}},
      {"aten::std.dim", {1, 1}, {2.1213203, 2.1213203, 2.1213203}},
      {"aten::logsumexp", {3.407606, 6.407606}, {4.0485873, 5.0485873, 6.0485873}},
  };
  auto caller = make_caller();
  for (const auto& c : cases)
    for (const bool transposed : {false, true}) {
      CAPTURE(c.name);
      CAPTURE(transposed);
      check_close(caller.call(c.name, {matrix(transposed), list({1})})[0], c.rows);
      check_close(caller.call(c.name, {matrix(transposed), list({0})})[0], c.columns);
    }
}

TEST_CASE("norms of every order agree with PyTorch") {
  const double infinity = std::numeric_limits<double>::infinity();
  struct Case {
    double order, expected;
  };
  auto caller = make_caller();
  const auto x = floats({3, -4, 0}, {3});
  for (const Case c : {Case{2, 5}, {1, 7}, {0, 2}, {infinity, 4}, {-infinity, 0}, {3, 4.4979415}}) {
    CAPTURE(c.order);
    check_close(caller.call("aten::linalg_vector_norm", {x, Constant(c.order)})[0], {c.expected});
  }
}

TEST_CASE("sums of a million floats keep their digits") {
  std::vector<float> elements(1000003, 0.1F);
  auto caller = make_caller();
  check_close(caller.call("aten::sum", {floats(elements, {1000003})})[0], {100000.3});
}

TEST_CASE("integers are summed in int64 and bools are counted") {
  auto caller = make_caller();
  const auto sum =
      caller.call("aten::sum", {*Tensor::from<std::int32_t>({2000000000, 2000000000}, {2})});
  CHECK(sum[0].elements<std::int64_t>()[0] == 4000000000);
  const auto count = caller.call("aten::sum", {*Tensor::from<std::uint8_t>({1, 0, 1}, {3})});
  CHECK(count[0].elements<std::int64_t>()[0] == 2);
}

TEST_CASE("sums and products of truth values take fractions for true, and nothing cancels") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  auto caller = make_caller();
  const auto truth = [&](std::string_view name, std::vector<float> elements) {
    std::vector<Arg> arguments = {floats(std::move(elements), {2})};
    if (name == "aten::nansum") {
      arguments.push_back(Constant(None{}));
      arguments.push_back(Constant(false));
    }
    arguments.push_back(Constant(DType::bool_));
    return caller.call(name, std::move(arguments))[0].data<bool>()[0];
  };
  CHECK(truth("aten::sum", {0.5F, 0.25F}));
  CHECK(truth("aten::sum", {1, -1}));
  CHECK_FALSE(truth("aten::sum", {0, 0}));
  CHECK(truth("aten::prod", {0.5F, 0.25F}));
  CHECK_FALSE(truth("aten::prod", {0.5F, 0}));
  CHECK_FALSE(truth("aten::nansum", {nan, 0}));
  CHECK(truth("aten::nansum", {nan, 0.5F}));
}

TEST_CASE("the first of equal elements and the first NaN are what max and argmax find") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  struct Case {
    std::vector<float> elements;
    std::int64_t place;
  };
  auto caller = make_caller();
  for (const Case& c : {Case{{1, 3, 3}, 1}, Case{{nan, 3, nan}, 0}, Case{{-5, -7, -6}, 0}}) {
    const auto result = caller.call("aten::max.dim", {floats(c.elements, {3}), number(0)});
    CHECK(result[1].elements<std::int64_t>()[0] == c.place);
    const auto place = caller.call("aten::argmax", {floats(c.elements, {3})});
    CHECK(place[0].elements<std::int64_t>()[0] == c.place);
  }
}

TEST_CASE("empty reductions give the neutral element or say why they can't") {
  auto caller = make_caller();
  const auto empty = floats({}, {0, 2});
  check_close(caller.call("aten::sum.dim_IntList", {empty, list({0})})[0], {0, 0});
  check_close(caller.call("aten::prod.dim_int", {empty, number(0)})[0], {1, 1});
  const auto failed = caller.try_call("aten::amax", {empty, list({0})});
  REQUIRE(!failed);
  CHECK(failed.error().message().find("dimension 0, which has size 0") != std::string::npos);
}

TEST_CASE("softmax works along any dimension, and a masked row of the safe form is zero") {
  const float low = -std::numeric_limits<float>::infinity();
  auto caller = make_caller();
  check_close(caller.call("aten::softmax.int", {matrix(true), number(1)})[0],
              {0.09003057, 0.24472847, 0.66524096, 0.09003057, 0.24472847, 0.66524096});
  check_close(caller.call("aten::_softmax", {matrix(false), number(0), Constant(false)})[0],
              {0.04742587, 0.04742587, 0.04742587, 0.95257413, 0.95257413, 0.95257413});
  check_close(caller.call("aten::log_softmax.int", {floats({1, 2}, {2}), number(0)})[0],
              {-1.3132617, -0.3132617});
  check_close(caller.call("aten::_safe_softmax", {floats({low, low}, {2}), number(0)})[0], {0, 0});
}

TEST_CASE("running sums and extremes go along their dimension") {
  auto caller = make_caller();
  check_close(caller.call("aten::cumsum", {matrix(false), number(0)})[0], {1, 2, 3, 5, 7, 9});
  check_close(caller.call("aten::cumprod", {matrix(true), number(1)})[0], {1, 2, 6, 4, 20, 120});
  const auto result = caller.call("aten::cummax", {floats({1, 3, 2, 3}, {4}), number(0)});
  check_close(result[0], {1, 3, 3, 3});
  CHECK(result[1].elements<std::int64_t>()[3] == 3);
  const auto x = floats({1, 2, 3}, {3});
  caller.call("aten::cumsum_", {x, number(0)});
  check_close(x, {1, 3, 6});
}

TEST_CASE("losses agree with PyTorch") {
  auto caller = make_caller();
  const auto a = floats({1, 2, 3, 4}, {2, 2}), b = floats({2, 2, 1, 0}, {2, 2});
  check_close(caller.call("aten::mse_loss", {a, b})[0], {5.25});
  check_close(caller.call("aten::l1_loss", {a, b, number(2)})[0], {7});
  check_close(caller.call("aten::huber_loss", {a, b, number(0)})[0], {0.5, 0, 1.5, 3.5});
  const auto labels = *Tensor::from<std::int64_t>({0, -100}, {2});
  check_close(caller.call("aten::cross_entropy_loss", {a, labels})[0], {1.3132617});
  check_close(caller.call("aten::cdist", {a, b})[0], {1, 2, 2.236068, 4.472136});
}

TEST_CASE("a class that does not exist is an error that names it") {
  auto caller = make_caller();
  const auto labels = *Tensor::from<std::int64_t>({7}, {1});
  const auto failed = caller.try_call("aten::cross_entropy_loss", {floats({1, 2}, {1, 2}), labels});
  REQUIRE(!failed);
  CHECK(failed.error().message().find("class 7 is out of range [0, 1]") != std::string::npos);
}
