// Definitions of call inference.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <treadle/core/concat.hpp>
#include <treadle/ops/infer_call.hpp>
#include <treadle/ops/rules.hpp>
#include <treadle/ops/writes.hpp>

namespace treadle::inline v0 {
namespace detail {

inline bool is_none(const InferValue& value) {
  const auto* c = std::get_if<Constant>(&value.data);
  const auto* t = std::get_if<TensorArgument>(&value.data);
  return (c && std::holds_alternative<None>(*c)) || (t && !t->type);
}

inline bool is_number(const InferValue& value, bool whole) {
  if (std::holds_alternative<SymInt>(value.data)) return true;
  if (std::holds_alternative<SymNumber>(value.data)) return !whole;
  const auto* c = std::get_if<Constant>(&value.data);
  if (!c) return false;
  if (std::holds_alternative<std::int64_t>(*c) || std::holds_alternative<bool>(*c)) return true;
  return !whole &&
         (std::holds_alternative<double>(*c) || std::holds_alternative<std::complex<double>>(*c));
}

template <class... Types>
bool holds(const InferValue& value) {
  const auto* c = std::get_if<Constant>(&value.data);
  return c && (std::holds_alternative<Types>(*c) || ...);
}

inline bool fits_list(const SchemaArgument& schema, const InferValue& value) {
  const auto* list = std::get_if<InferValue::List>(&value.data);
  switch (schema.kind) {
    case SchemaKind::tensor:
      if (!list) return false;
      for (const auto& item : *list)
        if (!std::holds_alternative<TensorArgument>(item.data) && !is_none(item)) return false;
      return true;
    case SchemaKind::integer:
      if (holds<std::vector<std::int64_t>>(value) || is_number(value, true)) return true;
      if (!list) return false;
      for (const auto& item : *list)
        if (!is_number(item, true)) return false;
      return true;
    case SchemaKind::real:
    case SchemaKind::scalar:
      return holds<std::vector<double>, std::vector<std::int64_t>, std::vector<bool>>(value) ||
             list;
    case SchemaKind::boolean: return holds<std::vector<bool>>(value);
    case SchemaKind::string: return holds<std::vector<std::string>>(value);
    default: return true;
  }
}

/// A list without items, which does not show what it is a list of: exporters take any type.
inline bool is_empty_list(const InferValue& value) {
  if (const auto* list = std::get_if<InferValue::List>(&value.data)) return list->empty();
  const auto* constant = std::get_if<Constant>(&value.data);
  return constant && std::visit(
                         [](const auto& c) {
                           if constexpr (requires {
                                           c.empty();
                                           c.capacity();
                                         })
                             return !std::is_same_v<decltype(c), const std::string&> && c.empty();
                           else
                             return false;
                         },
                         *constant);
}

inline bool fits(const SchemaArgument& schema, const InferValue& value) {
  if (is_none(value)) return schema.optional || schema.kind == SchemaKind::generator;
  if (schema.list) return is_empty_list(value) || fits_list(schema, value);
  switch (schema.kind) {
    case SchemaKind::tensor: return std::holds_alternative<TensorArgument>(value.data);
    case SchemaKind::integer: return is_number(value, true);
    case SchemaKind::real:
    case SchemaKind::scalar:
    case SchemaKind::complex: return is_number(value, false);
    case SchemaKind::boolean:
      return is_number(value, true) || std::holds_alternative<SymNumber>(value.data);
    case SchemaKind::string: return holds<std::string>(value);
    case SchemaKind::dtype: return holds<DType>(value);
    case SchemaKind::device: return holds<Device>(value);
    case SchemaKind::layout: return holds<Layout>(value);
    case SchemaKind::memory_format: return holds<MemoryFormat>(value);
    default: return true;
  }
}

/// The written argument that a result of an in-place form is.
inline std::size_t written_argument(const Schema& schema, const SchemaArgument& result) {
  for (std::size_t i = 0; i < schema.argument_count; ++i)
    if (schema.arguments[i].writes && schema.arguments[i].alias_set == result.alias_set) return i;
  return schema.argument_count;
}

inline Status infer_written(const Schema& schema, InferContext& context) {
  for (std::size_t i = 0; i < schema.result_count; ++i) {
    const auto& result = schema.results[i];
    if (!result.writes) continue;
    const std::size_t argument = written_argument(schema, result);
    if (argument == schema.argument_count || schema.arguments[argument].list)
      return context.fail("the result is not one of the written arguments");
    context.add_alias(argument);
  }
  return {};
}

inline bool has_symbol(const Expr& expr) {
  return expr->kind == ExprKind::symbol ||
         std::any_of(expr->children.begin(), expr->children.end(), has_symbol);
}
/// Numbers whose result does not fit 64 bits stay an expression: of nothing that is still to come.
inline Status check_overflow(const InferContext& context, const TensorType& type) {
  const auto overflows = [](const SymInt& number) {
    return !number.known() && !has_symbol(number.expr());
  };
  if (std::any_of(type.sizes.begin(), type.sizes.end(), overflows) ||
      std::any_of(type.strides.begin(), type.strides.end(), overflows) ||
      overflows(type.storage_offset))
    return context.fail("sizes, strides or offset of the result do not fit 64 bits: ",
                        to_string(type.sizes));
  return {};
}

}  // namespace detail

TREADLE_INLINE Status check_arguments(const Schema& schema,
                                      const std::vector<InferValue>& arguments) {
  for (std::size_t i = 0; i < schema.argument_count; ++i)
    if (!detail::fits(schema.arguments[i], arguments[i]))
      return Error(ErrorCode::type_mismatch,
                   concat(schema.name, ": argument '", schema.arguments[i].name,
                          "' is not of the type that the schema says"));
  return {};
}

TREADLE_INLINE Status check_in_place(const OpDef& functional, const Schema& schema,
                                     const std::vector<InferValue>& arguments) {
  if (!functional.infer) return {};
  InferContext context(schema, arguments);
  TREADLE_CHECK(functional.infer(context));
  if (context.results().empty() || schema.result_count == 0 || !schema.results[0].writes) return {};
  const std::size_t written = detail::written_argument(schema, schema.results[0]);
  if (written == schema.argument_count || schema.arguments[written].list) return {};
  const SymDims &wanted = context.tensor(written).sizes, &found = context.results()[0].type.sizes;
  bool fits = wanted.size() == found.size();
  for (std::size_t d = 0; fits && d < wanted.size(); ++d)
    fits = !wanted[d].known() || !found[d].known() || wanted[d] == found[d];
  if (fits) return {};
  return context.fail("a result of sizes ", to_string(found), " can't be written into sizes ",
                      to_string(wanted));
}

TREADLE_INLINE Result<InferredCall> infer_call(const OpDef& definition, const Schema& schema,
                                               const std::vector<InferValue>& arguments,
                                               std::span<const TensorType> declared) {
  InferredCall call;
  for (std::size_t i = 0; i < schema.argument_count; ++i)
    call.writes |= writes_argument(definition, schema, i,
                                   [&](std::size_t place) { return &arguments[place]; }) &&
                   !detail::is_none(arguments[i]);
  InferContext context(schema, arguments);
  if (definition.infer) {
    TREADLE_CHECK(definition.infer(context));
  } else {
    TREADLE_CHECK(detail::infer_written(schema, context));
    if (context.results().empty())
      for (const auto& type : declared) context.add(type);
  }
  for (const auto& result : context.results())
    TREADLE_CHECK(detail::check_overflow(context, result.type));
  call.results = std::move(context.results());
  bool fresh = call.results.empty();
  for (const auto& result : call.results) fresh |= result.view_of < 0;
  call.needs_kernel = fresh || call.writes;
  return call;
}

}  // namespace treadle::inline v0
