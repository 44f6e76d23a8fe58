// Kernels that a host gives to single nodes, before the registry is asked.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/graph/graph_body.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0 {

/// A node as a handler sees it: its operator, its arguments and what the program says of its
/// tensors. Valid for the call only.
class NodeView {
 public:
  NodeView(const GraphBody& graph, const Node& node) noexcept : graph_(&graph), node_(&node) {}

  [[nodiscard]] const GraphBody& graph() const noexcept { return *graph_; }
  [[nodiscard]] const Node& node() const noexcept { return *node_; }
  /// `aten::linear`.
  [[nodiscard]] std::string_view target() const noexcept { return node_->target; }
  /// The argument of this name, or null.
  [[nodiscard]] const Argument* argument(std::string_view name) const noexcept {
    return node_->find(name);
  }
  /// What the program says of the tensor that an argument is; null if it is none. Sizes may be
  /// expressions.
  [[nodiscard]] const TensorType* type(std::string_view argument) const noexcept {
    const Argument* found = node_->find(argument);
    return found && found->value() ? type_of(*found->value()) : nullptr;
  }
  /// The same of a result, lists flattened.
  [[nodiscard]] const TensorType* result(std::size_t i) const noexcept {
    return i < node_->outputs.size() ? type_of(node_->outputs[i]) : nullptr;
  }

 private:
  [[nodiscard]] const TensorType* type_of(ValueId id) const noexcept {
    return id.valid() && graph_->value(id).tensor ? &*graph_->value(id).tensor : nullptr;
  }
  const GraphBody* graph_;
  const Node* node_;
};

/// A kernel that belongs to no registry: what a handler gives for a node.
template <TensorBackend Backend, FixedString SchemaText, class Kernel>
[[nodiscard]] KernelEntry<Backend> make_kernel(Kernel kernel) {
  KernelRegistry<Backend> registry;
  registry.template add<SchemaText>(std::move(kernel));
  return *registry.find(schema_name(SchemaText.view()));
}

/// Asked about every operator of a program when it is bound, before decompositions and before the
/// registry; the first handler that gives a kernel has the node. Runs do not look at handlers.
template <TensorBackend Backend>
class NodeHandlers {
 public:
  /// The kernel for this node, or nothing. Its schema must be the operator's.
  using Handler = std::function<std::optional<KernelEntry<Backend>>(const NodeView&)>;

  NodeHandlers& add(Handler handler) {
    handlers_.push_back(std::move(handler));
    return *this;
  }
  /// Takes the nodes of the schema's operator for which `wants(NodeView)` is true. The kernel is
  /// as for `KernelRegistry::add`.
  template <FixedString SchemaText, class Wants, class Kernel>
  NodeHandlers& add(Wants wants, Kernel kernel) {
    auto entry = make_kernel<Backend, SchemaText>(std::move(kernel));
    return add([wants = std::move(wants), entry = std::move(entry)](
                   const NodeView& node) -> std::optional<KernelEntry<Backend>> {
      if (node.target() != schema_name(entry.schema) || !wants(node)) return std::nullopt;
      return entry;
    });
  }

  [[nodiscard]] bool empty() const noexcept { return handlers_.empty(); }
  [[nodiscard]] std::optional<KernelEntry<Backend>> ask(const NodeView& node) const {
    for (const auto& handler : handlers_)
      if (auto entry = handler(node)) return entry;
    return std::nullopt;
  }

 private:
  std::vector<Handler> handlers_;
};

}  // namespace treadle::inline v0
