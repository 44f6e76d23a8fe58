// Definitions of call site binding.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include <treadle/analysis/call_site.hpp>
#include <treadle/analysis/class_name.hpp>
#include <treadle/analysis/delegate_call.hpp>
#include <treadle/analysis/source.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/ops/normalize.hpp>

namespace treadle::inline v0 {
namespace detail {

using SymbolicFunction = Result<Number> (*)(std::span<const Number>);

struct SymbolicTarget {
  std::string_view target;
  SymbolicFunction function;
};

template <ExprKind Kind>
Result<Number> apply(std::span<const Number> operands) {
  return compute(Kind, operands);
}

inline Result<Number> subtract(std::span<const Number> operands) {
  if (operands.size() != 2)
    return Error(ErrorCode::invalid_graph,
                 concat("a difference has 2 operands, found ", operands.size()));
  const Number negated[] = {operands[1], Number(-1)};
  TREADLE_TRY(const Number right, compute(ExprKind::mul, negated));
  const Number terms[] = {operands[0], right};
  return compute(ExprKind::add, terms);
}

inline Result<Number> negate(std::span<const Number> operands) {
  if (operands.size() != 1)
    return Error(ErrorCode::invalid_graph,
                 concat("a negation has 1 operand, found ", operands.size()));
  const Number factors[] = {operands[0], Number(-1)};
  return compute(ExprKind::mul, factors);
}

inline Result<Number> keep(std::span<const Number> operands) {
  if (operands.size() != 1)
    return Error(ErrorCode::invalid_graph, concat("expected 1 operand, found ", operands.size()));
  return operands[0];
}

inline Result<Number> choose(std::span<const Number> operands) {
  if (operands.size() != 3)
    return Error(ErrorCode::invalid_graph,
                 concat("a choice has 3 operands, found ", operands.size()));
  return operands[0].truthy() ? operands[1] : operands[2];
}

inline constexpr SymbolicTarget symbolic_targets[] = {
    {"operator::add", apply<ExprKind::add>},
    {"operator::sub", subtract},
    {"operator::mul", apply<ExprKind::mul>},
    {"operator::floordiv", apply<ExprKind::floor_div>},
    {"operator::mod", apply<ExprKind::mod>},
    {"operator::pow", apply<ExprKind::pow>},
    {"operator::truediv", apply<ExprKind::true_div>},
    {"operator::neg", negate},
    {"operator::pos", keep},
    {"operator::eq", apply<ExprKind::eq>},
    {"operator::ne", apply<ExprKind::ne>},
    {"operator::lt", apply<ExprKind::lt>},
    {"operator::le", apply<ExprKind::le>},
    {"operator::gt", apply<ExprKind::gt>},
    {"operator::ge", apply<ExprKind::ge>},
    {"operator::and_", apply<ExprKind::bit_and>},
    {"operator::or_", apply<ExprKind::bit_or>},
    {"operator::lshift", apply<ExprKind::lshift>},
    {"operator::rshift", apply<ExprKind::rshift>},
    {"math::trunc", apply<ExprKind::trunc>},
    {"math::ceil", apply<ExprKind::ceil>},
    {"math::floor", apply<ExprKind::floor>},
    {"builtins::round", apply<ExprKind::round>},
    {"builtins::abs", apply<ExprKind::abs>},
    {"torch::sym_int", apply<ExprKind::trunc>},
    {"torch::sym_float", apply<ExprKind::to_float>},
    {"torch::sym_ite", choose},
    {"torch::sym_max", apply<ExprKind::max>},
    {"torch::sym_min", apply<ExprKind::min>},
    {"torch::sym_not", apply<ExprKind::logical_not>},
    {"torch::sym_and", apply<ExprKind::logical_and>},
    {"torch::sym_or", apply<ExprKind::logical_or>},
    {"torch::_sym_sqrt", apply<ExprKind::sqrt>},
};

inline std::optional<SizeQuery> size_query(std::string_view target) {
  if (target == "aten::sym_size.int") return SizeQuery::size;
  if (target == "aten::sym_stride.int") return SizeQuery::stride;
  if (target == "aten::sym_storage_offset") return SizeQuery::storage_offset;
  if (target == "aten::sym_numel") return SizeQuery::count;
  return std::nullopt;
}

inline std::optional<ControlKind> control_kind(std::string_view target) {
  if (target == "higher_order::cond") return ControlKind::cond;
  if (target == "higher_order::while_loop") return ControlKind::while_loop;
  if (target == "higher_order::scan") return ControlKind::scan;
  if (target == "higher_order::map_impl") return ControlKind::map;
  if (target == "higher_order::associative_scan") return ControlKind::associative_scan;
  return std::nullopt;
}

/// Binds one program; `operators` grows as targets are met.
class CallBinder {
 public:
  CallBinder(const OpSet& ops, std::vector<Error>& problems) : ops_(ops), problems_(problems) {}

  BoundGraph bind(const GraphBody& graph) {
    BoundGraph bound;
    bound.graph = &graph;
    bound.id = GraphId(graphs_++);
    bound.sites.resize(graph.node_capacity());
    for (const NodeId id : graph.nodes()) {
      auto site = bind_node(graph, graph.node(id), bound.subgraphs[id.index]);
      if (site)
        bound.sites[id.index] = *std::move(site);
      else
        problems_.push_back(std::move(site).with_context(describe(graph.node(id))).error());
      if (bound.subgraphs[id.index].empty()) bound.subgraphs.erase(id.index);
    }
    return bound;
  }

  std::vector<OperatorInfo> take_operators() { return std::move(operators_); }
  std::vector<MethodInfo> take_methods() { return std::move(methods_); }

 private:
  static CallSite plain_site(const Node& node, SiteKind kind) {
    CallSite site;
    site.kind = kind;
    for (const auto& argument : node.arguments) site.arguments.push_back(argument.value);
    return site;
  }

  Result<CallSite> bind_node(const GraphBody& graph, const Node& node,
                             std::vector<BoundGraph>& subgraphs) {
    for (const auto& [target, function] : symbolic_targets)
      if (target == node.target) {
        CallSite site = plain_site(node, SiteKind::symbolic);
        site.symbolic = function;
        return site;
      }
    if (const auto query = size_query(node.target)) {
      CallSite site = plain_site(node, SiteKind::size_query);
      site.query = *query;
      return site;
    }
    if (node.target == "aten::item" || node.target == "aten::_local_scalar_dense")
      return plain_site(node, SiteKind::read_number);
    if (const auto control = control_kind(node.target))
      return bind_control(node, *control, subgraphs);
    if (node.target == "higher_order::call_torchbind" || takes_object(graph, node))
      return bind_method(graph, node);
    if (is_delegate_target(node.target)) return no_delegate(node);
    return bind_op(node);
  }

  static bool takes_object(const GraphBody& graph, const Node& node) {
    return !node.arguments.empty() && is_object(graph, node.arguments[0].value);
  }
  static bool is_object(const GraphBody& graph, const Argument& argument) {
    const auto* v = argument.value();
    return v && v->valid() && graph.value(*v).kind == ValueKind::custom_object;
  }

  /// `call_torchbind(object, method, arguments…)`, or an operator with an object in front.
  Result<CallSite> bind_method(const GraphBody& graph, const Node& node) {
    CallSite site = plain_site(node, SiteKind::method);
    if (!takes_object(graph, node))
      return Error(ErrorCode::invalid_graph, "expected a custom object as its first argument");
    MethodInfo method{"", node.target};
    if (node.target == "higher_order::call_torchbind") {
      const auto* name = site.arguments.size() > 1 ? site.arguments[1].get<std::string>() : nullptr;
      if (!name)
        return Error(ErrorCode::invalid_graph, "expected a method's name as its second argument");
      method = {class_name(graph.value(*site.arguments[0].value()).class_name), *name};
      site.arguments.erase(site.arguments.begin() + 1);
    }
    const auto found = std::find(methods_.begin(), methods_.end(), method);
    site.op = static_cast<std::uint32_t>(found - methods_.begin());
    if (found == methods_.end()) methods_.push_back(std::move(method));
    return site;
  }

  static Error no_delegate(const Node& node) {
    const auto call = read_delegate_call(node);
    return {ErrorCode::missing_kernel,
            concat("it runs a lowered part", call && !call->name.empty() ? " '" : "",
                   call ? call->name : "", call && !call->name.empty() ? "'" : "",
                   ", for which the host has no delegate; add one to ModelOptions::delegates")};
  }

  Result<CallSite> bind_control(const Node& node, ControlKind kind,
                                std::vector<BoundGraph>& subgraphs) {
    CallSite site = plain_site(node, SiteKind::control);
    site.control = kind;
    for (const auto& argument : node.arguments)
      if (const auto* sub = argument.value.subgraph()) subgraphs.push_back(bind(*sub->body));
    const std::size_t wanted = kind == ControlKind::cond || kind == ControlKind::while_loop ? 2 : 1;
    if (subgraphs.size() != wanted)
      return Error(ErrorCode::invalid_graph,
                   concat("expected ", wanted, " subgraphs, found ", subgraphs.size()));
    return site;
  }

  Result<CallSite> bind_op(const Node& node) {
    CallSite site;
    const auto known = by_target_.find(node.target);
    if (known != by_target_.end()) {
      site.op = known->second;
    } else {
      OperatorInfo info;
      info.target = node.target;
      info.definition = ops_.find(node.target);
      if (!info.definition)
        return Error(ErrorCode::unknown_operator,
                     "no such operator is known; register a kernel for it with its schema");
      info.schema = parse_schema(info.definition->schema);
      if (!info.schema.error.empty())
        return Error(ErrorCode::unknown_operator, std::string(info.schema.error));
      if (!info.definition->functional.empty())
        info.functional = ops_.find(info.definition->functional);
      site.op = static_cast<std::uint32_t>(operators_.size());
      by_target_.emplace(node.target, site.op);
      operators_.push_back(std::move(info));
    }
    TREADLE_TRY(site.arguments, normalize_arguments(operators_[site.op].schema, node.arguments));
    return site;
  }

  const OpSet& ops_;
  std::vector<Error>& problems_;
  std::vector<OperatorInfo> operators_;
  std::vector<MethodInfo> methods_;
  std::size_t graphs_ = 0;
  std::unordered_map<std::string, std::uint32_t> by_target_;
};

inline void collect_graphs(const BoundGraph& graph, std::vector<const BoundGraph*>& all) {
  if (all.size() <= graph.id.index) all.resize(graph.id.index + 1, nullptr);
  all[graph.id.index] = &graph;
  for (const auto& [node, bodies] : graph.subgraphs)
    for (const auto& body : bodies) collect_graphs(body, all);
}

}  // namespace detail

TREADLE_INLINE std::vector<const BoundGraph*> graphs_of(const BoundProgram& program) {
  std::vector<const BoundGraph*> all;
  detail::collect_graphs(program.root, all);
  return all;
}

TREADLE_INLINE BoundProgram bind_calls(const GraphBody& graph, const OpSet& ops,
                                       std::vector<Error>& problems) {
  detail::CallBinder binder(ops, problems);
  BoundProgram program;
  program.root = binder.bind(graph);
  program.operators = binder.take_operators();
  program.methods = binder.take_methods();
  return program;
}

}  // namespace treadle::inline v0
