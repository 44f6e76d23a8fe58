// Suppression of boxes; what counting refuses.
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/counting.hpp>
#include <treadle/cpu/quantized.hpp>
#include <treadle/ops/counting.hpp>
#include <treadle/ops/quantized.hpp>

#include "support/call_op.hpp"

namespace {

using namespace treadle;
using test::Arg;
using test::Tensor;

test::Caller make_caller() {
  OpSet ops;
  ops.add(counting_ops());
  ops.add(quantized_ops());
  auto kernels = cpu::counting_kernels();
  kernels.merge(cpu::quantized_kernels());
  return {ops, kernels};
}

}  // namespace

TEST_CASE("of boxes that overlap by more than the threshold the best stays") {
  const Tensor boxes = *Tensor::from({0.0f, 0.0f, 10.0f, 10.0f, 1.0f, 1.0f, 10.0f, 10.0f, 20.0f,
                                      20.0f, 30.0f, 30.0f, 0.0f, 0.0f, 10.0f, 5.0f},
                                     {4, 4});
  const Tensor scores = *Tensor::from({0.9f, 0.8f, 0.95f, 0.1f}, {4});
  struct Row {
    double threshold;
    std::vector<std::int64_t> kept;
  };
  // The second box shares 81 of 100 with the first, the last 50 of 100.
  for (const Row& row : {Row{0.5, {2, 0, 3}}, Row{0.49, {2, 0}}, Row{0.82, {2, 0, 1, 3}}}) {
    CAPTURE(row.threshold);
    auto caller = make_caller();
    const auto kept = caller.call("torchvision::nms", {boxes, scores, Constant(row.threshold)})[0];
    const auto elements = kept.elements<std::int64_t>();
    CHECK(std::vector<std::int64_t>(elements.begin(), elements.end()) == row.kept);
  }
}

TEST_CASE("negative numbers are not counted") {
  auto caller = make_caller();
  const auto counts = caller.try_call("aten::bincount", {*Tensor::from({1, -2}, {2})});
  REQUIRE_FALSE(counts);
  CHECK(counts.error().message().find("found -2") != std::string::npos);
}

TEST_CASE("scales must be one a channel") {
  auto caller = make_caller();
  const auto out = caller.try_call(
      "quantized_decomposed::quantize_per_channel",
      {*Tensor::zeros(DType::float32, {2, 3}), *Tensor::from({1.0f, 2.0f}, {2}),
       *Tensor::from({0, 0}, {2}), Constant(std::int64_t{1}), Constant(std::int64_t{-128}),
       Constant(std::int64_t{127}), Constant(DType::int8)});
  REQUIRE_FALSE(out);
  CHECK(out.error().message().find("expected 3 scales, found 2") != std::string::npos);
}
