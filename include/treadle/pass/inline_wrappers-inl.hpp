// Definitions of wrapper inlining.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/pass/autocast.hpp>
#include <treadle/pass/inline_wrappers.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0 {
namespace detail {

enum class WrapperKind : std::uint8_t { none, plain, named, autocast };

[[nodiscard]] inline WrapperKind wrapper_kind(std::string_view target) noexcept {
  if (target == "higher_order::invoke_subgraph") return WrapperKind::named;
  if (target == "higher_order::wrap_with_autocast") return WrapperKind::autocast;
  for (const std::string_view plain :
       {"higher_order::wrap_with_set_grad_enabled", "higher_order::run_const_graph",
        "higher_order::hints_wrapper", "higher_order::strict_mode", "higher_order::wrap",
        "higher_order::wrap_activation_checkpoint", "higher_order::tag_activation_checkpoint"})
    if (target == plain) return WrapperKind::plain;
  return WrapperKind::none;
}

/// A wrapper's body and what it is called with.
struct WrapperCall {
  std::shared_ptr<GraphBody> body;
  std::vector<Argument> operands;
};

/// Inlines wrappers, innermost first, so that each operator meets the innermost region only.
class WrapperInliner {
 public:
  Status run(GraphBody& graph, const std::optional<Autocast>& region, std::size_t depth = 0) {
    if (depth > max_graph_depth)
      return Error(ErrorCode::limit_exceeded,
                   concat("graphs are nested deeper than ", max_graph_depth, " levels"));
    NodeId next;
    for (NodeId id = graph.first(); id.valid(); id = next) {
      next = graph.node(id).next;
      const WrapperKind kind = wrapper_kind(graph.node(id).target);
      if (kind != WrapperKind::none) {
        TREADLE_CHECK(dissolve(graph, id, kind, region, depth));
        continue;
      }
      TREADLE_CHECK(for_each_subgraph(
          graph.node(id), [&](GraphBody& body) { return run(body, region, depth + 1); }));
      if (region) apply_autocast(graph, id, *region);
    }
    return {};
  }

  [[nodiscard]] bool changed() const noexcept { return changed_; }

 private:
  static Result<WrapperCall> read_call(const Node& node, WrapperKind kind) {
    WrapperCall call;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      const Argument& argument = node.arguments[i].value;
      if (const auto* sub = argument.subgraph()) {
        if (call.body) return node_error(node, "expected one subgraph, found more");
        call.body = sub->body;
      } else if (call.body) {
        // Hints are for compilers.
        if (argument.dict() && node.target == "higher_order::hints_wrapper") continue;
        flatten_into(argument, call.operands);
      }
    }
    if (!call.body) return node_error(node, "expected a subgraph, found none");
    if (kind == WrapperKind::named && !call.operands.empty() &&
        (call.operands[0].get<std::string>() || call.operands[0].is_none()))
      call.operands.erase(call.operands.begin());
    if (call.operands.size() != call.body->inputs().size())
      return node_error(node, "its subgraph takes ", call.body->inputs().size(), " inputs, found ",
                        call.operands.size(), " operands");
    return call;
  }

  /// The region that an autocast node opens; none where autocast is off or does not reach.
  static Result<std::optional<Autocast>> read_region(const Node& node, const GraphBody& body) {
    const auto argument = [&](std::size_t i) -> const Argument& { return node.arguments[i].value; };
    if (node.arguments.size() < 3 || !argument(0).get<std::string>() || !argument(2).get<bool>())
      return node_error(node, "expected a device type, a dtype and whether autocast is on");
    if (!*argument(2).get<bool>()) return std::optional<Autocast>();
    const std::string& device = *argument(0).get<std::string>();
    if (device != "cpu") {
      for (const ValueId input : body.inputs())
        if (input.valid() && body.value(input).tensor &&
            name(body.value(input).tensor->device.type) == device)
          return Error(ErrorCode::unsupported_file,
                       concat(describe(node), ": autocast is known for the device type 'cpu', ",
                              "found '", device, "'"));
      return std::optional<Autocast>();
    }
    Autocast region;
    if (const auto* dtype = argument(1).get<DType>())
      region.dtype = *dtype;
    else if (!argument(1).is_none())
      return node_error(node, "expected a dtype as its second argument");
    return std::optional(region);
  }

  Status dissolve(GraphBody& graph, NodeId id, WrapperKind kind,
                  const std::optional<Autocast>& region, std::size_t depth) {
    TREADLE_TRY(const WrapperCall call, read_call(graph.node(id), kind));
    auto inner = region;
    if (kind == WrapperKind::autocast) {
      TREADLE_TRY(inner, read_region(graph.node(id), *call.body));
    }
    TREADLE_CHECK(run(*call.body, inner, depth + 1));
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < call.operands.size(); ++i) {
      const ValueId input = call.body->inputs()[i];
      const auto* value = call.operands[i].value();
      if (!value && input.valid()) replace_value(*call.body, input, call.operands[i]);
      inputs.push_back(value ? *value : ValueId{});
    }
    TREADLE_TRY(const auto results, graph.inline_graph(*call.body, inputs, id));
    changed_ = true;
    return replace_results(graph, id, results);
  }

  static Status replace_results(GraphBody& graph, NodeId id, const std::vector<Argument>& results) {
    std::vector<Argument> flat;
    for (const auto& result : results) flatten_into(result, flat);
    const auto outputs = graph.node(id).outputs;
    if (flat.size() != outputs.size() && !outputs.empty())
      return node_error(graph.node(id), "its subgraph gives ", flat.size(),
                        " results, the node has ", outputs.size());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      names.push_back(outputs[i].valid() ? graph.value(outputs[i]).name : std::string());
      if (outputs[i].valid()) replace_value(graph, outputs[i], flat[i]);
    }
    TREADLE_CHECK(graph.remove_node(id));
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (!names[i].empty()) keep_name(graph, flat[i], names[i]);
    return {};
  }

  /// What the body made is called as the wrapper's result was.
  static void keep_name(GraphBody& graph, const Argument& result, const std::string& name) {
    const auto* id = result.value();
    if (!id || !id->valid() || !graph.value(*id).producer.valid()) return;
    if (!graph.value(*id).name.starts_with(concat(name, '_'))) return;
    Node& producer = graph.node(graph.value(*id).producer);
    const bool named_after = producer.name == graph.value(*id).name;
    graph.rename(*id, name);
    if (named_after) producer.name = graph.value(*id).name;
  }

  bool changed_ = false;
};

}  // namespace detail

TREADLE_INLINE Result<bool> inline_wrappers(GraphBody& graph) {
  detail::WrapperInliner inliner;
  TREADLE_CHECK(inliner.run(graph, std::nullopt));
  return inliner.changed();
}

}  // namespace treadle::inline v0
