// Copies the outputs of nodes.
#include "node_record.hpp"

#include <optional>
#include <utility>

#include <fmt/core.h>

#include "values.hpp"

namespace tool {
namespace {

std::optional<treadle::NpyArray> array_of(const RunningNode& node, treadle::ValueId v) {
  if (const auto* tensor = node.tensor(v)) return to_array(Value(*tensor));
  const auto number = node.number(v);
  if (!number) return std::nullopt;
  if (number->is_boolean()) return to_array(Value(number->truthy()));
  if (number->is_integer()) return to_array(Value(number->integer));
  return to_array(Value(number->real));
}

}  // namespace

treadle::Status NodeRecord::on_outputs(const RunningNode& node) {
  if (stopped_ || node.at().graph.index != 0) return {};
  for (const auto v : node.node().outputs) {
    auto array = array_of(node, v);
    if (!array) continue;
    const std::lock_guard lock(mutex_);
    const std::string& name = node.graph().value(v).name;
    if (places_.emplace(name, arrays_.size()).second) arrays_.emplace_back(name, *std::move(array));
  }
  return {};
}

const treadle::NpyArray* NodeRecord::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &arrays_[found->second].second;
}

std::vector<treadle::NamedArray> input_arrays(const std::vector<Value>& inputs) {
  std::vector<treadle::NamedArray> arrays;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (auto array = to_array(inputs[i]))
      arrays.emplace_back(fmt::format("in{}", i), *std::move(array));
  return arrays;
}

}  // namespace tool
