// Sizes that a program takes, as PyTorch takes them.
#include <string>

#include <doctest/doctest.h>

#include <treadle/treadle.hpp>

TEST_CASE("a size that the exporter bounds from 2 may be 1, other bounds hold") {
  using treadle::DType;
  using treadle::cpu::Tensor;
  auto model = treadle::Model<>::load(std::string(TREADLE_GOLDEN_DIR) + "/programs/sizes.pt2");
  if (!model) FAIL(model.error().message());
  const auto zeros = [](treadle::Dims sizes) { return *Tensor::zeros(DType::float32, sizes); };
  const auto outputs = model->run({zeros({7}), zeros({7, 1})});
  if (!outputs) FAIL(outputs.error().message());
  CHECK((*outputs)[3].tensor()->sizes() == treadle::Dims{3});
  const auto refused = model->run({zeros({3}), zeros({3, 5})});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("is 3, the program takes 4 to inf") != std::string::npos);
}
