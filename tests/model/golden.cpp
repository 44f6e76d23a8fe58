// Programs that PyTorch exported, run on every scheduler and compared with what PyTorch computed.
#include "support/golden.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/npz.hpp>
#include <treadle/sched/thread_pool.hpp>
#include <treadle/treadle.hpp>

#include "support/schedulers.hpp"

namespace {

using Cpu = treadle::cpu::Backend;
using test::find;
using test::numbers;
using test::tensor_of;
using treadle::cpu::Tensor;

double tolerance(treadle::DType dtype) {
  if (dtype == treadle::DType::bfloat16) return 1.6e-2;
  if (dtype == treadle::DType::float16) return 1e-3;
  if (dtype == treadle::DType::float64) return 1e-7;
  return treadle::category(dtype) < treadle::DTypeCategory::floating ? 0 : 2e-5;
}

void expect_equal(const treadle::Value<Cpu>& value, const treadle::NpyArray& expected) {
  const auto wanted = numbers(tensor_of(expected));
  if (const auto* tensor = value.get_if<Tensor>()) {
    CHECK(tensor->dtype() == expected.dtype);
    REQUIRE(tensor->sizes() == expected.sizes);
    const auto found = numbers(*tensor);
    double scale = 1;
    for (const auto& e : wanted) scale = std::max(scale, std::abs(e));
    for (std::size_t i = 0; i < wanted.size(); ++i)
      CHECK(std::abs(found[i] - wanted[i]) <= tolerance(expected.dtype) * scale);
  } else {
    REQUIRE(value.real());
    CHECK(*value.real() == doctest::Approx(wanted[0].real()));
  }
}

template <class S>
void run_golden(const std::filesystem::path& file, S& scheduler) {
  const auto arrays = treadle::read_npz(std::filesystem::path(file).replace_extension("npz"));
  REQUIRE(arrays);
  auto model = treadle::Model<Cpu, S>::load(file.string(), scheduler);
  if (!model) FAIL(model.error().message());
  for (const std::string suffix : {"", "_2"}) {
    const auto inputs = test::inputs_of(model->executable()->bound(), *arrays);
    auto outputs = model->run(inputs);
    if (!outputs) FAIL(outputs.error().message());
    for (std::size_t i = 0; i < outputs->size(); ++i) {
      CAPTURE(i);
      if (const auto* expected = find(*arrays, "out" + std::to_string(i) + suffix))
        expect_equal((*outputs)[i], *expected);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("golden programs give PyTorch's outputs on every scheduler", S, treadle::Serial,
                   treadle::Inline, treadle::ThreadPool, test::SteppingScheduler) {
  for (const auto& file : test::golden_files()) {
    CAPTURE(file.filename().string());
    S scheduler;
    run_golden(file, scheduler);
  }
}

TEST_CASE("keywords and trees reach the program by name") {
  const std::string folder = std::string(TREADLE_GOLDEN_DIR) + "/programs/";
  auto model = treadle::Model<>::load(folder + "nested_trees.pt2");
  REQUIRE(model);
  using Tree = treadle::ValueTree<Cpu>;
  const auto ones = [](std::int64_t n) {
    return Tree(treadle::Value<Cpu>(
        *Tensor::from(std::vector<float>(static_cast<std::size_t>(n), 1.0F), {n})));
  };
  auto pair = Tree::named_tuple("golden.Pair", {{"left", ones(2)}, {"right", ones(3)}});
  auto table = Tree::dict({{"a", ones(2)}, {"b", Tree::list({ones(1), ones(2)})}});
  auto outputs = model->run_tree({pair, table});
  if (!outputs) FAIL(outputs.error().message());
  const auto* sum = (*outputs)[0].find("sum");
  REQUIRE(sum);
  CHECK(numbers(*sum->leaf().tensor())[0] == 2.0);
  CHECK(outputs->kind() == treadle::TreeKind::named_tuple);
}
