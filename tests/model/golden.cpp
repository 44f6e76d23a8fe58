// Programs that PyTorch exported, run on every scheduler and compared with what PyTorch computed.
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
using treadle::cpu::Tensor;
using Arrays = std::vector<treadle::NamedArray>;

const treadle::NpyArray* find(const Arrays& arrays, const std::string& name) {
  for (const auto& [key, array] : arrays)
    if (key == name) return &array;
  return nullptr;
}

Tensor tensor_of(const treadle::NpyArray& array) {
  Cpu backend;
  auto tensor = backend.adopt(array.data.span(), array.data.owner(),
                              treadle::make_meta(array.dtype, array.sizes));
  REQUIRE(tensor);
  return *treadle::clone_tensor(backend, *tensor);
}

/// Elements as complex doubles, whatever the dtype.
std::vector<std::complex<double>> numbers(const Tensor& any) {
  Cpu backend;
  const Tensor tensor = *treadle::clone_tensor(backend, any);
  std::vector<std::complex<double>> out;
  treadle::visit_dtype(tensor.dtype(), [&]<class T>(treadle::TypeTag<T>) {
    for (const T& e : tensor.elements<T>()) {
      if constexpr (std::is_same_v<T, treadle::ComplexHalf>)
        out.push_back(std::complex<float>(e));
      else if constexpr (std::is_convertible_v<T, float>)
        out.emplace_back(static_cast<double>(e));
      else
        out.emplace_back(e);
    }
  });
  return out;
}

treadle::Value<Cpu> value_of(const treadle::NpyArray& array, bool tensor) {
  Tensor made = tensor_of(array);
  if (tensor) return made;
  const double number = numbers(made)[0].real();
  if (array.dtype == treadle::DType::bool_) return number != 0;
  if (array.dtype == treadle::DType::int64) return static_cast<std::int64_t>(number);
  return number;
}

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
  const auto& executable = model->executable();
  for (const std::string suffix : {"", "_2"}) {
    std::vector<treadle::Value<Cpu>> inputs;
    for (std::size_t i = 0; i < executable.user_input_count(); ++i) {
      const auto* array = find(*arrays, "in" + std::to_string(i));
      const auto v = executable.user_input(i);
      const bool tensor = v.valid() && executable.graph().value(v).tensor.has_value();
      inputs.push_back(array ? value_of(*array, tensor) : treadle::Value<Cpu>());
    }
    auto outputs = model->run(inputs);
    if (!outputs) FAIL(outputs.error().message());
    for (std::size_t i = 0; i < outputs->size(); ++i) {
      CAPTURE(i);
      if (const auto* expected = find(*arrays, "out" + std::to_string(i) + suffix))
        expect_equal((*outputs)[i], *expected);
    }
  }
}

std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(TREADLE_GOLDEN_DIR) + "/programs"))
    if (entry.path().extension() == ".pt2") files.push_back(entry.path());
  REQUIRE(files.size() > 20);
  return files;
}

}  // namespace

TEST_CASE_TEMPLATE("golden programs give PyTorch's outputs on every scheduler", S, treadle::Serial,
                   treadle::Inline, treadle::ThreadPool, test::SteppingScheduler) {
  for (const auto& file : golden_files()) {
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
