// Programs with control operators: what is known of their results before a run.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/treadle.hpp>

namespace {

using Cpu = treadle::cpu::Backend;
using treadle::cpu::Tensor;

treadle::Model<> load(const std::string& name) {
  auto model = treadle::Model<>::load(std::string(TREADLE_GOLDEN_DIR) + "/programs/" + name);
  if (!model) FAIL(model.error().message());
  return *std::move(model);
}

/// How many steps of each kind the plan for zeros of the stated types has.
std::vector<int> step_kinds(treadle::Model<>& model) {
  std::vector<treadle::Value<Cpu>> inputs;
  const auto& bound = model.executor().bound();
  for (std::size_t i = 0; i < bound.user_input_count(); ++i) {
    const auto& type = *bound.graph().value(bound.user_input(i)).tensor;
    treadle::Dims sizes;
    for (const auto& size : type.sizes) sizes.push_back(size.value_or(0));
    inputs.push_back(*Tensor::zeros(type.dtype, sizes));
  }
  const auto plan = model.executor().plan_for(inputs);
  if (!plan) FAIL(plan.error().message());
  std::vector<int> counts(3);
  for (const auto& step : (*plan)->steps) ++counts[static_cast<std::size_t>(step.kind)];
  return counts;
}

constexpr auto dynamic = static_cast<std::size_t>(treadle::Step<Cpu>::Kind::dynamic);
constexpr auto control = static_cast<std::size_t>(treadle::Step<Cpu>::Kind::control);

}  // namespace

TEST_CASE("nodes after a control operator are planned before the run where sizes are static") {
  for (const std::string name : {"after_control.pt2", "branches.pt2", "loops.pt2", "mapped.pt2"}) {
    CAPTURE(name);
    auto model = load(name);
    const auto counts = step_kinds(model);
    CHECK(counts[control] > 0);
    CHECK(counts[dynamic] == 0);
  }
}

TEST_CASE("a map over no rows keeps the other sizes") {
  auto model = load("open_rows.pt2");
  const auto shift = *Tensor::zeros(treadle::DType::float32, {3});
  for (const std::int64_t rows : {0, 2}) {
    CAPTURE(rows);
    const auto out = model.run({*Tensor::zeros(treadle::DType::float32, {rows, 5, 3}), shift});
    if (!out) FAIL(out.error().message());
    CHECK((*out)[0].tensor()->sizes() == treadle::Dims{rows, 5});
    CHECK((*out)[1].tensor()->sizes() == treadle::Dims{5});
  }
}
