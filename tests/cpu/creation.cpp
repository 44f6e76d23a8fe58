// Kernels that make tensors, draw random ones or check something.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/creation.hpp>
#include <treadle/cpu/random.hpp>
#include <treadle/ops/creation.hpp>

#include "support/call_op.hpp"

using namespace treadle;

namespace {

test::Caller creation() {
  OpSet ops;
  for (const auto family : {creation_ops(), random_ops(), assertion_ops()}) ops.add(family);
  auto kernels = cpu::creation_kernels();
  kernels.merge(cpu::random_kernels());
  kernels.merge(cpu::assertion_kernels());
  return {std::move(ops), std::move(kernels)};
}
template <class T>
std::vector<T> all(const test::Tensor& t) {
  const auto e = t.template elements<T>();
  return {e.begin(), e.end()};
}
Constant ints(std::vector<std::int64_t> v) { return Constant(std::move(v)); }
Constant whole(std::int64_t v) { return Constant(v); }

}  // namespace

TEST_CASE("the dtype follows from the number as in PyTorch") {
  auto caller = creation();
  CHECK(caller.call("aten::full", {ints({2}), Constant(true)})[0].dtype() == DType::bool_);
  CHECK(caller.call("aten::full", {ints({2}), whole(3)})[0].dtype() == DType::int64);
  CHECK(caller.call("aten::full", {ints({2}), Constant(0.5)})[0].dtype() == DType::float32);
  CHECK(caller.call("aten::arange", {whole(3)})[0].dtype() == DType::int64);
  CHECK(caller.call("aten::arange", {Constant(3.0)})[0].dtype() == DType::float32);
  CHECK(caller.call("aten::ones", {ints({2})})[0].data<float>()[1] == 1);
}

TEST_CASE("ranges include their start and exclude their end") {
  auto caller = creation();
  CHECK(all<std::int64_t>(
            caller.call("aten::arange.start_step", {whole(5), whole(-4), whole(-3)})[0]) ==
        std::vector<std::int64_t>{5, 2, -1});
  CHECK(all<float>(caller.call("aten::linspace", {whole(0), whole(1), whole(5)})[0]) ==
        std::vector<float>{0, 0.25F, 0.5F, 0.75F, 1});
  CHECK(all<float>(caller.call("aten::logspace", {whole(0), whole(2), whole(3)})[0]) ==
        std::vector<float>{1, 10, 100});
  CHECK_FALSE(caller.try_call("aten::arange.start_step", {whole(0), whole(5), whole(0)}));
}

TEST_CASE("eye and the triangles have their ones and places") {
  auto caller = creation();
  CHECK(all<float>(caller.call("aten::eye.m", {whole(2), whole(3)})[0]) ==
        std::vector<float>{1, 0, 0, 0, 1, 0});
  CHECK(all<std::int64_t>(caller.call("aten::tril_indices", {whole(2), whole(2)})[0]) ==
        std::vector<std::int64_t>{0, 1, 1, 0, 0, 1});
  CHECK(all<std::int64_t>(caller.call("aten::triu_indices", {whole(2), whole(3), whole(1)})[0]) ==
        std::vector<std::int64_t>{0, 0, 1, 1, 2, 2});
}

TEST_CASE("fill_ writes a number or the element of a tensor") {
  auto caller = creation();
  const auto t = caller.call("aten::zeros", {ints({3})})[0];
  static_cast<void>(caller.call("aten::fill_.Scalar", {t, Constant(2.5)}));
  CHECK(all<float>(t) == std::vector<float>{2.5F, 2.5F, 2.5F});
  const auto seven = caller.call("aten::full", {ints({}), whole(7)})[0];
  static_cast<void>(caller.call("aten::fill_.Tensor", {t, seven}));
  CHECK(all<float>(t) == std::vector<float>{7, 7, 7});
  static_cast<void>(caller.call("aten::zero_", {t}));
  CHECK(all<float>(t) == std::vector<float>{0, 0, 0});
}

TEST_CASE("random numbers follow their distribution and their seed") {
  auto caller = creation();
  auto again = creation();
  const auto uniform = all<float>(caller.call("aten::rand", {ints({20000})})[0]);
  CHECK(uniform == all<float>(again.call("aten::rand", {ints({20000})})[0]));
  double mean = 0;
  for (const float x : uniform) {
    CHECK_MESSAGE((x >= 0 && x < 1), x);
    mean += x / 20000;
  }
  CHECK(mean == doctest::Approx(0.5).epsilon(0.02));
  double square = 0;
  for (const float x : all<float>(caller.call("aten::randn", {ints({20000})})[0]))
    square += x * x / 20000;
  CHECK(square == doctest::Approx(1).epsilon(0.05));
  const auto order = all<std::int64_t>(caller.call("aten::randperm", {whole(50)})[0]);
  CHECK(std::set<std::int64_t>(order.begin(), order.end()).size() == 50);
}

TEST_CASE("dropout outside of training is the input itself") {
  auto caller = creation();
  const auto t = caller.call("aten::ones", {ints({1000})})[0];
  CHECK(caller.call("aten::dropout", {t, Constant(0.5), Constant(false)})[0].bytes() == t.bytes());
  double sum = 0;
  for (const float x :
       all<float>(caller.call("aten::dropout", {t, Constant(0.5), Constant(true)})[0])) {
    CHECK_MESSAGE((x == 0 || x == 2), x);
    sum += x;
  }
  CHECK(sum == doctest::Approx(1000).epsilon(0.15));
}

TEST_CASE("dropout of features keeps or drops them whole") {
  auto caller = creation();
  const auto t = caller.call("aten::ones", {ints({20, 50, 3})})[0];
  const auto row =
      all<float>(caller.call("aten::feature_dropout", {t, Constant(0.5), Constant(true)})[0]);
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    CHECK((row[i] == 0 || row[i] == 2));
    CHECK(row[i] == row[i / 3 * 3]);
    sum += row[i];
  }
  CHECK(sum == doctest::Approx(3000).epsilon(0.15));
  const auto flat = caller.call("aten::ones", {ints({4})})[0];
  CHECK_FALSE(caller.try_call("aten::feature_dropout", {flat, Constant(0.5), Constant(true)}));
}

TEST_CASE("alpha dropout keeps mean and variance of normal numbers") {
  auto caller = creation();
  const auto t = caller.call("aten::randn", {ints({300, 300})})[0];
  for (const char* target : {"aten::alpha_dropout", "aten::feature_alpha_dropout"}) {
    CAPTURE(target);
    double sum = 0, squares = 0;
    for (const float x : all<float>(caller.call(target, {t, Constant(0.3), Constant(true)})[0])) {
      sum += x;
      squares += x * x;
    }
    CHECK(sum / 90000 == doctest::Approx(0).epsilon(0.02));
    CHECK(squares / 90000 == doctest::Approx(1).epsilon(0.05));
  }
}

TEST_CASE("counts follow their distributions") {
  auto caller = creation();
  const auto check = [&](const test::Tensor& draws, double mean, double variance) {
    double sum = 0, squares = 0;
    for (const float x : all<float>(draws)) {
      sum += x;
      squares += x * x;
    }
    const auto n = static_cast<double>(draws.count());
    CHECK(sum / n == doctest::Approx(mean).epsilon(0.03));
    CHECK(squares / n - sum / n * sum / n == doctest::Approx(variance).epsilon(0.1));
  };
  const auto constant = [&](double x) {
    return caller.call("aten::full", {ints({20000}), Constant(x)})[0];
  };
  for (const double rate : {0.3, 4.0, 60.0})
    check(caller.call("aten::poisson", {constant(rate)})[0], rate, rate);
  for (const double shape : {0.4, 3.0})
    check(caller.call("aten::_standard_gamma", {constant(shape)})[0], shape, shape);
  for (const double n : {7.0, 300.0})
    check(caller.call("aten::binomial", {constant(n), constant(0.3)})[0], 0.3 * n, 0.21 * n);
  check(caller.call("aten::normal.float_float", {Constant(2.0), Constant(3.0), ints({20000})})[0],
        2, 9);
}

TEST_CASE("a failed assertion gives its message") {
  auto caller = creation();
  const auto zero = caller.call("aten::zeros", {ints({})})[0];
  const auto one = caller.call("aten::ones", {ints({})})[0];
  CHECK(caller.try_call("aten::_assert_async.msg", {one, Constant(std::string("n > 0"))}));
  const auto failed =
      caller.try_call("aten::_assert_async.msg", {zero, Constant(std::string("n > 0"))});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message().find("assertion failed: n > 0") != std::string::npos);
  const auto failure = [&](std::int32_t info) {
    const auto tensor = *cpu::Tensor::from<std::int32_t>({0, info}, {2});
    const auto checked = caller.try_call("aten::_linalg_check_errors",
                                         {tensor, Constant("linalg.inv"), Constant(false)});
    return checked ? std::string() : checked.error().message();
  };
  CHECK(failure(0).empty());
  CHECK(failure(2).find("linalg.inv: a matrix is singular") != std::string::npos);
  CHECK(failure(-3).find("linalg.inv: argument 3 is not valid") != std::string::npos);
  CHECK_FALSE(caller.try_call("aten::sym_constrain_range", {whole(7), whole(0), whole(5)}));
  CHECK(caller.try_call("aten::sym_constrain_range", {whole(5), whole(0), whole(5)}));
  CHECK_FALSE(caller.try_call("aten::_assert_tensor_metadata",
                              {one, Constant(None{}), Constant(None{}), Constant(DType::int64)}));
}
