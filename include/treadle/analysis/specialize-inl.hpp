// Definitions of specialisation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <numeric>
#include <string>
#include <utility>

#include <treadle/analysis/control_operands.hpp>
#include <treadle/analysis/control_results.hpp>
#include <treadle/analysis/numbers.hpp>
#include <treadle/analysis/source.hpp>
#include <treadle/analysis/specialize.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/ops/infer_call.hpp>
#include <treadle/ops/writes.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Facts of one graph, node by node.
class Specializer {
 public:
  Specializer(const BoundProgram& program, const BoundGraph& graph, const Bindings& symbols)
      : program_(program), bound_(graph), graph_(*graph.graph), symbols_(symbols) {
    out_.graph = &graph;
    out_.values.resize(graph_.value_capacity());
    out_.actions.assign(graph_.node_capacity(), Action::skip);
    out_.alias.resize(graph_.value_capacity());
    std::iota(out_.alias.begin(), out_.alias.end(), 0u);
    for (std::size_t i = 0; i < out_.values.size(); ++i) out_.values[i].root = ValueId(i);
  }

  Result<Specialization> run(const std::vector<InputFacts>& inputs) {
    out_.place_inputs(graph_.inputs(), inputs);
    mark_needed();
    for (const NodeId id : graph_.nodes()) {
      if (!needed_[id.index]) continue;
      TREADLE_CHECK(visit(id).with_context(describe(graph_.node(id))));
    }
    return std::move(out_);
  }

 private:
  ValueFacts& facts(ValueId id) { return out_.values[id.index]; }

  // --- which nodes matter ------------------------------------------------------------------------
  bool has_effect(NodeId id) const {
    const CallSite& site = bound_.site(id);
    if (site.kind != SiteKind::op)
      return site.kind == SiteKind::control || site.kind == SiteKind::method;
    const auto& op = program_.operators[site.op];
    if (op.definition->traits.effect || op.schema.result_count == 0) return true;
    for (std::size_t i = 0; i < op.schema.argument_count; ++i)
      if (writes(op, site, i)) return true;
    return false;
  }

  static bool writes(const OperatorInfo& op, const CallSite& site, std::size_t i) {
    return writes_argument(*op.definition, op.schema, i,
                           [&](std::size_t at) { return &site.arguments[at]; });
  }

  void mark_needed() {
    needed_.assign(graph_.node_capacity(), false);
    std::vector<bool> value_needed(graph_.value_capacity(), false);
    const auto need = [&](ValueId v) {
      if (v.valid()) value_needed[v.index] = true;
    };
    for (const auto& output : graph_.outputs()) output.for_each_value(need);
    for (NodeId id = graph_.last(); id.valid(); id = graph_.node(id).previous) {
      const Node& node = graph_.node(id);
      bool wanted = has_effect(id);
      for (const ValueId v : node.outputs) wanted |= v.valid() && value_needed[v.index];
      needed_[id.index] = wanted;
      if (!wanted) continue;
      for (const auto& argument : node.arguments) argument.value.for_each_value(need);
    }
  }

  // --- nodes -------------------------------------------------------------------------------------
  Status visit(NodeId id) {
    const CallSite& site = bound_.site(id);
    switch (site.kind) {
      case SiteKind::op: return visit_op(id, site);
      case SiteKind::symbolic: return visit_symbolic(id, site);
      case SiteKind::size_query: return visit_size_query(id, site);
      case SiteKind::read_number: return visit_dynamic(id);
      case SiteKind::control: return visit_control(id, site);
      case SiteKind::method: return visit_method(id);
    }
    return {};
  }

  Status visit_dynamic(NodeId id) {
    out_.actions[id.index] = Action::dynamic;
    return {};
  }

  std::optional<Number> number_of(const Argument& argument) {
    if (const auto* v = argument.value()) return facts(*v).number;
    return to_number(argument);
  }

  Status visit_symbolic(NodeId id, const CallSite& site) {
    std::vector<Number> operands;
    for (const auto& argument : site.arguments) {
      const auto number = number_of(argument);
      if (!number) return visit_dynamic(id);
      operands.push_back(*number);
    }
    TREADLE_TRY(const Number result, site.symbolic(operands));
    facts(graph_.node(id).outputs[0]).number = result;
    return {};
  }

  Status visit_size_query(NodeId id, const CallSite& site) {
    const ValueId* tensor = site.arguments.empty() ? nullptr : site.arguments[0].value();
    if (!tensor || !facts(*tensor).meta) return visit_dynamic(id);
    const auto dim = site.arguments.size() > 1 ? number_of(site.arguments[1]) : Number(0);
    if (!dim) return visit_dynamic(id);
    TREADLE_TRY(const auto size, query_size(site.query, *facts(*tensor).meta, dim->integer));
    facts(graph_.node(id).outputs[0]).number = Number(size);
    return {};
  }

  // --- operators ---------------------------------------------------------------------------------
  /// Null type pointers stand for None.
  const TensorType* keep_type(TensorType type) {
    types_.push_back(std::move(type));
    return &types_.back();
  }

  std::optional<InferValue> infer_number(const SchemaArgument& schema, const Constant& constant) {
    if (schema.kind != SchemaKind::tensor) return InferValue{constant};
    if (std::holds_alternative<None>(constant)) return InferValue{TensorArgument{}};
    return InferValue{TensorArgument{keep_type(make_type(number_dtype(constant), {})), true}};
  }

  std::optional<InferValue> infer_value(const SchemaArgument& schema, const Argument& argument) {
    if (const auto* constant = argument.constant()) return infer_number(schema, *constant);
    if (const auto* id = argument.value()) {
      const ValueFacts& known = facts(*id);
      if (known.meta) return InferValue{TensorArgument{keep_type(to_type(*known.meta)), false}};
      if (known.number) return infer_number(schema, to_constant(*known.number));
      return std::nullopt;
    }
    if (const auto* items = argument.list()) {
      InferValue::List list;
      for (const auto& item : *items) {
        auto value = infer_value(schema, item);
        if (!value) return std::nullopt;
        list.push_back(*std::move(value));
      }
      return InferValue{std::move(list)};
    }
    return InferValue{Constant(None{})};
  }

  void collect_tensors(const Argument& argument, std::vector<ValueId>& tensors, bool list) {
    if (const auto* items = argument.list(); items && list) {
      for (const auto& item : *items) collect_tensors(item, tensors, false);
    } else {
      const auto* id = argument.value();
      tensors.push_back(id && !facts(*id).number ? *id : ValueId{});
    }
  }

  /// The values among all tensor arguments of the call, in `InferContext::tensor_position` order.
  std::vector<ValueId> call_tensors(const Schema& schema, const CallSite& site) {
    std::vector<ValueId> tensors;
    for (std::size_t i = 0; i < schema.argument_count; ++i)
      if (schema.arguments[i].kind == SchemaKind::tensor)
        collect_tensors(site.arguments[i], tensors, schema.arguments[i].list);
    return tensors;
  }

  void note_writes(NodeId id, const OperatorInfo& op, const CallSite& site) {
    for (std::size_t i = 0; i < op.schema.argument_count; ++i)
      if (writes(op, site, i))
        site.arguments[i].for_each_value([&](ValueId v) { out_.writes[id.index].push_back(v); });
  }

  void unite(ValueId a, ValueId b) { out_.unite(a, b); }

  Status visit_op(NodeId id, const CallSite& site) {
    const Node& node = graph_.node(id);
    const auto& op = program_.operators[site.op];
    note_writes(id, op, site);
    std::vector<InferValue> arguments;
    for (std::size_t i = 0; i < op.schema.argument_count; ++i) {
      auto value = infer_value(op.schema.arguments[i], site.arguments[i]);
      if (!value) return visit_dynamic_op(id, op, site);
      arguments.push_back(*std::move(value));
    }
    TREADLE_CHECK(check_arguments(op.schema, arguments));
    if (op.functional) TREADLE_CHECK(check_in_place(*op.functional, op.schema, arguments));
    std::vector<TensorType> declared;
    if (!op.definition->infer && !declare(node, declared)) return visit_dynamic_op(id, op, site);
    TREADLE_TRY(const auto call, infer_call(*op.definition, op.schema, arguments, declared));
    if (call.results.size() != node.outputs.size() && !node.outputs.empty())
      return Error(ErrorCode::type_mismatch,
                   concat("the operator gives ", call.results.size(),
                          " results, the program expects ", node.outputs.size()));
    for (const auto& result : call.results)
      if (!to_meta(result.type)) return visit_dynamic_op(id, op, site);
    const auto tensors = call_tensors(op.schema, site);
    // What views a number needs memory that holds it, which calls in a run make.
    for (const auto& result : call.results)
      if (result.view_of >= 0 && !tensors[static_cast<std::size_t>(result.view_of)].valid())
        return visit_dynamic_op(id, op, site);
    TREADLE_CHECK(record(op, node, call, tensors));
    const bool runs = call.needs_kernel && !(call.results.empty() && !has_effect(id));
    out_.random |= runs && draws(op, site);
    out_.actions[id.index] = runs ? Action::kernel : Action::view;
    return {};
  }

  Status record(const OperatorInfo& op, const Node& node, const InferredCall& call,
                const std::vector<ValueId>& tensors) {
    bool marked = op.definition->traits.may_alias;
    for (std::size_t i = 0; i < op.schema.result_count; ++i)
      marked |= op.schema.results[i].alias_set != 0;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId out = node.outputs[i];
      if (!out.valid()) continue;
      facts(out).meta = to_meta(call.results[i].type);
      const auto reach = storage_bytes(*facts(out).meta);
      if (!reach)
        return Error(ErrorCode::type_mismatch,
                     concat("no tensor can have sizes ", facts(out).meta->sizes, " and strides ",
                            facts(out).meta->strides));
      const int position = call.results[i].view_of;
      facts(out).storage_bytes = *reach;
      if (position < 0) continue;
      if (!marked)
        return Error(ErrorCode::invalid_graph,
                     "the shape rule gives a view, the schema and the traits do not allow it");
      const ValueId base = tensors[static_cast<std::size_t>(position)];
      facts(out).root = facts(base).root;
      if (*reach > facts(facts(out).root).storage_bytes)
        return Error(ErrorCode::type_mismatch,
                     concat("a view of ", *reach, " bytes reaches outside its storage of ",
                            facts(facts(out).root).storage_bytes, " bytes"));
      unite(out, base);
    }
    return {};
  }

  bool declare(const Node& node, std::vector<TensorType>& declared) {
    for (const ValueId out : node.outputs) {
      if (!out.valid()) return false;
      const auto& type = graph_.value(out).tensor;
      const auto meta = type ? evaluate_type(*type, symbols_) : std::nullopt;
      if (!meta) return false;
      // New memory starts at offset 0 whatever the program's tensor did.
      declared.push_back(to_type(*meta));
      declared.back().storage_offset = 0;
    }
    return true;
  }

  /// Results may share storage with the arguments that the schema marks.
  Status visit_dynamic_op(NodeId id, const OperatorInfo& op, const CallSite& site) {
    const Node& node = graph_.node(id);
    out_.random |= draws(op, site);
    std::size_t output = 0;
    for (std::size_t r = 0; r < node.result_lengths.size(); ++r) {
      const auto& result = op.schema.results[std::min(r, Schema::max_results - 1)];
      const auto length = static_cast<std::size_t>(std::max(node.result_lengths[r], 1));
      for (std::size_t k = 0; k < length && output < node.outputs.size(); ++k, ++output)
        unite_marked(node.outputs[output], result, op, site);
    }
    return visit_dynamic(id);
  }

  void unite_marked(ValueId out, const SchemaArgument& result, const OperatorInfo& op,
                    const CallSite& site) {
    if (!out.valid()) return;
    for (std::size_t i = 0; i < op.schema.argument_count; ++i) {
      const auto& argument = op.schema.arguments[i];
      const bool marked = result.alias_set != 0 && argument.alias_set == result.alias_set;
      if (argument.kind != SchemaKind::tensor || !(marked || op.definition->traits.may_alias))
        continue;
      site.arguments[i].for_each_value([&](ValueId v) { unite(out, v); });
    }
  }

  /// Methods give what the program says, in new memory.
  Status visit_method(NodeId id) {
    out_.actions[id.index] = Action::method;
    for (const ValueId out : graph_.node(id).outputs) {
      if (!out.valid() || !graph_.value(out).tensor) continue;
      auto meta = evaluate_type(*graph_.value(out).tensor, symbols_);
      if (!meta) continue;
      meta->storage_offset = 0;
      const auto bytes = storage_bytes(*meta);
      if (!bytes) return Error(ErrorCode::type_mismatch, "no tensor can have its result's type");
      facts(out).storage_bytes = *bytes;
      facts(out).meta = std::move(meta);
    }
    return {};
  }

  // --- higher-order operators --------------------------------------------------------------------
  InputFacts operand_facts(const Argument& argument) {
    InputFacts known;
    if (const auto* id = argument.value()) {
      known.meta = facts(*id).meta;
      known.number = facts(*id).number;
    } else {
      known.number = to_number(argument);
    }
    return known;
  }

  /// Facts of a subgraph's inputs. What a loop carries is known only as far as it stays the same.
  std::vector<InputFacts> subgraph_inputs(const CallSite& site, const ControlOperands& operands) {
    std::vector<InputFacts> inputs;
    for (const auto& argument : operands.carried) {
      inputs.push_back(operand_facts(argument));
      inputs.back().number.reset();
    }
    const int copies = site.control == ControlKind::associative_scan ? 2 : 1;
    for (int i = 0; i < copies; ++i)
      for (const auto& argument : operands.sliced)
        inputs.push_back(row_facts(operand_facts(argument)));
    for (const auto& argument : operands.constant) inputs.push_back(operand_facts(argument));
    return inputs;
  }

  Status visit_control(NodeId id, const CallSite& site) {
    out_.actions[id.index] = Action::control;
    const ControlOperands operands = control_operands(site);
    const auto inputs = subgraph_inputs(site, operands);
    const auto& bodies = bound_.subgraphs.at(id.index);
    auto& specialized = out_.subgraphs[id.index];
    for (const auto& body : bodies) {
      if (body.graph->inputs().size() != inputs.size())
        return Error(ErrorCode::invalid_graph,
                     concat("a subgraph takes ", body.graph->inputs().size(), " inputs, found ",
                            inputs.size(), " operands"));
      TREADLE_TRY(auto inner, Specializer(program_, body, symbols_).run(inputs));
      out_.random |= inner.random;
      specialized.push_back(std::move(inner));
    }
    note_subgraph_writes(id, site, specialized);
    ControlRounds rounds{operands.carried.size(), std::nullopt};
    if (!operands.sliced.empty() && operands.dimension == 0)
      if (const auto rows = operand_facts(operands.sliced[0]).meta; rows && rows->rank() > 0)
        rounds.count = rows->sizes[0];
    record_results(id, control_results(site.control, specialized, inputs, rounds,
                                       graph_.node(id).outputs.size()));
    return {};
  }

  void record_results(NodeId id, const ControlResults& results) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ValueId out = graph_.node(id).outputs[i];
      const auto bytes = results[i] ? storage_bytes(*results[i]) : std::nullopt;
      if (!out.valid() || !bytes) continue;
      facts(out).meta = results[i];
      facts(out).storage_bytes = *bytes;
    }
  }

  /// Operands that a subgraph writes are written by the node.
  void note_subgraph_writes(NodeId id, const CallSite& site,
                            const std::vector<Specialization>& specialized) {
    bool any = false;
    for (const auto& inner : specialized) any |= !inner.writes.empty();
    if (!any) return;
    for (const auto& argument : site.arguments)
      argument.for_each_value([&](ValueId v) { out_.writes[id.index].push_back(v); });
  }

  const BoundProgram& program_;
  const BoundGraph& bound_;
  const GraphBody& graph_;
  const Bindings& symbols_;
  std::deque<TensorType> types_;
  std::vector<bool> needed_;
  Specialization out_;
};

}  // namespace detail

TREADLE_INLINE Result<Specialization> specialize(const BoundProgram& program,
                                                 const BoundGraph& graph,
                                                 const std::vector<InputFacts>& inputs,
                                                 const Bindings& symbols) {
  return detail::Specializer(program, graph, symbols).run(inputs);
}

}  // namespace treadle::inline v0
