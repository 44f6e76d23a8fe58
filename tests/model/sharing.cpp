// What plans of one program have in common.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/treadle.hpp>

using treadle::cpu::Tensor;

TEST_CASE("plans for other batch sizes use the packed weights that are there") {
  const std::string file = std::string(TREADLE_GOLDEN_DIR) + "/programs/dynamic_batch.pt2";
  auto model = treadle::Model<>::load(file);
  if (!model) FAIL(model.error().message());
  const auto& type =
      *model->module().graph.value(model->executable()->bound().user_input(0)).tensor;
  const auto plan_for = [&](std::int64_t batch) {
    treadle::Dims sizes;
    for (const auto& size : type.sizes) sizes.push_back(size.value_or(batch));
    const std::vector<treadle::Value<treadle::cpu::Backend>> inputs = {
        *Tensor::zeros(type.dtype, sizes)};
    auto plan = model->executor().plan_for(inputs);
    if (!plan) FAIL(plan.error().message());
    return *plan;
  };
  const auto first = plan_for(3), second = plan_for(5);
  CHECK(first->kept_bytes > 0);
  CHECK(second->kept_bytes == 0);
  CHECK(first != second);
}
