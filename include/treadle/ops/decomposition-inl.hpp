// Definitions of what composite operators are written with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>

#include <treadle/ops/decomposition.hpp>
#include <treadle/ops/infer_call.hpp>
#include <treadle/ops/normalize.hpp>

namespace treadle::inline v0 {
namespace detail {

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
      out.data = std::move(list);
      return true;
    }
    const auto* id = argument.value();
    if (!id || !id->valid()) return false;
    const GraphValue& value = graph_.value(*id);
    if (value.kind == ValueKind::tensor) {
      if (!value.tensor) return false;
      out.data = TensorArgument{&*value.tensor, false};
      return true;
    }
    if (!value.symbolic) return false;
    if (value.kind == ValueKind::sym_int)
      out.data = SymInt(value.symbolic);
    else
      out.data = SymNumber{value.symbolic};
    return true;
  }

 private:
  bool describe_constant(const SchemaArgument& schema, const Constant& constant, InferValue& out) {
    out.data = constant;
    if (schema.kind != SchemaKind::tensor) return true;
    if (std::holds_alternative<None>(constant)) {
      out.data = TensorArgument{};
      return true;
    }
    DType dtype = DType::complex128;
    if (std::holds_alternative<bool>(constant)) dtype = DType::bool_;
    if (std::holds_alternative<std::int64_t>(constant)) dtype = DType::int64;
    if (std::holds_alternative<double>(constant)) dtype = DType::float64;
    numbers_.push_back(make_type(dtype, {}));
    out.data = TensorArgument{&numbers_.back(), true};
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

}  // namespace detail

// --- arguments -----------------------------------------------------------------------------------

TREADLE_INLINE std::int64_t Decomposition::integer_at(std::size_t i,
                                                      std::int64_t otherwise) const noexcept {
  if (const auto* n = arguments_[i].get<std::int64_t>()) return *n;
  if (const auto* b = arguments_[i].get<bool>()) return *b ? 1 : 0;
  return otherwise;
}

TREADLE_INLINE double Decomposition::real_at(std::size_t i, double otherwise) const noexcept {
  if (const auto* r = arguments_[i].get<double>()) return *r;
  if (const auto* n = arguments_[i].get<std::int64_t>()) return static_cast<double>(*n);
  return otherwise;
}

TREADLE_INLINE bool Decomposition::boolean_at(std::size_t i) const noexcept {
  return integer_at(i, 0) != 0;
}

TREADLE_INLINE std::string_view Decomposition::string_at(std::size_t i) const noexcept {
  const auto* text = arguments_[i].get<std::string>();
  return text ? std::string_view(*text) : std::string_view();
}

TREADLE_INLINE std::vector<std::int64_t> Decomposition::integers_at(std::size_t i) const {
  if (const auto* many = arguments_[i].get<std::vector<std::int64_t>>()) return *many;
  if (const auto* one = arguments_[i].get<std::int64_t>()) return {*one};
  return {};
}

TREADLE_INLINE std::vector<Argument> Decomposition::items_at(std::size_t i) const {
  if (const auto* items = arguments_[i].list()) return *items;
  return {arguments_[i]};
}

TREADLE_INLINE const TensorType* Decomposition::type(const Argument& tensor) const noexcept {
  const auto* id = tensor.value();
  if (!id || !id->valid() || !graph_.value(*id).tensor) return nullptr;
  return &*graph_.value(*id).tensor;
}

TREADLE_INLINE std::size_t Decomposition::rank(const Argument& tensor) {
  if (const auto* known = type(tensor)) return known->rank();
  if (tensor.constant() && !tensor.is_none()) return 0;
  if (!error_) (void)fail("the rank of an operand is not known");
  return 0;
}

TREADLE_INLINE DType Decomposition::dtype(const Argument& tensor) {
  if (const auto* known = type(tensor)) return known->dtype;
  if (!error_) (void)fail("the dtype of an operand is not known");
  return DType::float32;
}

TREADLE_INLINE std::size_t Decomposition::dimension(std::int64_t dim, std::size_t rank) {
  const auto bound = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
  if (dim < -bound || dim >= bound) {
    (void)fail("dimension ", dim, " is out of range [", -bound, ", ", bound - 1, "]");
    return 0;
  }
  return static_cast<std::size_t>(dim < 0 ? dim + bound : dim);
}

TREADLE_INLINE std::optional<std::size_t> Decomposition::result_length(
    std::size_t i) const noexcept {
  const auto& lengths = graph_.node(node_).result_lengths;
  if (i >= lengths.size() || lengths[i] < 0) return std::nullopt;
  return static_cast<std::size_t>(lengths[i]);
}

// --- making --------------------------------------------------------------------------------------

TREADLE_INLINE Argument Decomposition::call(std::string_view target,
                                            std::vector<Argument> arguments) {
  return call(target, std::move(arguments), {});
}

TREADLE_INLINE Argument Decomposition::call(std::string_view target,
                                            std::vector<Argument> arguments,
                                            std::vector<NamedArgument> named) {
  if (error_) return none();
  auto made = make_call(target, std::move(arguments), std::move(named), 1);
  if (made && !made->empty()) return std::move(made->front());
  set_error(made ? Error(ErrorCode::invalid_graph, concat("'", target, "' gives nothing"))
                 : std::move(made).error());
  return none();
}

TREADLE_INLINE std::vector<Argument> Decomposition::call_all(std::string_view target,
                                                             std::vector<Argument> arguments,
                                                             std::size_t list_length) {
  const std::size_t most = Schema::max_results + list_length;
  if (!error_) {
    auto made = make_call(target, std::move(arguments), {}, list_length);
    if (made) return *std::move(made);
    set_error(std::move(made).error());
  }
  // Definitions may go on indexing.
  return std::vector<Argument>(most, none());
}

TREADLE_INLINE Result<std::vector<Argument>> Decomposition::make_call(
    std::string_view target, std::vector<Argument> arguments, std::vector<NamedArgument> named,
    std::size_t list_length) {
  const OpDef* definition = ops_.find(target);
  if (!definition) return Error(ErrorCode::unknown_operator, concat("'", target, "' is not known"));
  const Schema schema = parse_schema(definition->schema);
  if (arguments.size() > schema.argument_count)
    return Error(ErrorCode::invalid_graph, concat("too many arguments for '", target, "'"));
  Node node;
  node.target = target;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    node.arguments.push_back({std::string(schema.arguments[i].name), std::move(arguments[i]),
                              schema.arguments[i].keyword_only});
  for (auto& argument : named) {
    argument.keyword = true;
    node.arguments.push_back(std::move(argument));
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < schema.result_count; ++i) {
    const bool list = schema.results[i].list;
    count += list ? list_length : 1;
    node.result_lengths.push_back(list ? static_cast<std::int32_t>(list_length) : Node::single);
  }
  TREADLE_TRY(const auto aligned, normalize_arguments(schema, node.arguments));
  TREADLE_TRY(auto types, detail::call_types(graph_, *definition, schema, aligned, count));
  if (types.size() != count)
    return Error(ErrorCode::type_mismatch,
                 concat("'", target, "' gives ", types.size(), " results, expected ", count));
  return add_call(std::move(node), std::move(types));
}

TREADLE_INLINE std::vector<Argument> Decomposition::add_call(
    Node node, std::vector<std::optional<TensorType>> types) {
  std::vector<Argument> results;
  const std::string_view target = node.target;
  const auto wish = target.substr(target.find("::") + 2);
  for (auto& type : types) {
    GraphValue value;
    value.name = wish.substr(0, wish.find('.'));
    value.tensor = std::move(type);
    node.outputs.push_back(graph_.add_value(std::move(value)));
    results.emplace_back(node.outputs.back());
  }
  add(std::move(node));
  return results;
}

TREADLE_INLINE void Decomposition::add(Node node) {
  if (!node.outputs.empty()) node.name = graph_.value(node.outputs[0]).name;
  node.metadata = graph_.node(node_).metadata;
  graph_.add_node(std::move(node), node_);
}

TREADLE_INLINE Argument Decomposition::size(const Argument& tensor, std::size_t dim) {
  const auto* known = type(tensor);
  if (known && dim < known->rank() && known->sizes[dim].known())
    return integer(*known->sizes[dim].value());
  if (error_ || !tensor.value()) return none();
  GraphValue value;
  value.name = "sym_size";
  value.kind = ValueKind::sym_int;
  if (known && dim < known->rank()) value.symbolic = known->sizes[dim].expr();
  Node node;
  node.target = "aten::sym_size.int";
  node.arguments = {{"self", tensor}, {"dim", integer(static_cast<std::int64_t>(dim))}};
  const ValueId out = graph_.add_value(std::move(value));
  node.outputs.push_back(out);
  node.result_lengths.push_back(Node::single);
  add(std::move(node));
  return out;
}

TREADLE_INLINE Argument Decomposition::number(const Argument& tensor, ValueKind kind) {
  if (error_ || !tensor.value()) return none();
  GraphValue value;
  value.name = "item";
  value.kind = kind;
  Node node;
  node.target = "aten::item";
  node.arguments = {{"self", tensor}};
  const ValueId out = graph_.add_value(std::move(value));
  node.outputs.push_back(out);
  node.result_lengths.push_back(Node::single);
  add(std::move(node));
  return out;
}

TREADLE_INLINE Argument Decomposition::multiply(const Argument& a, const Argument& b) {
  const auto* x = a.get<std::int64_t>();
  const auto* y = b.get<std::int64_t>();
  std::int64_t product = 0;
  if (x && y) {
    if (!__builtin_mul_overflow(*x, *y, &product)) return integer(product);
    set_error({ErrorCode::type_mismatch, "a size overflows 64 bits"});
  }
  if (error_) return none();
  if (x && *x == 1) return b;
  if (y && *y == 1) return a;
  const auto expression = [&](const Argument& argument) -> Expr {
    if (const auto* n = argument.get<std::int64_t>()) return make_integer(*n);
    return argument.value() ? graph_.value(*argument.value()).symbolic : Expr();
  };
  GraphValue value;
  value.name = "mul";
  value.kind = ValueKind::sym_int;
  if (const Expr left = expression(a), right = expression(b); left && right)
    value.symbolic = (SymInt(left) * SymInt(right)).expr();
  Node node;
  node.target = "operator::mul";
  node.arguments = {{"", a}, {"", b}};
  const ValueId out = graph_.add_value(std::move(value));
  node.outputs.push_back(out);
  node.result_lengths.push_back(Node::single);
  add(std::move(node));
  return out;
}

TREADLE_INLINE Argument Decomposition::size_list(const std::vector<Argument>& sizes) {
  std::vector<std::int64_t> known;
  for (const auto& size : sizes)
    if (const auto* n = size.get<std::int64_t>()) known.push_back(*n);
  if (known.size() == sizes.size()) return Constant(std::move(known));
  return Argument::List(sizes);
}

// --- results -------------------------------------------------------------------------------------

TREADLE_INLINE Status Decomposition::give_all(std::vector<Argument> results) {
  if (error_) return error_->clone();
  results_ = std::move(results);
  return {};
}

TREADLE_INLINE Status Decomposition::give_as_self(Argument result) {
  replaces_self_ = true;
  return give(std::move(result));
}

}  // namespace treadle::inline v0
