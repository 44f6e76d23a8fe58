// Estimates of how long nodes take.
#include <vector>

#include <doctest/doctest.h>

#include <treadle/analysis/cost.hpp>

namespace {

using treadle::Dims;
using treadle::TensorMeta;

double estimate(const char* target, const std::vector<Dims>& inputs, const Dims& output) {
  std::vector<TensorMeta> metas;
  for (const auto& sizes : inputs)
    metas.push_back(treadle::make_meta(treadle::DType::float32, sizes));
  metas.push_back(treadle::make_meta(treadle::DType::float32, output));
  std::vector<const TensorMeta*> in, out = {&metas.back()};
  for (std::size_t i = 0; i < inputs.size(); ++i) in.push_back(&metas[i]);
  return treadle::estimate_nanoseconds(target, in, out);
}

}  // namespace

TEST_CASE("estimates have the right order of magnitude") {
  const struct {
    const char* target;
    std::vector<Dims> inputs;
    Dims output;
    double least, most;
  } rows[] = {
      {"aten::add.Tensor", {{16}, {16}}, {16}, 5, 50},
      {"aten::add.Tensor", {{1000000}, {1000000}}, {1000000}, 1e5, 1e6},
      {"aten::tanh.default", {{100000}}, {100000}, 4e4, 4e5},
      {"aten::tanh_.default", {{100000}}, {100000}, 4e4, 4e5},
      {"aten::mm.default", {{256, 256}, {256, 256}}, {256, 256}, 1e5, 2e6},
      {"aten::linear.default", {{8, 512}, {128, 512}, {128}}, {8, 128}, 5e3, 1e5},
      {"aten::addmm.default", {{128}, {8, 512}, {512, 128}}, {8, 128}, 5e3, 1e5},
      {"aten::conv2d.default", {{1, 64, 56, 56}, {64, 64, 3, 3}}, {1, 64, 56, 56}, 1e6, 2e7},
      {"aten::scaled_dot_product_attention.default",
       {{1, 8, 128, 64}, {1, 8, 128, 64}, {1, 8, 128, 64}},
       {1, 8, 128, 64},
       1e5,
       4e6},
      {"aten::sort.default", {{10000}}, {10000}, 1e5, 4e6},
      {"mine::own.default", {{16}}, {16}, 1e3, 1e4},
  };
  for (const auto& row : rows) {
    CAPTURE(row.target);
    const double found = estimate(row.target, row.inputs, row.output);
    CHECK(found >= row.least);
    CHECK(found <= row.most);
  }
}

TEST_CASE("estimates of products grow with the inner size, those of views with nothing") {
  const auto product = [](std::int64_t k) {
    return estimate("aten::matmul.default", {{64, k}, {k, 64}}, {64, 64});
  };
  CHECK(product(4096) > 3.5 * product(1024));
  CHECK(treadle::estimate_nanoseconds("aten::sym_size.int", {}, {}) < 50);
}
