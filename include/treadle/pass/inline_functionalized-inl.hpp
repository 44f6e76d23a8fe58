// Definitions of the inlining of functional wrappers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/ops/schema.hpp>
#include <treadle/pass/inline_functionalized.hpp>
#include <treadle/pass/rewrite.hpp>
#include <treadle/pass/written_views.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Rewrites one functional wrapper.
class FunctionalizedCall {
 public:
  FunctionalizedCall(GraphBody& graph, NodeId id, const OpSet& ops)
      : graph_(graph), id_(id), writer_(graph, id), ops_(ops), node_(graph.node(id)) {}

  Status run_v1() {
    TREADLE_CHECK(read_operator(0));
    std::vector<NamedArgument> arguments;
    for (std::size_t i = 0; i < schema_.argument_count; ++i) {
      const auto& wanted = schema_.arguments[i];
      const Argument* given = node_.find(wanted.name);
      if (!given) continue;
      Argument value = *given;
      if (wanted.writes) TREADLE_CHECK(copy_written(value));
      arguments.push_back({std::string(wanted.name), std::move(value), wanted.keyword_only});
    }
    return finish(std::move(arguments));
  }

  Status run_v2() {
    TREADLE_CHECK(read_operator(0));
    TREADLE_CHECK(copy_bases());
    std::vector<NamedArgument> arguments;
    for (std::size_t i = 0; i < schema_.argument_count; ++i) {
      const auto& wanted = schema_.arguments[i];
      const std::string prefix = concat('_', wanted.name);
      Argument value;
      if (node_.find(concat(prefix, "_length"))) {
        TREADLE_TRY(value, view_list(prefix));
      } else if (node_.find(concat(prefix, "_base_index"))) {
        TREADLE_TRY(value, view(prefix));
      } else if (const Argument* given = node_.find(wanted.name)) {
        value = *given;
      } else {
        continue;
      }
      arguments.push_back({std::string(wanted.name), std::move(value), wanted.keyword_only});
    }
    return finish(std::move(arguments));
  }

  /// `(token, operator, arguments…)`: the token goes through.
  Status run_effect() {
    if (calls_object()) {
      target_ = node_.arguments[1].value.get<OperatorName>()->target;
    } else {
      TREADLE_CHECK(read_operator(1));
    }
    if (node_.outputs.empty()) return node_error(node_, "expected a token among its results");
    std::vector<NamedArgument> arguments(node_.arguments.begin() + 2, node_.arguments.end());
    if (node_.outputs[0].valid()) replace_value(graph_, node_.outputs[0], node_.arguments[0].value);
    return replace(std::move(arguments), 1, node_.outputs.size());
  }

 private:
  /// Methods of custom objects, and operators that take one in front, need no schema.
  bool has_schema() const noexcept { return !schema_.name.empty(); }
  bool calls_object() const {
    if (node_.arguments.size() < 3 || !node_.arguments[1].value.get<OperatorName>()) return false;
    const auto* object = node_.arguments[2].value.value();
    return object && object->valid() && graph_.value(*object).kind == ValueKind::custom_object;
  }

  Status read_operator(std::size_t position) {
    const auto* name = position < node_.arguments.size()
                           ? node_.arguments[position].value.get<OperatorName>()
                           : nullptr;
    if (!name) return node_error(node_, "expected an operator as argument ", position);
    target_ = name->target;
    const OpDef* definition = ops_.find(target_);
    if (!definition)
      return Error(ErrorCode::unknown_operator,
                   concat(describe(node_), ": the operator '", target_,
                          "' is not known; register a kernel for it with its schema"));
    schema_ = parse_schema(definition->schema);
    if (!schema_.error.empty()) return node_error(node_, schema_.error);
    return {};
  }

  // --- what is written ---------------------------------------------------------------------------
  /// Replaces the tensors of a written argument by copies, which become results.
  Status copy_written(Argument& argument) {
    Status status;
    argument.for_each_value([&](ValueId& id) {
      if (!status || !id.valid()) return;
      auto copy = copy_base(writer_, node_, id, false);
      if (!copy) {
        status = std::move(copy).error();
        return;
      }
      id = *copy;
      written_.push_back(id);
    });
    return status;
  }

  Status copy_bases() {
    const Argument* bases = node_.find("_all_bases");
    if (!bases) return node_error(node_, "argument '_all_bases' is missing");
    if (const auto* none = bases->list(); none == nullptr) {
      if (bases->constant()) return {};
      return node_error(node_, "argument '_all_bases' is no list of tensors");
    }
    std::vector<bool> addressed(bases->list()->size(), false);
    for (const auto& argument : node_.arguments) {
      if (!argument.name.ends_with("_storage_offset")) continue;
      const auto prefix = argument.name.substr(0, argument.name.size() - 15);
      const Argument* index = node_.find(concat(prefix, "_base_index"));
      const auto* at = index ? index->get<std::int64_t>() : nullptr;
      if (at && *at >= 0 && static_cast<std::size_t>(*at) < addressed.size())
        addressed[static_cast<std::size_t>(*at)] = true;
    }
    for (std::size_t i = 0; i < addressed.size(); ++i) {
      const auto* base = (*bases->list())[i].value();
      if (!base || !base->valid())
        return node_error(node_, "item ", i, " of '_all_bases' is no tensor");
      TREADLE_TRY(const ValueId copy, copy_base(writer_, node_, *base, addressed[i]));
      written_.push_back(copy);
    }
    return {};
  }

  Result<Argument> view_list(const std::string& prefix) {
    const Argument& length = *node_.find(concat(prefix, "_length"));
    if (length.is_none()) return Argument(Constant(None{}));
    const auto* count = length.get<std::int64_t>();
    // Each item has an argument of its own, so the node's arguments bound the length.
    if (!count || *count < 0 || static_cast<std::size_t>(*count) > node_.arguments.size())
      return node_error(node_, "argument '", prefix, "_length' is no length of a list");
    Argument::List items;
    for (std::int64_t i = 0; i < *count; ++i) {
      TREADLE_TRY(auto item, view(concat(prefix, '_', i)));
      items.push_back(std::move(item));
    }
    return Argument(std::move(items));
  }

  /// The written tensor that the arguments with this prefix describe.
  Result<Argument> view(const std::string& prefix) {
    const auto find = [&](std::string_view suffix) { return node_.find(concat(prefix, suffix)); };
    const Argument* index = find("_base_index");
    if (!index) return node_error(node_, "argument '", prefix, "_base_index' is missing");
    if (index->is_none()) return Argument(Constant(None{}));
    const auto* at = index->get<std::int64_t>();
    if (!at || *at < 0 || static_cast<std::size_t>(*at) >= written_.size())
      return node_error(node_, "argument '", prefix, "_base_index' names none of ", written_.size(),
                        " bases");
    const ValueId base = written_[static_cast<std::size_t>(*at)];
    const std::string wish = concat(graph_.value(base).name, "_view");
    if (const Argument* offset = find("_storage_offset")) {
      const Argument* size = find("_size");
      const Argument* stride = find("_stride");
      if (!size || !stride)
        return node_error(node_, "arguments '", prefix, "_size' and '", prefix,
                          "_stride' are missing");
      return Argument(writer_.add(
          "aten::as_strided",
          {{"self", base}, {"size", *size}, {"stride", *stride}, {"storage_offset", *offset}}, wish,
          std::nullopt));
    }
    const Argument* dim = find("_slice_dim");
    if (!dim) return Argument(base);
    const Argument* start = find("_slice_start");
    const Argument* end = find("_slice_end");
    if (!start || !end)
      return node_error(node_, "arguments '", prefix, "_slice_start' and '", prefix,
                        "_slice_end' are missing");
    return Argument(writer_.add("aten::slice.Tensor",
                                {{"self", base}, {"dim", *dim}, {"start", *start}, {"end", *end}},
                                wish, std::nullopt));
  }

  // --- results -----------------------------------------------------------------------------------
  /// The operator's own results come first, then the copies.
  Status finish(std::vector<NamedArgument> arguments) {
    const std::size_t count = node_.outputs.size();
    if (count < written_.size())
      return node_error(node_, "it writes ", written_.size(), " tensors, but has ", count,
                        " results");
    const std::size_t own = count - written_.size();
    for (std::size_t i = 0; i < written_.size(); ++i)
      if (node_.outputs[own + i].valid())
        replace_value(graph_, node_.outputs[own + i], written_[i]);
    return replace(std::move(arguments), 0, own);
  }

  /// Puts the operator in the wrapper's place, with the results from `first` to `last` of it.
  Status replace(std::vector<NamedArgument> arguments, std::size_t first, std::size_t last) {
    Node node;
    node.target = target_;
    node.metadata = node_.metadata;
    node.arguments = std::move(arguments);
    if (has_schema() && schema_.result_count == 0) last = first;
    std::vector<std::string> names;
    for (std::size_t i = first; i < last; ++i) {
      const ValueId old = node_.outputs[i];
      ValueId made;
      if (old.valid()) {
        GraphValue value = graph_.value(old);
        names.push_back(value.name);
        value.producer = {};
        value.users.clear();
        made = graph_.add_value(std::move(value));
        graph_.replace_all_uses(old, made);
      }
      node.outputs.push_back(made);
    }
    if (has_schema()) {
      TREADLE_CHECK(set_result_lengths(node, last - first));
    } else {
      node.result_lengths.resize(last - first, Node::single);
    }
    node.name = node_.name;
    const auto outputs = node.outputs;
    const NodeId next = graph_.node(id_).next;
    TREADLE_CHECK(graph_.remove_node(id_));
    graph_.add_node(std::move(node), next);
    std::size_t named = 0;
    for (const ValueId out : outputs)
      if (out.valid()) graph_.rename(out, names[named++]);
    return {};
  }

  /// Results as the schema forms them; a list takes what single results leave.
  Status set_result_lengths(Node& node, std::size_t count) {
    std::size_t singles = 0, lists = 0;
    for (std::size_t i = 0; i < schema_.result_count; ++i)
      (schema_.results[i].list ? lists : singles) += 1;
    if (count == 0) return {};
    if (count < singles || lists > 1 || (lists == 0 && count != singles))
      return node_error(node_, "'", target_, "' gives ", schema_.result_count,
                        " results, the node has ", count);
    for (std::size_t i = 0; i < schema_.result_count; ++i)
      node.result_lengths.push_back(
          schema_.results[i].list ? static_cast<std::int32_t>(count - singles) : Node::single);
    return {};
  }

  GraphBody& graph_;
  NodeId id_;
  NodeWriter writer_;
  const OpSet& ops_;
  const Node node_;  ///< a copy: the graph's nodes move while others are added
  std::string target_;
  Schema schema_;
  std::vector<ValueId> written_;
};

inline Status inline_functionalized(GraphBody& graph, const OpSet& ops, bool& changed) {
  NodeId next;
  for (NodeId id = graph.first(); id.valid(); id = next) {
    next = graph.node(id).next;
    const std::string_view target = graph.node(id).target;
    const bool v1 = target == "higher_order::auto_functionalized";
    const bool v2 = target == "higher_order::auto_functionalized_v2";
    if (!v1 && !v2 && target != "higher_order::with_effects") continue;
    FunctionalizedCall call(graph, id, ops);
    TREADLE_CHECK(v1 ? call.run_v1() : v2 ? call.run_v2() : call.run_effect());
    changed = true;
  }
  return {};
}

}  // namespace detail

TREADLE_INLINE Result<bool> inline_functionalized(GraphBody& graph, const OpSet& ops) {
  bool changed = false;
  TREADLE_CHECK(detail::for_each_graph(
      graph, [&](GraphBody& body) { return detail::inline_functionalized(body, ops, changed); }));
  return changed;
}

}  // namespace treadle::inline v0
