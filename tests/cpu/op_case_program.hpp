// Runs one recorded call as a program, so that operators defined by others are taken apart first.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/cpu/kernels.hpp>
#include <treadle/exec/call.hpp>
#include <treadle/exec/executor.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/pass/decompose.hpp>
#include <treadle/sched/serial.hpp>

namespace test {

/// A graph of one node, its inputs the tensors of the call.
class OpCaseProgram {
  using Backend = treadle::cpu::Backend;
  using Tensor = treadle::cpu::Tensor;

 public:
  /// `results` are what the program states of them.
  OpCaseProgram(const treadle::Schema& schema,
                const std::vector<treadle::CallArgument<Backend>>& arguments,
                const std::vector<treadle::TensorType>& results) {
    treadle::Node node = call(schema, arguments);
    std::vector<treadle::Argument> outputs;
    for (const auto& type : results) {
      treadle::GraphValue value;
      value.name = treadle::concat("result_", node.outputs.size());
      value.tensor = type;
      node.outputs.push_back(graph_.add_value(std::move(value)));
      outputs.emplace_back(node.outputs.back());
    }
    for (std::size_t i = 0; i < schema.result_count; ++i)
      node.result_lengths.push_back(schema.results[i].list
                                        ? static_cast<std::int32_t>(results.size())
                                        : treadle::Node::single);
    graph_.add_node(std::move(node));
    graph_.set_outputs(std::move(outputs));
  }

  /// The result is a bool.
  OpCaseProgram(const treadle::Schema& schema,
                const std::vector<treadle::CallArgument<Backend>>& arguments) {
    treadle::Node node = call(schema, arguments);
    treadle::GraphValue value;
    value.name = "result";
    value.kind = treadle::ValueKind::sym_bool;
    const auto out = graph_.add_value(std::move(value));
    node.outputs.push_back(out);
    node.result_lengths.push_back(treadle::Node::single);
    graph_.add_node(std::move(node));
    graph_.set_outputs({out});
  }

  treadle::Result<bool> run_truth(const treadle::OpSet& ops,
                                  const treadle::KernelRegistry<Backend>& kernels) && {
    TREADLE_TRY(auto values, run_values(ops, kernels));
    return values[0].boolean();
  }
  treadle::Result<std::vector<Tensor>> run(const treadle::OpSet& ops,
                                           const treadle::KernelRegistry<Backend>& kernels) && {
    TREADLE_TRY(auto values, run_values(ops, kernels));
    std::vector<Tensor> tensors;
    for (auto& value : values) {
      TREADLE_TRY(auto tensor, value.tensor());
      tensors.push_back(std::move(tensor));
    }
    return tensors;
  }

  /// Call it once.
  treadle::Result<std::shared_ptr<const treadle::Executable<Backend>>> bind(
      const treadle::OpSet& ops, const treadle::KernelRegistry<Backend>& kernels) {
    TREADLE_CHECK(treadle::decompose(
        graph_, ops, [&](std::string_view target) { return kernels.contains(target); }));
    treadle::GraphModule module;
    for (const auto input : graph_.inputs()) {
      treadle::InputSpec spec;
      spec.name = graph_.value(input).name;
      module.signature.inputs.push_back(std::move(spec));
    }
    module.signature.outputs.resize(graph_.outputs().size());
    module.graph = std::move(graph_);
    return treadle::Executable<Backend>::make(std::move(module), {}, kernels, ops, {});
  }
  [[nodiscard]] const std::vector<treadle::Value<Backend>>& inputs() const { return inputs_; }

 private:
  treadle::Node call(const treadle::Schema& schema,
                     const std::vector<treadle::CallArgument<Backend>>& arguments) {
    treadle::Node node;
    node.target = schema.name;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      node.arguments.push_back({std::string(schema.arguments[i].name), argument(arguments[i]),
                                schema.arguments[i].keyword_only});
    return node;
  }

  treadle::Result<std::vector<treadle::Value<Backend>>> run_values(
      const treadle::OpSet& ops, const treadle::KernelRegistry<Backend>& kernels) {
    TREADLE_TRY(auto program, bind(ops, kernels));
    TREADLE_TRY(auto state, program->make_state());
    treadle::Serial scheduler;
    treadle::Executor<Backend, treadle::Serial> executor(program, scheduler);
    return executor.run(inputs_, state);
  }

  treadle::Argument input(const Tensor& tensor) {
    if (tensor.is_empty()) return treadle::Constant(treadle::None{});
    treadle::GraphValue value;
    value.name = treadle::concat("input_", inputs_.size());
    value.tensor = treadle::to_type(tensor.meta());
    value.tensor->storage_offset = 0;
    inputs_.emplace_back(tensor);
    return graph_.add_input(std::move(value));
  }
  treadle::Argument argument(const treadle::CallArgument<Backend>& given) {
    if (const auto* constant = std::get_if<treadle::Constant>(&given)) return *constant;
    if (const auto* tensor = std::get_if<Tensor>(&given)) return input(*tensor);
    treadle::Argument::List items;
    for (const auto& tensor : std::get<std::vector<Tensor>>(given)) items.push_back(input(tensor));
    return items;
  }

  treadle::GraphBody graph_;
  std::vector<treadle::Value<Backend>> inputs_;
};

}  // namespace test
