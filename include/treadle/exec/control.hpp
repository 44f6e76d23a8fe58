// Runs the subgraphs of higher-order operators.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/analysis/control_operands.hpp>
#include <treadle/analysis/evaluate_type.hpp>
#include <treadle/analysis/numbers.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/function_ref.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/dynamic.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/plan_builder.hpp>
#include <treadle/exec/transfer.hpp>

namespace treadle::inline v0 {

/// One control node in one frame. Plans and frames of its subgraphs are made when operands of a new
/// shape come, and kept.
template <TensorBackend Backend>
class ControlRunner {
  using Tensor = typename Backend::Tensor;
  using Operand = CallArgument<Backend>;  ///< a tensor or a number
  using Operands = std::vector<Operand>;

 public:
  /// `parent` must outlive this.
  ControlRunner(Frame<Backend>& parent, NodeId node)
      : parent_(parent),
        node_(parent.plan().graph->graph->node(node)),
        site_(parent.plan().graph->site(node)),
        bodies_(parent.plan().graph->subgraphs.at(node.index)),
        operands_(control_operands(site_)),
        cached_(bodies_.size()) {}

  /// Runs the steps of a subgraph's frame.
  using RunBody = FunctionRef<Status(Frame<Backend>& body)>;

  Status run(RunContext<Backend>& context, RunBody run_body) {
    run_body_ = &run_body;
    switch (site_.control) {
      case ControlKind::cond: return run_cond(context);
      case ControlKind::while_loop: return run_while(context);
      case ControlKind::scan: return run_scan(context);
      case ControlKind::map: return run_scan(context);
      case ControlKind::associative_scan: return run_associative_scan(context);
    }
    return {};
  }

 private:
  static constexpr std::size_t cache_size = 8;

  // One by one: inserting ranges of variants costs three of their functions for each alternative.
  static void append(const Operands& more, Operands& operands) {
    for (const Operand& operand : more) operands.push_back(operand);
  }

  struct Cached {
    std::vector<InputFacts> inputs;
    std::unique_ptr<Frame<Backend>> frame;
  };

  // --- operands ----------------------------------------------------------------------------------
  Result<Operands> now(const std::vector<Argument>& arguments) {
    Operands out;
    for (const auto& argument : arguments) {
      TREADLE_TRY(auto operand,
                  detail::DynamicStep<Backend>::argument_now(parent_, argument, false));
      out.push_back(std::move(operand));
    }
    return out;
  }

  Status set_outputs(Operands results) {
    if (results.size() < node_.outputs.size())
      return Error(ErrorCode::invalid_graph, concat("the subgraph gives ", results.size(),
                                                    " results, expected ", node_.outputs.size()));
    for (std::size_t i = 0; i < node_.outputs.size(); ++i) {
      const ValueId v = node_.outputs[i];
      if (!v.valid()) continue;
      if (auto* tensor = std::get_if<Tensor>(&results[i])) {
        TREADLE_CHECK(set_tensor(v, std::move(*tensor)));
      } else if (const auto* constant = std::get_if<Constant>(&results[i])) {
        parent_.number(v) = to_number(*constant);
      }
    }
    return {};
  }
  /// Results known before the run have their place; the others are handed over.
  Status set_tensor(ValueId v, Tensor result) {
    if (!parent_.plan().known.facts(v).meta) {
      parent_.tensor(v) = std::move(result);
      return {};
    }
    return copy_tensor(parent_.backend(), result, parent_.tensor(v));
  }
  static std::optional<Number> to_number(const Constant& constant) {
    return detail::to_number(Argument(constant));
  }

  // --- one call of a subgraph --------------------------------------------------------------------
  /// What the body's plan may rely on; numbers that a loop carries change, so they stay unknown.
  std::vector<InputFacts> facts_of(const Operands& operands, std::size_t carried) {
    std::vector<InputFacts> facts(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (const auto* tensor = std::get_if<Tensor>(&operands[i])) {
        facts[i].meta = parent_.backend().meta(*tensor);
        facts[i].meta->storage_offset = 0;
      } else if (const auto* constant = std::get_if<Constant>(&operands[i]);
                 constant && i >= carried) {
        facts[i].number = to_number(*constant);
      }
    }
    return facts;
  }

  Result<Frame<Backend>*> frame_for(std::size_t which, const Operands& operands,
                                    std::size_t carried) {
    const auto& body = bodies_[which];
    if (body.graph->inputs().size() != operands.size())
      return Error(ErrorCode::invalid_graph,
                   concat("a subgraph takes ", body.graph->inputs().size(), " inputs, found ",
                          operands.size(), " operands"));
    auto facts = facts_of(operands, carried);
    for (auto& cached : cached_[which])
      if (suit_one_plan(cached.inputs, facts)) return cached.frame.get();
    TREADLE_TRY(auto plan,
                make_plan<Backend>(parent_.plan().executable, body, facts, {}, false, nullptr));
    TREADLE_TRY(auto frame, Frame<Backend>::make(std::move(plan)));
    auto& all = cached_[which];
    if (all.size() == cache_size) all.erase(all.begin());
    all.push_back({std::move(facts), std::move(frame)});
    return all.back().frame.get();
  }

  Result<Operands> call(std::size_t which, const Operands& operands, std::size_t carried,
                        RunContext<Backend>& context) {
    TREADLE_TRY(auto* frame, frame_for(which, operands, carried));
    const GraphBody& graph = *bodies_[which].graph;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const ValueId v = graph.inputs()[i];
      if (!v.valid()) continue;
      if (const auto* tensor = std::get_if<Tensor>(&operands[i]))
        frame->tensor(v) = *tensor;
      else
        frame->number(v) = to_number(std::get<Constant>(operands[i]));
    }
    TREADLE_CHECK(frame->allocate_results(false));
    frame->bind_run_views();
    auto* outer = context.scratch();
    auto status = (*run_body_)(*frame);
    context.set_scratch(outer);
    Result<Operands> results =
        status ? collect(*frame, graph) : Result<Operands>(std::move(status).error());
    frame->release_run_tensors();
    return results;
  }

  /// Results that show an operand's storage are copied: a loop may write the operand again.
  Result<Operands> collect(Frame<Backend>& frame, const GraphBody& graph) {
    std::vector<bool> shows_input(graph.value_capacity(), false);
    const auto& known = frame.plan().known;
    for (const ValueId v : graph.inputs())
      if (v.valid()) shows_input[known.alias_class(v).index] = true;
    Operands results;
    for (const auto& output : graph.outputs()) {
      const auto* v = output.value();
      if (!v || !v->valid()) {
        results.emplace_back(output.constant() ? *output.constant() : Constant(None{}));
      } else if (const auto number = frame.number_of(*v)) {
        results.emplace_back(detail::to_constant(*number));
      } else if (shows_input[known.alias_class(*v).index]) {
        TREADLE_TRY(auto copy, clone_tensor(frame.backend(), frame.tensor(*v)));
        results.emplace_back(std::move(copy));
      } else {
        results.emplace_back(frame.tensor(*v));
      }
    }
    return results;
  }

  Result<bool> truth(const Operand& operand) {
    if (const auto* constant = std::get_if<Constant>(&operand)) {
      const auto number = to_number(*constant);
      return number && number->truthy();
    }
    TREADLE_TRY(const Number number,
                detail::read_number(parent_.backend(), std::get<Tensor>(operand)));
    return number.truthy();
  }

  // --- the operators -----------------------------------------------------------------------------
  Status run_cond(RunContext<Backend>& context) {
    if (site_.arguments.empty()) return Error(ErrorCode::invalid_graph, "cond has no predicate");
    TREADLE_TRY(const auto predicate, now({site_.arguments[0]}));
    TREADLE_TRY(const bool yes, truth(predicate[0]));
    TREADLE_TRY(const auto inputs, now(operands_.constant));
    TREADLE_TRY(auto results, call(yes ? 0 : 1, inputs, 0, context));
    return set_outputs(std::move(results));
  }

  Status run_while(RunContext<Backend>& context) {
    TREADLE_TRY(auto carried, now(operands_.carried));
    TREADLE_TRY(const auto constant, now(operands_.constant));
    const std::size_t count = carried.size();
    while (true) {
      Operands inputs = carried;
      append(constant, inputs);
      TREADLE_TRY(const auto go_on, call(0, inputs, count, context));
      if (go_on.size() != 1)
        return Error(ErrorCode::invalid_graph, "the condition of a loop gives one result");
      TREADLE_TRY(const bool yes, truth(go_on[0]));
      if (!yes) break;
      TREADLE_TRY(carried, call(1, inputs, count, context));
      if (carried.size() != count)
        return Error(ErrorCode::invalid_graph, concat("the body of a loop gives ", carried.size(),
                                                      " results, expected ", count));
    }
    return set_outputs(std::move(carried));
  }

  /// `operand`'s slice `i` of its first dimension.
  Result<Operand> slice(const Operand& operand, std::int64_t i) {
    if constexpr (ViewBackend<Backend>) {
      const auto* tensor = std::get_if<Tensor>(&operand);
      if (!tensor || parent_.backend().meta(*tensor).rank() == 0)
        return Error(ErrorCode::type_mismatch, "a scan goes over tensors with dimensions");
      TensorMeta meta = parent_.backend().meta(*tensor);
      meta.storage_offset += i * meta.strides[0];
      meta.sizes.erase(meta.sizes.begin());
      meta.strides.erase(meta.strides.begin());
      return Operand(parent_.backend().view(*tensor, meta));
    } else {
      return Error(ErrorCode::missing_kernel, "the backend has no views");
    }
  }
  Result<std::int64_t> length(const Operands& sliced) {
    std::int64_t n = -1;
    for (const auto& operand : sliced) {
      const auto* tensor = std::get_if<Tensor>(&operand);
      if (!tensor || parent_.backend().meta(*tensor).rank() == 0)
        return Error(ErrorCode::type_mismatch, "a scan goes over tensors with dimensions");
      const std::int64_t size = parent_.backend().meta(*tensor).sizes[0];
      if (n >= 0 && n != size)
        return Error(ErrorCode::type_mismatch,
                     concat("a scan goes over tensors of equal length, found ", n, " and ", size));
      n = size;
    }
    return std::max<std::int64_t>(n, 0);
  }

  /// Copies step results into row `i` of the stacked results, which are made in the first step.
  Status stack(std::span<const Operand> rows, std::int64_t i, std::int64_t count,
               Operands& stacked) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto* row = std::get_if<Tensor>(&rows[k]);
      if (!row) return Error(ErrorCode::type_mismatch, "a scan stacks tensors");
      if (stacked.size() == k) {
        TensorMeta meta = parent_.backend().meta(*row);
        meta.sizes.insert(meta.sizes.begin(), count);
        TREADLE_TRY(auto made,
                    parent_.backend().empty(make_meta(meta.dtype, meta.sizes, meta.device)));
        stacked.emplace_back(std::move(made));
      }
      TREADLE_TRY(auto target, slice(stacked[k], i));
      TREADLE_CHECK(copy_tensor(parent_.backend(), *row, std::get<Tensor>(target)));
    }
    return {};
  }

  /// What a scan over nothing gives: no rows of the types that are known before the run, or that
  /// the program states.
  Status stack_nothing(std::size_t first, Operands& stacked) {
    for (std::size_t i = first; i < node_.outputs.size(); ++i) {
      const ValueId v = node_.outputs[i];
      std::optional<TensorMeta> meta;
      if (v.valid()) meta = parent_.plan().known.facts(v).meta;
      if (const auto* graph = parent_.plan().graph->graph; v.valid() && !meta)
        if (const auto& type = graph->value(v).tensor; type && type->rank() > 0) {
          TensorType rows = *type;
          rows.sizes[0] = 0;
          rows.strides.clear();
          meta = evaluate_type(rows, {});
        }
      if (v.valid() && !meta)
        return Error(ErrorCode::type_mismatch, "a scan over no rows has unknown results");
      const Dims sizes = meta ? meta->sizes : Dims{0};
      TREADLE_TRY(auto made,
                  parent_.backend().empty(make_meta(meta ? meta->dtype : DType::float32, sizes)));
      stacked.emplace_back(std::move(made));
    }
    return {};
  }

  /// Appends row `i` of every sliced operand.
  Status append_rows(const Operands& sliced, std::int64_t i, Operands& inputs) {
    for (const auto& operand : sliced) {
      TREADLE_TRY(auto row, slice(operand, i));
      inputs.push_back(std::move(row));
    }
    return {};
  }

  /// A scan's first results are carried, the others are stacked; a map carries none.
  Status run_scan(RunContext<Backend>& context) {
    if (operands_.dimension != 0)
      return Error(ErrorCode::unsupported_file,
                   concat("a scan over dimension ", operands_.dimension));
    TREADLE_TRY(auto carry, now(operands_.carried));
    TREADLE_TRY(const auto sliced, now(operands_.sliced));
    TREADLE_TRY(const auto constant, now(operands_.constant));
    TREADLE_TRY(const std::int64_t count, length(sliced));
    const std::size_t carried = carry.size();
    Operands stacked;
    for (std::int64_t round = 0; round < count; ++round) {
      const std::int64_t i = operands_.reverse ? count - 1 - round : round;
      Operands inputs = std::move(carry);
      TREADLE_CHECK(append_rows(sliced, i, inputs));
      append(constant, inputs);
      TREADLE_TRY(auto results, call(0, inputs, carried, context));
      if (results.size() < carried)
        return Error(ErrorCode::invalid_graph, "the body of a scan gives too few results");
      TREADLE_CHECK(stack(std::span<const Operand>(results).subspan(carried), i, count, stacked));
      results.resize(carried);
      carry = std::move(results);
    }
    if (count == 0) TREADLE_CHECK(stack_nothing(carried, stacked));
    for (Operand& operand : stacked) carry.push_back(std::move(operand));
    return set_outputs(std::move(carry));
  }

  Status run_associative_scan(RunContext<Backend>& context) {
    TREADLE_TRY(const auto sliced, now(operands_.sliced));
    TREADLE_TRY(const auto constant, now(operands_.constant));
    TREADLE_TRY(const std::int64_t count, length(sliced));
    Operands stacked, sofar;
    for (std::int64_t round = 0; round < count; ++round) {
      const std::int64_t i = operands_.reverse ? count - 1 - round : round;
      Operands inputs = std::move(sofar);
      TREADLE_CHECK(append_rows(sliced, i, inputs));
      if (round == 0) {
        sofar = std::move(inputs);
      } else {
        append(constant, inputs);
        TREADLE_TRY(sofar, call(0, inputs, 0, context));
      }
      TREADLE_CHECK(stack(sofar, i, count, stacked));
    }
    if (count == 0) TREADLE_CHECK(stack_nothing(0, stacked));
    return set_outputs(std::move(stacked));
  }

  Frame<Backend>& parent_;
  const Node& node_;
  const CallSite& site_;
  const std::vector<BoundGraph>& bodies_;
  const ControlOperands operands_;
  std::vector<std::vector<Cached>> cached_;
  const RunBody* run_body_ = nullptr;  ///< in a run
};

}  // namespace treadle::inline v0
