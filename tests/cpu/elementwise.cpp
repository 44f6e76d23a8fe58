// Elementwise kernels against numbers that PyTorch gave.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/copy.hpp>
#include <treadle/cpu/elementwise.hpp>
#include <treadle/ops/elementwise.hpp>

#include "support/call_op.hpp"

using namespace treadle;

namespace {

test::Caller elementwise() {
  OpSet ops;
  for (const auto family :
       {arithmetic_ops(), compare_ops(), math_ops(), activation_ops(), select_ops(), copy_ops()})
    ops.add(family);
  auto kernels = cpu::elementwise_kernels();
  kernels.merge(cpu::copy_kernels());
  return {std::move(ops), std::move(kernels)};
}

template <class T>
test::Tensor tensor(Dims sizes, const std::vector<T>& values) {
  auto t = *cpu::Tensor::empty(dtype_of<T>(), std::move(sizes));
  for (std::size_t i = 0; i < values.size(); ++i) t.template data<T>()[i] = values[i];
  return t;
}
template <class T>
std::vector<T> values(const test::Tensor& t) {
  std::vector<T> out(static_cast<std::size_t>(t.count()));
  cpu::Backend backend;
  REQUIRE(backend.copy_to_host(t, std::as_writable_bytes(std::span(out))));
  return out;
}
test::Tensor transposed(const test::Tensor& t) {
  auto meta = t.meta();
  std::swap(meta.sizes[0], meta.sizes[1]);
  std::swap(meta.strides[0], meta.strides[1]);
  return {t.storage(), meta};
}
const std::vector<float> ramp = {-2.5F, -1, -0.5F, 0, 0.5F, 1.5F, 2.5F, 7};

}  // namespace

TEST_CASE("functions of one operand give PyTorch's numbers") {
  struct Case {
    std::string name;
    std::vector<float> expected;
  };
  const std::vector<Case> cases = {
      {"aten::relu", {0, 0, 0, 0, 0.5F, 1.5F, 2.5F, 7}},
      {"aten::round", {-2, -1, 0, 0, 0, 2, 2, 7}},
      {"aten::square", {6.25F, 1, 0.25F, 0, 0.25F, 2.25F, 6.25F, 49}},
      {"aten::sign", {-1, -1, -1, 0, 1, 1, 1, 1}},
      {"aten::relu6", {0, 0, 0, 0, 0.5F, 1.5F, 2.5F, 6}},
      {"aten::hardtanh", {-1, -1, -0.5F, 0, 0.5F, 1, 1, 1}},
      {"aten::softshrink", {-2, -0.5F, 0, 0, 0, 1, 2, 6.5F}},
      {"aten::erfinv", {NAN, -INFINITY, -0.4769363F, 0, 0.4769363F, NAN, NAN, NAN}},
      {"aten::digamma",
       {1.1031566F, NAN, 0.03648998F, -INFINITY, -1.9635100F, 0.03648998F, 0.7031566F, 1.8727843F}},
      {"aten::i0",
       {3.2898391F, 1.2660658F, 1.0634834F, 1, 1.0634834F, 1.6467232F, 3.2898391F, 168.59391F}},
  };
  auto caller = elementwise();
  for (const auto& c : cases) {
    CAPTURE(c.name);
    const auto out = values<float>(caller.call(c.name, {tensor<float>({8}, ramp)})[0]);
    for (std::size_t i = 0; i < out.size(); ++i) {
      CAPTURE(i);
      if (std::isnan(c.expected[i]))
        CHECK(std::isnan(out[i]));
      else if (std::isinf(c.expected[i]))
        CHECK(out[i] == c.expected[i]);
      else
        CHECK(out[i] == doctest::Approx(c.expected[i]).epsilon(1e-5));
    }
  }
}

TEST_CASE("a row broadcasts over a matrix of any layout") {
  auto caller = elementwise();
  const auto a = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}), row = tensor<float>({3}, {10, 20, 30});
  CHECK(values<float>(caller.call("aten::add.Tensor", {a, row})[0]) ==
        std::vector<float>{11, 22, 33, 14, 25, 36});
  const auto column_major = transposed(tensor<float>({3, 2}, {1, 4, 2, 5, 3, 6}));
  CHECK(values<float>(caller.call("aten::mul.Tensor", {column_major, row})[0]) ==
        std::vector<float>{10, 40, 90, 40, 100, 180});
}

TEST_CASE("numbers promote by category only") {
  auto caller = elementwise();
  const auto a = tensor<std::int32_t>({2}, {7, -7});
  const auto sum = caller.call("aten::add.Tensor", {a, Constant(std::int64_t{1})})[0];
  CHECK(sum.dtype() == DType::int32);
  CHECK(values<std::int32_t>(sum) == std::vector<std::int32_t>{8, -6});
  const auto scaled = caller.call("aten::mul.Tensor", {a, Constant(0.5)})[0];
  CHECK(scaled.dtype() == DType::float32);
  CHECK(values<float>(scaled) == std::vector<float>{3.5F, -3.5F});
}

TEST_CASE("integer division follows Python, and zero is an error") {
  auto caller = elementwise();
  const auto a = tensor<std::int64_t>({4}, {7, -7, 7, -7});
  const auto b = tensor<std::int64_t>({4}, {2, 2, -2, -2});
  using Row = std::vector<std::int64_t>;
  CHECK(values<std::int64_t>(caller.call("aten::floor_divide", {a, b})[0]) == Row{3, -4, -4, 3});
  CHECK(values<std::int64_t>(caller.call("aten::remainder.Tensor", {a, b})[0]) ==
        Row{1, 1, -1, -1});
  CHECK(values<std::int64_t>(caller.call("aten::fmod.Tensor", {a, b})[0]) == Row{1, -1, 1, -1});
  const auto failed = caller.try_call("aten::remainder.Scalar", {a, Constant(std::int64_t{0})});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message().find("division by zero") != std::string::npos);
}

TEST_CASE("a number out of an unsigned operand's range wraps as PyTorch's does") {
  auto caller = elementwise();
  const auto a = tensor<std::uint8_t>({2}, {255, 1});
  const auto equal = caller.call("aten::eq.Scalar", {a, Constant(std::int64_t{-1})})[0];
  CHECK(equal.data<bool>()[0]);
}

TEST_CASE("in-place forms write into self and refuse what self can't hold") {
  auto caller = elementwise();
  const auto a = tensor<float>({3}, {1, 2, 3});
  const auto b = tensor<double>({3}, {0.5, 0.5, 0.5});
  CHECK(caller.call("aten::add_.Tensor", {a, b})[0].bytes() == a.bytes());
  CHECK(values<float>(a) == std::vector<float>{1.5F, 2.5F, 3.5F});
  const auto integers = tensor<std::int64_t>({3}, {1, 2, 3});
  CHECK_FALSE(caller.try_call("aten::mul_.Tensor", {integers, a}));
  CHECK_FALSE(caller.try_call("aten::add_.Tensor", {a, tensor<float>({2}, {1, 2})}));
}

TEST_CASE("NaN passes through max, min, clamp and relu") {
  auto caller = elementwise();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto a = tensor<float>({2}, {nan, 1}), b = tensor<float>({2}, {0, nan});
  for (const char* name : {"aten::maximum", "aten::minimum"})
    for (const float x : values<float>(caller.call(name, {a, b})[0])) CHECK(std::isnan(x));
  CHECK(std::isnan(values<float>(caller.call("aten::relu", {a})[0])[0]));
  CHECK(std::isnan(values<float>(caller.call("aten::clamp", {a, Constant(0.0)})[0])[0]));
  CHECK(values<float>(caller.call("aten::fmax", {a, b})[0]) == std::vector<float>{0, 1});
}

TEST_CASE("where, lerp and masked_fill choose by element") {
  auto caller = elementwise();
  auto mask = *cpu::Tensor::empty(DType::bool_, {3});
  for (int i = 0; i < 3; ++i) mask.data<bool>()[i] = i != 1;
  const auto a = tensor<float>({3}, {1, 2, 3});
  CHECK(values<float>(caller.call("aten::where.ScalarOther", {mask, a, Constant(-1.0)})[0]) ==
        std::vector<float>{1, -1, 3});
  CHECK(values<float>(caller.call("aten::masked_fill.Scalar", {a, mask, Constant(9.0)})[0]) ==
        std::vector<float>{9, 2, 9});
  const auto large = tensor<std::int64_t>({3}, {1, (std::int64_t{1} << 53) + 1, 3});
  CHECK(values<std::int64_t>(
            caller.call("aten::masked_fill.Scalar", {large, mask, Constant(9.0)})[0])[1] ==
        (std::int64_t{1} << 53) + 1);
}

TEST_CASE("half precision computes in float") {
  auto caller = elementwise();
  auto a = *cpu::Tensor::empty(DType::float16, {2});
  a.data<Half>()[0] = Half(1.0F);
  a.data<Half>()[1] = Half(1000.0F);
  const auto out =
      caller.call("aten::exp", {caller.call("aten::div.Scalar", {a, Constant(500.0)})[0]})[0];
  CHECK(out.dtype() == DType::float16);
  CHECK(static_cast<float>(out.data<Half>()[1]) == doctest::Approx(7.390625));
}

TEST_CASE("the next half is the next half, not the next float") {
  auto caller = elementwise();
  const auto from = *cpu::Tensor::from<Half>({Half(1.0F), Half(0.0F)}, {2});
  const auto to = *cpu::Tensor::from<Half>({Half(2.0F), Half(-1.0F)}, {2});
  const auto next = caller.call("aten::nextafter", {from, to})[0];
  CHECK(next.data<Half>()[0].bits == 0x3c01);
  CHECK(next.data<Half>()[1].bits == 0x8001);
}

TEST_CASE("glu multiplies the halves of a strided tensor") {
  auto caller = elementwise();
  const auto a = transposed(tensor<float>({2, 2}, {1, 3, 0, 0}));
  CHECK(values<float>(caller.call("aten::glu", {a})[0]) == std::vector<float>{0.5F, 1.5F});
}
