// Definitions of what composite operators are written with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/ops/call_types.hpp>
#include <treadle/ops/decomposition.hpp>
#include <treadle/ops/normalize.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE Decomposition::Decomposition(GraphBody& graph, NodeId node, const OpSet& ops,
                                            const Schema& schema, std::vector<Argument> arguments)
    : arguments_(std::move(arguments)), graph_(graph), node_(node), ops_(ops), schema_(schema) {}

TREADLE_INLINE Decomposition::~Decomposition() = default;

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

TREADLE_INLINE std::span<const std::int64_t> Decomposition::integers_at(
    std::size_t i) const noexcept {
  if (const auto* many = arguments_[i].get<std::vector<std::int64_t>>()) return *many;
  if (const auto* one = arguments_[i].get<std::int64_t>()) return {one, 1};
  return {};
}

TREADLE_INLINE Operands Decomposition::items_at(std::size_t i) {
  const auto* items = arguments_[i].list();
  if (!items) return make_list({(*this)[i]});
  OperandList list = make_list();
  for (const auto& item : *items) list.push_back(Operand(item));
  return list;
}

TREADLE_INLINE const TensorType* Decomposition::type(Operand tensor) const noexcept {
  const auto* id = tensor.value();
  if (!id || !id->valid() || !graph_.value(*id).tensor) return nullptr;
  return &*graph_.value(*id).tensor;
}

TREADLE_INLINE std::size_t Decomposition::rank(Operand tensor) {
  if (const auto* known = type(tensor)) return known->rank();
  if (tensor.constant() && !tensor.is_none()) return 0;
  if (!error_) (void)fail("the rank of an operand is not known");
  return 0;
}

TREADLE_INLINE DType Decomposition::dtype(Operand tensor) {
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

TREADLE_INLINE std::span<const std::int64_t> Decomposition::all_dimensions(std::size_t rank) {
  std::vector<std::int64_t> all(rank);
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return *integers(all).get<std::vector<std::int64_t>>();
}

TREADLE_INLINE std::optional<std::size_t> Decomposition::result_length(
    std::size_t i) const noexcept {
  const auto& lengths = graph_.node(node_).result_lengths;
  if (i >= lengths.size() || lengths[i] < 0) return std::nullopt;
  return static_cast<std::size_t>(lengths[i]);
}

// --- making --------------------------------------------------------------------------------------

TREADLE_INLINE Operand Decomposition::constant(Argument value) {
  return Operand(made_.emplace_front(std::move(value)));
}
TREADLE_INLINE Operand Decomposition::integer(std::int64_t value) {
  return constant(Constant(value));
}
TREADLE_INLINE Operand Decomposition::real(double value) { return constant(Constant(value)); }
TREADLE_INLINE Operand Decomposition::boolean(bool value) { return constant(Constant(value)); }
TREADLE_INLINE Operand Decomposition::string(std::string_view value) {
  return constant(Constant(std::string(value)));
}
TREADLE_INLINE Operand Decomposition::dtype_constant(DType value) {
  return constant(Constant(value));
}
TREADLE_INLINE Operand Decomposition::integers(std::span<const std::int64_t> values) {
  return constant(Constant(std::vector<std::int64_t>(values.begin(), values.end())));
}
TREADLE_INLINE Operand Decomposition::integers_of(std::int64_t value) {
  return integers({&value, 1});
}
TREADLE_INLINE Operand Decomposition::integers_of(std::int64_t first, std::int64_t second) {
  const std::int64_t values[] = {first, second};
  return integers(std::span(values));
}
TREADLE_INLINE Operand Decomposition::list(Operands items) {
  Argument::List list;
  for (const Operand item : items) list.push_back(item.argument());
  return constant(std::move(list));
}
TREADLE_INLINE Operand Decomposition::list(std::initializer_list<Operand> items) {
  return list(Operands(items));
}

TREADLE_INLINE OperandList Decomposition::make_list(Operands items) {
  return OperandList(lists_.emplace_front(items.begin(), items.end()));
}
TREADLE_INLINE OperandList Decomposition::make_list(std::initializer_list<Operand> items) {
  return make_list(Operands(items));
}

TREADLE_INLINE Operand Decomposition::call_with(std::string_view target, Operands arguments,
                                                std::span<const NamedOperand> named) {
  if (error_) return none();
  auto made = make_call(target, arguments, named, 1);
  if (made && !made->empty()) return (*made)[0];
  set_error(made ? Error(ErrorCode::invalid_graph, concat("'", target, "' gives nothing"))
                 : std::move(made).error());
  return none();
}

TREADLE_INLINE Operand Decomposition::call(std::string_view target, Operands arguments) {
  return call_with(target, arguments, {});
}
TREADLE_INLINE Operand Decomposition::call_of(const char* target, Operand a) {
  return call(target, Operands(&a, 1));
}
TREADLE_INLINE Operand Decomposition::call_of(const char* target, Operand a, Operand b) {
  const Operand arguments[] = {a, b};
  return call(target, Operands(arguments));
}
TREADLE_INLINE Operand Decomposition::call_of(const char* target, Operand a, Operand b, Operand c) {
  const Operand arguments[] = {a, b, c};
  return call(target, Operands(arguments));
}
TREADLE_INLINE Operand Decomposition::call_of(const char* target, Operand a, Operand b, Operand c,
                                              Operand e) {
  const Operand arguments[] = {a, b, c, e};
  return call(target, Operands(arguments));
}
TREADLE_INLINE Operand Decomposition::call(std::string_view target,
                                           std::initializer_list<Operand> arguments,
                                           std::initializer_list<NamedOperand> named) {
  return call_with(target, arguments, named);
}
TREADLE_INLINE Operand Decomposition::call(std::string_view target,
                                           std::initializer_list<Operand> arguments, DType dtype) {
  return call(target, arguments, {{"dtype", dtype_constant(dtype)}});
}

TREADLE_INLINE Operand Decomposition::as_dtype(Operand tensor, DType dtype) {
  return call("aten::to.dtype", {tensor, dtype_constant(dtype)});
}

TREADLE_INLINE Operands Decomposition::call_all(std::string_view target,
                                                std::initializer_list<Operand> arguments,
                                                std::size_t list_length) {
  const std::size_t most = Schema::max_results + list_length;
  if (!error_) {
    auto made = make_call(target, arguments, {}, list_length);
    if (made) return *made;
    set_error(std::move(made).error());
  }
  // Definitions may go on indexing.
  return lists_.emplace_front(most);
}

TREADLE_INLINE void Decomposition::add_argument(Node& node, std::string_view name, Operand value,
                                                bool keyword) {
  NamedArgument& argument = node.arguments.emplace_back();
  argument.name = name;
  argument.value = value.argument();
  argument.keyword = keyword;
}

TREADLE_INLINE Result<OperandList> Decomposition::make_call(std::string_view target,
                                                            Operands arguments,
                                                            std::span<const NamedOperand> named,
                                                            std::size_t list_length) {
  const OpDef* definition = ops_.find(target);
  if (!definition) return Error(ErrorCode::unknown_operator, concat("'", target, "' is not known"));
  const Schema schema = parse_schema(definition->schema);
  if (arguments.size() > schema.argument_count)
    return Error(ErrorCode::invalid_graph, concat("too many arguments for '", target, "'"));
  Node node;
  node.target = target;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    add_argument(node, schema.arguments[i].name, arguments[i], schema.arguments[i].keyword_only);
  for (const auto& [name, value] : named) add_argument(node, name, value, true);
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
  return add_call(node, types);
}

TREADLE_INLINE OperandList Decomposition::add_call(Node& node,
                                                   std::vector<std::optional<TensorType>>& types) {
  OperandList results = make_list();
  const std::string_view target = node.target;
  const auto wish = target.substr(target.find("::") + 2);
  for (auto& type : types) {
    GraphValue value;
    value.name = wish.substr(0, wish.find('.'));
    value.tensor = std::move(type);
    node.outputs.push_back(graph_.add_value(std::move(value)));
    results.push_back(constant(node.outputs.back()));
  }
  add(node);
  return results;
}

TREADLE_INLINE void Decomposition::add(Node& node) {
  if (!node.outputs.empty()) node.name = graph_.value(node.outputs[0]).name;
  node.metadata = graph_.node(node_).metadata;
  graph_.add_node(std::move(node), node_);
}

TREADLE_INLINE Operand Decomposition::add_number(std::string_view target,
                                                 std::initializer_list<NamedOperand> arguments,
                                                 GraphValue& value) {
  Node node;
  node.target = target;
  for (const auto& [name, operand] : arguments) add_argument(node, name, operand, false);
  const ValueId out = graph_.add_value(std::move(value));
  node.outputs.push_back(out);
  node.result_lengths.push_back(Node::single);
  add(node);
  return constant(out);
}

TREADLE_INLINE Operand Decomposition::size(Operand tensor, std::size_t dim) {
  const auto* known = type(tensor);
  if (known && dim < known->rank() && known->sizes[dim].known())
    return integer(*known->sizes[dim].value());
  if (error_ || !tensor.value()) return none();
  GraphValue value;
  value.name = "sym_size";
  value.kind = ValueKind::sym_int;
  if (known && dim < known->rank()) value.symbolic = known->sizes[dim].expr();
  return add_number("aten::sym_size.int",
                    {{"self", tensor}, {"dim", integer(static_cast<std::int64_t>(dim))}}, value);
}

TREADLE_INLINE Operand Decomposition::number(Operand tensor, ValueKind kind) {
  if (error_ || !tensor.value()) return none();
  GraphValue value;
  value.name = "item";
  value.kind = kind;
  return add_number("aten::item", {{"self", tensor}}, value);
}

TREADLE_INLINE Operand Decomposition::multiply(Operand a, Operand b) {
  const auto* x = a.integer();
  const auto* y = b.integer();
  std::int64_t product = 0;
  if (x && y) {
    if (!__builtin_mul_overflow(*x, *y, &product)) return integer(product);
    set_error({ErrorCode::type_mismatch, "a size overflows 64 bits"});
  }
  if (error_) return none();
  if (x && *x == 1) return b;
  if (y && *y == 1) return a;
  const auto expression = [&](Operand operand) -> Expr {
    if (const auto* n = operand.integer()) return make_integer(*n);
    return operand.value() ? graph_.value(*operand.value()).symbolic : Expr();
  };
  GraphValue value;
  value.name = "mul";
  value.kind = ValueKind::sym_int;
  if (const Expr left = expression(a), right = expression(b); left && right)
    value.symbolic = (SymInt(left) * SymInt(right)).expr();
  return add_number("operator::mul", {{"", a}, {"", b}}, value);
}

TREADLE_INLINE OperandList Decomposition::sizes(Operand tensor, std::size_t first,
                                                std::size_t last) {
  OperandList out = make_list();
  for (std::size_t i = first; i < last; ++i) out.push_back(size(tensor, i));
  return out;
}

TREADLE_INLINE Operand Decomposition::multiply_all(Operands sizes) {
  Operand product = integer(1);
  for (const Operand size : sizes) product = multiply(product, size);
  return product;
}

TREADLE_INLINE Operand Decomposition::other_dimensions(std::size_t rank, std::size_t but) {
  OperandList dims = make_list();
  for (std::size_t i = 0; i < rank; ++i)
    if (i != but) dims.push_back(integer(static_cast<std::int64_t>(i)));
  return size_list(dims);
}

TREADLE_INLINE Operand Decomposition::size_list(Operands sizes) {
  std::vector<std::int64_t> known;
  for (const Operand size : sizes)
    if (const auto* n = size.integer()) known.push_back(*n);
  return known.size() == sizes.size() ? integers(known) : list(sizes);
}
TREADLE_INLINE Operand Decomposition::size_list(std::initializer_list<Operand> sizes) {
  return size_list(Operands(sizes));
}

// --- results -------------------------------------------------------------------------------------

TREADLE_INLINE Status Decomposition::give_all(Operands results) {
  if (error_) return error_->clone();
  results_.assign(results.begin(), results.end());
  return {};
}
TREADLE_INLINE Status Decomposition::give_all(std::initializer_list<Operand> results) {
  return give_all(Operands(results));
}
TREADLE_INLINE Status Decomposition::give(Operand result) { return give_all({result}); }

TREADLE_INLINE Status Decomposition::give_as_self(Operand result) {
  replaces_self_ = true;
  return give(result);
}

TREADLE_INLINE Status Decomposition::fail_with(const detail::Piece* pieces, std::size_t count) {
  set_error(detail::join_error(ErrorCode::type_mismatch, schema_.name, pieces, count));
  return error_->clone();
}

TREADLE_INLINE void Decomposition::set_error(Error error) {
  if (!error_) error_ = std::move(error);
}

}  // namespace treadle::inline v0
