// Copies and casts.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/copy.hpp>
#include <treadle/cpu/elementwise.hpp>
#include <treadle/ops/elementwise.hpp>

#include "support/call_op.hpp"

using namespace treadle;

namespace {

test::Caller copies() {
  OpSet ops;
  ops.add(copy_ops());
  return {std::move(ops), cpu::copy_kernels()};
}
test::Tensor floats(Dims sizes, const std::vector<float>& values) {
  auto t = *cpu::Tensor::empty(DType::float32, std::move(sizes));
  for (std::size_t i = 0; i < values.size(); ++i) t.data<float>()[i] = values[i];
  return t;
}

}  // namespace

TEST_CASE("a cast that changes nothing is the tensor itself") {
  auto caller = copies();
  const auto a = floats({2}, {1, 2});
  CHECK(caller.call("aten::to.dtype", {a, Constant(DType::float32)})[0].bytes() == a.bytes());
  CHECK(caller.call("aten::contiguous", {a})[0].bytes() == a.bytes());
  CHECK(caller.call("aten::clone", {a})[0].bytes() != a.bytes());
  const auto forced = caller.call(
      "aten::to.dtype", {a, Constant(DType::float32), Constant(false), Constant(true)})[0];
  CHECK(forced.bytes() != a.bytes());
}

TEST_CASE("floats truncate toward zero to integers, and anything but zero is true") {
  auto caller = copies();
  const auto a = floats({4}, {-1.9F, 0, 0.5F, 300});
  const auto whole = caller.call("aten::_to_copy", {a, Constant(DType::int16)})[0];
  CHECK(whole.data<std::int16_t>()[0] == -1);
  CHECK(whole.data<std::int16_t>()[3] == 300);
  const auto truth = caller.call("aten::to.dtype", {a, Constant(DType::bool_)})[0];
  CHECK(truth.data<bool>()[0]);
  CHECK_FALSE(truth.data<bool>()[1]);
  CHECK(truth.data<bool>()[2]);
}

TEST_CASE("large integers keep their digits between integer dtypes") {
  auto caller = copies();
  auto a = *cpu::Tensor::empty(DType::int64, {1});
  a.data<std::int64_t>()[0] = (std::int64_t{1} << 62) + 5;
  const auto low = caller.call("aten::_to_copy", {a, Constant(DType::int32)})[0];
  CHECK(low.data<std::int32_t>()[0] == 5);
}

TEST_CASE("every pair of dtypes converts small numbers") {
  auto caller = copies();
  const std::vector<DType> dtypes = {
      DType::uint8,   DType::int8,     DType::int16,   DType::int32,     DType::int64,
      DType::float16, DType::bfloat16, DType::float32, DType::float64,   DType::complex64,
      DType::uint16,  DType::uint32,   DType::uint64,  DType::complex128};
  for (const DType from : dtypes)
    for (const DType to : dtypes) {
      CAPTURE(name(from));
      CAPTURE(name(to));
      const auto a = caller.call("aten::_to_copy", {floats({3}, {0, 3, 7}), Constant(from)})[0];
      const auto b = caller.call("aten::_to_copy", {a, Constant(to)})[0];
      const auto back = caller.call("aten::_to_copy", {b, Constant(DType::float32)})[0];
      CHECK(back.data<float>()[1] == 3);
      CHECK(back.data<float>()[2] == 7);
    }
}

TEST_CASE("copy_ broadcasts into a strided tensor") {
  auto caller = copies();
  auto whole = floats({2, 4}, std::vector<float>(8, 0));
  auto meta = whole.meta();
  meta.sizes = {2, 2};
  meta.strides = {4, 2};
  const test::Tensor every_second(whole.storage(), meta);
  static_cast<void>(caller.call("aten::copy_", {every_second, floats({2}, {5, 6})}));
  const float* w = whole.data<float>();
  CHECK(std::vector<float>(w, w + 8) == std::vector<float>{5, 0, 6, 0, 5, 0, 6, 0});
}
