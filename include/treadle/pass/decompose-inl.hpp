// Definitions of decomposition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/ops/decomposition.hpp>
#include <treadle/ops/normalize.hpp>
#include <treadle/pass/decompose.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Decomposes the nodes of one graph.
class Decomposer {
 public:
  Decomposer(GraphBody& graph, const OpSet& ops, FunctionRef<bool(std::string_view)> has_kernel)
      : graph_(graph), ops_(ops), has_kernel_(has_kernel) {}

  Status run() {
    for (NodeId id = graph_.first(); id.valid();) {
      const NodeId before = graph_.node(id).previous;
      const OpDef* definition = find(graph_.node(id).target);
      if (!definition) {
        id = graph_.node(id).next;
        continue;
      }
      if (depth(id) >= most)
        return node_error(graph_.node(id), "its definition leads back to itself");
      TREADLE_CHECK(apply(id, *definition).with_context(describe(graph_.node(id))));
      changed_ = true;
      // What was made is looked at next.
      id = before.valid() ? graph_.node(before).next : graph_.first();
    }
    return {};
  }

  [[nodiscard]] bool changed() const noexcept { return changed_; }

 private:
  /// How often definitions may lead to operators that are defined themselves.
  static constexpr std::uint8_t most = 16;

  /// What replaces an operator; for in-place forms a definition that names the functional one.
  const OpDef* find(std::string_view target) const {
    if (target.starts_with("higher_order::") || has_kernel_(target)) return nullptr;
    if (const OpDef* composite = ops_.find_composite(target)) return composite;
    const OpDef* known = ops_.find(target);
    if (!known || known->functional.empty() || has_kernel_(known->functional)) return nullptr;
    return ops_.find_composite(known->functional) ? known : nullptr;
  }

  std::uint8_t depth(NodeId id) const {
    return id.index < depths_.size() ? depths_[id.index] : std::uint8_t{0};
  }

  Status apply(NodeId id, const OpDef& definition) {
    const Schema schema = parse_schema(definition.schema);
    if (!schema.error.empty()) return Error(ErrorCode::invalid_graph, std::string(schema.error));
    TREADLE_TRY(auto arguments, normalize_arguments(schema, graph_.node(id).arguments));
    const std::size_t first_new = graph_.node_capacity();
    Decomposition decomposition(graph_, id, ops_, schema, std::move(arguments));
    TREADLE_CHECK(definition.decompose
                      ? definition.decompose(decomposition)
                      : write_in_place(decomposition, definition.functional, schema));
    depths_.resize(graph_.node_capacity(), 0);
    for (std::size_t i = first_new; i < depths_.size(); ++i)
      depths_[i] = static_cast<std::uint8_t>(depths_[id.index] + 1);
    return replace(id, decomposition, first_new);
  }

  static Status write_in_place(Decomposition& d, std::string_view functional,
                               const Schema& schema) {
    auto arguments = d.make_list();
    for (std::size_t i = 0; i < schema.argument_count; ++i) arguments.push_back(d[i]);
    const Operand made = d.call(functional, arguments);
    return d.give(d.call("aten::copy_", {d[0], made}));
  }

  Status replace(NodeId id, const Decomposition& decomposition, std::size_t first_new) {
    const auto outputs = graph_.node(id).outputs;
    const Operands results = decomposition.results();
    if (outputs.size() != results.size() && !outputs.empty())
      return Error(ErrorCode::type_mismatch,
                   concat("the definition gives ", results.size(), " results, the program expects ",
                          outputs.size()));
    if (decomposition.replaces_self() && decomposition[0].value() && results[0].value())
      graph_.replace_uses_after(*decomposition[0].value(), *results[0].value(), id);
    std::vector<std::pair<ValueId, std::string>> names;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].valid()) continue;
      const auto* made = results[i].value();
      if (made && made->valid()) {
        GraphValue& value = graph_.value(*made);
        if (!value.tensor) value.tensor = graph_.value(outputs[i]).tensor;
        if (value.producer.valid() && value.producer.index >= first_new)
          names.emplace_back(*made, graph_.value(outputs[i]).name);
      }
      replace_value(graph_, outputs[i], results[i].argument());
    }
    TREADLE_CHECK(graph_.remove_node(id));
    for (const auto& [value, name] : names) keep_name(value, name);
    return {};
  }

  void keep_name(ValueId value, const std::string& name) {
    Node& producer = graph_.node(graph_.value(value).producer);
    const bool named_after = producer.name == graph_.value(value).name;
    graph_.rename(value, name);
    if (named_after) producer.name = graph_.value(value).name;
  }

  GraphBody& graph_;
  const OpSet& ops_;
  FunctionRef<bool(std::string_view)> has_kernel_;
  std::vector<std::uint8_t> depths_;
  bool changed_ = false;
};

}  // namespace detail

TREADLE_INLINE Result<bool> decompose(GraphBody& graph, const OpSet& ops,
                                      FunctionRef<bool(std::string_view target)> has_kernel) {
  bool changed = false;
  TREADLE_CHECK(detail::for_each_graph(graph, [&](GraphBody& body) {
    detail::Decomposer decomposer(body, ops, has_kernel);
    Status status = decomposer.run();
    changed |= decomposer.changed();
    return status;
  }));
  return changed;
}

}  // namespace treadle::inline v0
