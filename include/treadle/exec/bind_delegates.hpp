// Puts a host's delegates in the place of the nodes that call them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/analysis/delegate_call.hpp>
#include <treadle/analysis/source.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/erased.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/delegate.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0 {
namespace detail {

/// A delegate as a kernel: `delegate::name@0(Tensor?[] operands) -> Tensor[]`.
template <TensorBackend Backend>
struct DelegateKernel {
  using Tensor = typename Backend::Tensor;
  struct Prepared {
    Delegate<Backend>* delegate = nullptr;
    Erased weights;
    std::size_t operands = 0;
    std::size_t results = 0;
  };

  std::string schema;
  std::shared_ptr<Delegate<Backend>> delegate;
  std::size_t index = 0;  ///< among the program's delegates

  static Result<Erased> prepare(const void* self, PrepareContext<Backend>& context) {
    const auto& kernel = *static_cast<const DelegateKernel*>(self);
    const auto* operands = std::get_if<std::vector<TensorInfo<Backend>>>(&context.argument(0));
    return make_erased(Prepared{kernel.delegate.get(), context.host_weights(kernel.index),
                                operands ? operands->size() : 0, context.results().size()});
  }
  static Status run(const void* state, RunContext<Backend>& context, Tensor* const* tensors) {
    const auto& prepared = *static_cast<const Prepared*>(state);
    return prepared.delegate->run(
        context, prepared.weights.get(), std::span<const Tensor* const>(tensors, prepared.operands),
        std::span<Tensor* const>(tensors + prepared.operands, prepared.results));
  }
};

/// Binds the delegated nodes of one program.
template <TensorBackend Backend>
class DelegateBinder {
 public:
  DelegateBinder(const GraphModule& module, const Delegates<Backend>& delegates,
                 std::span<const DelegateFile> files, KernelRegistry<Backend>& kernels)
      : module_(module), delegates_(delegates), files_(files), kernels_(kernels) {}

  Status run(GraphBody& graph) {
    NodeId next;
    for (NodeId id = graph.first(); id.valid(); id = next) {
      next = graph.node(id).next;
      if (!is_delegate_target(graph.node(id).target)) continue;
      const std::string where = describe(graph.node(id));
      if (auto status = bind(graph, id); !status)
        problems_.push_back(std::move(status).with_context(where).error());
    }
    return {};
  }

  /// All nodes whose delegate could not be made.
  Result<std::vector<std::shared_ptr<Delegate<Backend>>>> finish() {
    if (problems_.empty()) return std::move(made_);
    std::string text = concat(problems_.size(), problems_.size() == 1 ? " node" : " nodes",
                              " can't be delegated:");
    for (const auto& problem : problems_) text += concat("\n  ", problem.message());
    return Error(problems_.front().code(), std::move(text));
  }

 private:
  Status bind(GraphBody& graph, NodeId id) {
    TREADLE_TRY(const DelegateCall call, read_delegate_call(graph.node(id)));
    const auto* make = delegates_.find(graph.node(id).target, call.name);
    if (!make) return {};  // stays, and is refused with all else that can't run
    auto delegate = (*make)(describe_part(graph, id, call));
    if (!delegate) return std::move(delegate).error();
    if (!*delegate) return Error(ErrorCode::missing_kernel, "the host gave no delegate");
    made_.push_back(*std::move(delegate));
    const std::string target = concat("delegate::", plain(call.name), '@', made_.size() - 1);
    add_kernel(target);
    rewrite(graph, id, target, call.operands);
    return {};
  }

  DelegateInfo describe_part(const GraphBody& graph, NodeId id, const DelegateCall& call) const {
    const Node& node = graph.node(id);
    DelegateInfo info;
    info.target = node.target;
    info.name = call.name;
    for (const auto& file : files_)
      if (belongs(file.name, call.name)) info.files.push_back(file);
    if (call.body) info.body = call.body->body;
    const auto type = [&](ValueId v) -> const TensorType* {
      return v.valid() && graph.value(v).tensor ? &*graph.value(v).tensor : nullptr;
    };
    for (const auto& operand : call.operands) {
      const auto* v = operand.value();
      info.operands.push_back(v ? type(*v) : nullptr);
      info.weights.push_back(v ? weight_name(graph, *v) : std::string());
    }
    for (const ValueId v : node.outputs) info.results.push_back(type(v));
    return info;
  }

  /// `executorch/part` and `executorch/part/blob` belong to `part`.
  static bool belongs(std::string_view file, std::string_view name) {
    const auto slash = file.find('/');
    if (slash == std::string_view::npos || name.empty()) return false;
    file.remove_prefix(slash + 1);
    while (name.starts_with('/')) name.remove_prefix(1);
    while (name.ends_with('/')) name.remove_suffix(1);
    return file.starts_with(name) && (file.size() == name.size() || file[name.size()] == '/');
  }

  std::string weight_name(const GraphBody& graph, ValueId v) const {
    if (&graph != &module_.graph) return {};
    const auto& inputs = graph.inputs();
    for (std::size_t i = 0; i < inputs.size() && i < module_.signature.inputs.size(); ++i) {
      const auto& spec = module_.signature.inputs[i];
      const bool weight = spec.kind == InputKind::parameter || spec.kind == InputKind::buffer ||
                          spec.kind == InputKind::tensor_constant;
      if (inputs[i] == v && weight) return spec.target;
    }
    return {};
  }

  /// Names may hold anything; operators' names may not.
  static std::string plain(std::string_view name) {
    std::string text;
    for (const char c : name) {
      const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      text += fits || c == '-' || c == '_' || c == '.' ? c : '_';
    }
    return text.empty() ? "part" : text;
  }

  void add_kernel(const std::string& target) {
    using Kernel = DelegateKernel<Backend>;
    auto kernel = std::make_shared<Kernel>();
    kernel->schema = concat(target, "(Tensor?[] operands) -> Tensor[]");
    kernel->delegate = made_.back();
    kernel->index = made_.size() - 1;
    KernelEntry<Backend> entry;
    entry.schema = kernel->schema;
    entry.kernel = std::move(kernel);
    entry.prepare = &Kernel::prepare;
    entry.run = &Kernel::run;
    kernels_.add_entry(std::move(entry));
  }

  /// The node calls the new operator. Results that are numbers become tensors that are read.
  static void rewrite(GraphBody& graph, NodeId id, const std::string& target,
                      std::vector<Argument> operands) {
    graph.node(id).target = target;
    graph.set_arguments(id, {{"operands", Argument(Argument::List(std::move(operands))), false}});
    const NodeId after = graph.node(id).next;
    const std::size_t count = graph.node(id).outputs.size();
    graph.node(id).result_lengths = {static_cast<std::int32_t>(count)};
    for (std::size_t i = 0; i < count; ++i) {
      const ValueId number = graph.node(id).outputs[i];
      if (!number.valid() || graph.value(number).tensor) continue;
      const auto kind = graph.value(number).kind;
      GraphValue tensor;
      tensor.name = concat(graph.value(number).name, "_tensor");
      tensor.tensor = make_type(kind == ValueKind::sym_float  ? DType::float64
                                : kind == ValueKind::sym_bool ? DType::bool_
                                                              : DType::int64,
                                {});
      const ValueId made = graph.add_value(std::move(tensor));
      graph.value(made).producer = id;
      graph.node(id).outputs[i] = made;
      graph.value(number).producer = {};
      Node read;
      read.target = "aten::item";
      read.name = graph.value(number).name;
      read.arguments = {{"self", made, false}};
      read.outputs = {number};
      read.result_lengths = {Node::single};
      graph.add_node(std::move(read), after);
    }
  }

  const GraphModule& module_;
  const Delegates<Backend>& delegates_;
  std::span<const DelegateFile> files_;
  KernelRegistry<Backend>& kernels_;
  std::vector<std::shared_ptr<Delegate<Backend>>> made_;
  std::vector<Error> problems_;
};

}  // namespace detail

/// Makes a delegate for every node that calls one which the host has, and the node an operator of
/// its own in `kernels`, e.g. `delegate::part-Npu@0`. Nodes without a delegate stay: binding
/// refuses them. `files` are all records for delegates. Errors name the nodes.
template <TensorBackend Backend>
[[nodiscard]] Result<std::vector<std::shared_ptr<Delegate<Backend>>>> bind_delegates(
    GraphModule& module, const Delegates<Backend>& delegates, std::span<const DelegateFile> files,
    KernelRegistry<Backend>& kernels) {
  detail::DelegateBinder<Backend> binder(module, delegates, files, kernels);
  TREADLE_CHECK(
      detail::for_each_graph(module.graph, [&](GraphBody& graph) { return binder.run(graph); }));
  return binder.finish();
}

}  // namespace treadle::inline v0
