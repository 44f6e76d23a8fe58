// Which nodes leave no trace but their results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>

#include <treadle/graph/graph_body.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/ops/schema.hpp>
#include <treadle/ops/writes.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0::detail {

/// Tells nodes that leave no trace but their results.
class PurityCheck {
 public:
  explicit PurityCheck(const OpSet& ops) : ops_(ops) {}

  bool is_pure(const Node& node, std::size_t depth = 0) {
    const std::string_view target = node.target;
    if (target.starts_with("higher_order::")) return is_pure_control(node, depth);
    if (is_arithmetic(target)) return true;
    if (target.starts_with("delegate::")) return false;  // only its host knows
    const auto known = by_target_.find(node.target);
    const bool pure = known != by_target_.end()
                          ? known->second
                          : by_target_.emplace(node.target, is_pure_operator(target)).first->second;
    return pure && !writes_unmarked(node);
  }

 private:
  static bool is_arithmetic(std::string_view target) noexcept {
    for (const std::string_view space : {"operator::", "math::", "builtins::", "torch::"})
      if (target.starts_with(space)) return true;
    for (const std::string_view query :
         {"aten::sym_size.int", "aten::sym_stride.int", "aten::sym_storage_offset",
          "aten::sym_numel", "aten::item", "aten::_local_scalar_dense"})
      if (target == query) return true;
    return false;
  }

  bool is_pure_operator(std::string_view target) const {
    const OpDef* definition = ops_.find(target);
    if (!definition || definition->traits.effect || definition->traits.random) return false;
    const Schema schema = parse_schema(definition->schema);
    if (!schema.error.empty() || schema.result_count == 0) return false;
    return std::none_of(
        schema.arguments.begin(),
        schema.arguments.begin() + static_cast<std::ptrdiff_t>(schema.argument_count),
        [](const SchemaArgument& argument) { return argument.writes; });
  }

  /// Writes that the schema does not mark depend on the call.
  bool writes_unmarked(const Node& node) const {
    const OpDef* definition = ops_.find(node.target);
    if (!definition || definition->traits.unmarked_writes.arguments == 0) return false;
    const Schema schema = parse_schema(definition->schema);
    for (std::size_t i = 0; i < schema.argument_count; ++i)
      if (writes_argument(*definition, schema, i, [&](std::size_t place) {
            return node.find(schema.arguments[place].name);
          }))
        return true;
    return false;
  }

  bool is_pure_control(const Node& node, std::size_t depth) {
    constexpr std::string_view known[] = {"higher_order::cond", "higher_order::scan",
                                          "higher_order::map_impl",
                                          "higher_order::associative_scan"};
    // A loop might not end, which is a trace of its own.
    if (std::find(std::begin(known), std::end(known), node.target) == std::end(known) ||
        depth > max_graph_depth)
      return false;
    bool pure = true;
    const Status walked = for_each_subgraph(node, [&](const GraphBody& body) {
      for (const NodeId id : body.nodes()) pure = pure && is_pure(body.node(id), depth + 1);
      return Status();
    });
    return pure && walked;
  }

  const OpSet& ops_;
  std::unordered_map<std::string, bool> by_target_;
};

}  // namespace treadle::inline v0::detail
