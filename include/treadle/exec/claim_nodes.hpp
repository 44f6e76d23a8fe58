// Gives nodes to the kernels that a host's handlers have for them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/analysis/source.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/kernel/node_handlers.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Asks the handlers about one program's nodes.
template <TensorBackend Backend>
class NodeClaimer {
 public:
  NodeClaimer(const NodeHandlers<Backend>& handlers, KernelRegistry<Backend>& kernels, OpSet& ops)
      : handlers_(handlers), kernels_(kernels), ops_(ops) {}

  Status run(GraphBody& graph) {
    for (const NodeId id : graph.nodes()) {
      Node& node = graph.node(id);
      if (!is_operator(node.target)) continue;
      auto entry = handlers_.ask(NodeView(graph, node));
      if (entry) TREADLE_CHECK(take(node, *std::move(entry)).with_context(describe(node)));
    }
    return {};
  }

 private:
  /// Numbers and control flow are the engine's own.
  static bool is_operator(std::string_view target) noexcept {
    for (const std::string_view own : {"operator::", "math::", "builtins::", "torch::",
                                       "higher_order::", "delegate::", "aten::sym_"})
      if (target.starts_with(own)) return false;
    return target != "aten::item" && target != "aten::_local_scalar_dense";
  }

  static Status check_schema(const Schema& kernel, const Schema& wanted) {
    bool same = kernel.argument_count == wanted.argument_count &&
                kernel.result_count == wanted.result_count;
    for (std::size_t i = 0; same && i < kernel.argument_count; ++i)
      same = kernel.arguments[i].kind == wanted.arguments[i].kind &&
             kernel.arguments[i].list == wanted.arguments[i].list &&
             kernel.arguments[i].writes == wanted.arguments[i].writes;
    if (same) return {};
    return Error(ErrorCode::type_mismatch,
                 "the handler's kernel takes other arguments than the operator");
  }

  Status take(Node& node, KernelEntry<Backend> entry) {
    if (schema_name(entry.schema) != node.target)
      return Error(ErrorCode::type_mismatch,
                   concat("the handler gave a kernel for '", schema_name(entry.schema), "'"));
    ops_.add_schema(entry.schema);
    const OpDef& definition = *ops_.find(node.target);
    TREADLE_CHECK(check_schema(parse_schema(entry.schema), parse_schema(definition.schema)));
    const std::string name = concat(node.target, "@host", count_++);
    ops_.add_like(name, definition);
    kernels_.add_entry(renamed(std::move(entry), name));
    node.target = name;
    return {};
  }

  /// The entry with a schema of this name, which lives as long as the kernel.
  static KernelEntry<Backend> renamed(KernelEntry<Backend> entry, std::string_view name) {
    struct Kept {
      std::string schema;
      std::shared_ptr<const void> kernel;
    };
    auto kept = std::make_shared<const Kept>(
        Kept{concat(name, entry.schema.substr(schema_name(entry.schema).size())), entry.kernel});
    entry.schema = kept->schema;
    entry.kernel = std::shared_ptr<const void>(kept, kept->kernel.get());
    return entry;
  }

  const NodeHandlers<Backend>& handlers_;
  KernelRegistry<Backend>& kernels_;
  OpSet& ops_;
  std::size_t count_ = 0;
};

}  // namespace detail

/// Names every node that a handler takes after an operator of its own, e.g. `aten::linear@host0`,
/// which `kernels` and `ops` then have. Errors name the node.
template <TensorBackend Backend>
[[nodiscard]] Status claim_nodes(GraphBody& graph, const NodeHandlers<Backend>& handlers,
                                 KernelRegistry<Backend>& kernels, OpSet& ops) {
  if (handlers.empty()) return {};
  detail::NodeClaimer<Backend> claimer(handlers, kernels, ops);
  return detail::for_each_graph(graph, [&](GraphBody& body) { return claimer.run(body); });
}

}  // namespace treadle::inline v0
