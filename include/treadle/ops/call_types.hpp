// Result types of a call whose arguments are values of a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/graph/graph_body.hpp>
#include <treadle/ops/infer_call.hpp>
#include <treadle/ops/normalize.hpp>
#include <treadle/ops/op_def.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0::detail {

/// Arguments of a call as what shape rules see; keeps the types of Python numbers.
class CallTypes {
 public:
  explicit CallTypes(const GraphBody& graph) : graph_(graph) {}

  /// False if the type of a tensor is not known.
  bool describe(const SchemaArgument& schema, const Argument& argument, InferValue& out) {
    if (const auto* constant = argument.constant())
      return describe_constant(schema, *constant, out);
    if (const auto* items = argument.list()) {
      InferValue::List list(items->size());
      for (std::size_t i = 0; i < items->size(); ++i)
        if (!describe(schema, (*items)[i], list[i])) return false;
      out = std::move(list);
      return true;
    }
    const auto* id = argument.value();
    if (!id || !id->valid()) return false;
    const GraphValue& value = graph_.value(*id);
    if (value.kind == ValueKind::tensor) {
      if (!value.tensor) return false;
      out = TensorArgument{&*value.tensor, false};
      return true;
    }
    if (!value.symbolic) return false;
    if (value.kind == ValueKind::sym_int)
      out = SymInt(value.symbolic);
    else
      out = SymNumber{value.symbolic};
    return true;
  }

 private:
  bool describe_constant(const SchemaArgument& schema, const Constant& constant, InferValue& out) {
    out = constant;
    if (schema.kind != SchemaKind::tensor) return true;
    if (std::holds_alternative<None>(constant)) {
      out = TensorArgument{};
      return true;
    }
    DType dtype = DType::complex128;
    if (std::holds_alternative<bool>(constant)) dtype = DType::bool_;
    if (std::holds_alternative<std::int64_t>(constant)) dtype = DType::int64;
    if (std::holds_alternative<double>(constant)) dtype = DType::float64;
    numbers_.push_back(make_type(dtype, {}));
    out = TensorArgument{&numbers_.back(), true};
    return true;
  }

  const GraphBody& graph_;
  std::deque<TensorType> numbers_;
};

/// Result types of a call; absent ones where the arguments do not tell.
inline Result<std::vector<std::optional<TensorType>>> call_types(
    const GraphBody& graph, const OpDef& definition, const Schema& schema,
    const std::vector<Argument>& arguments, std::size_t count) {
  CallTypes types(graph);
  std::vector<InferValue> values(arguments.size());
  std::vector<std::optional<TensorType>> out(count);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!types.describe(schema.arguments[i], arguments[i], values[i])) return out;
  TREADLE_CHECK(check_arguments(schema, values));
  TREADLE_TRY(auto call, infer_call(definition, schema, values, {}));
  if (!definition.infer && call.results.empty()) return out;
  out.clear();
  for (auto& result : call.results) out.emplace_back(std::move(result.type));
  return out;
}

}  // namespace treadle::inline v0::detail
