// Shape rules of operators that make tensors: arguments are found by their names.
#pragma once

#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/elementwise_rules.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/promotion.hpp>

namespace treadle::inline v0::rules {

/// The place of an argument; operators that lack it have it nowhere.
inline std::optional<std::size_t> place(const InferContext& context, std::string_view name) {
  const int at = context.schema().find(name);
  return at < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(at));
}
/// The dtype that the call asks for, or `otherwise`.
inline DType wanted_dtype(const InferContext& context, DType otherwise) {
  const auto at = place(context, "dtype");
  if (!at) return otherwise;
  if (const auto dtype = context.dtype(*at)) return *dtype;
  // Some schemas write the default int64 as its code.
  const bool coded = context.schema().arguments[*at].default_text == "4";
  return coded && !context.is_none(*at) ? DType::int64 : otherwise;
}
inline Device wanted_device(const InferContext& context) {
  const auto at = place(context, "device");
  return (at ? context.device(*at) : std::nullopt).value_or(first_device(context));
}
inline DType dtype_of_number(DTypeCategory category) {
  Promotion promotion;
  promotion.add_number(category);
  return promotion.result();
}

/// New memory of known dtype with the sizes of argument `size`.
inline Status made(InferContext& context, DType dtype) {
  SymDims sizes = context.integers(place(context, "size").value_or(0));
  for (const auto& size : sizes)
    if (size.known() && *size.value() < 0)
      return context.fail("a size must not be negative, found ", *size.value());
  auto type = make_type(dtype, std::move(sizes), wanted_device(context));
  if (const auto at = place(context, "memory_format"); at && !context.is_none(*at))
    type.strides = format_strides(type.sizes, context.memory_format(*at, MemoryFormat::contiguous));
  context.add(std::move(type));
  return {};
}
/// `zeros`, `rand`: floats unless told otherwise.
inline Status made_float(InferContext& context) {
  return made(context, wanted_dtype(context, default_float));
}
/// `randint`: int64 unless told otherwise.
inline Status made_integer(InferContext& context) {
  return made(context, wanted_dtype(context, DType::int64));
}
/// `full`: the dtype of the number.
inline Status made_full(InferContext& context) {
  const auto category = context.scalar_category(place(context, "fill_value").value_or(1));
  return made(context, wanted_dtype(context, dtype_of_number(category)));
}
/// `new_zeros`: the dtype of `self`.
inline Status made_new(InferContext& context) {
  return made(context, wanted_dtype(context, context.tensor(0).dtype));
}
/// `zeros_like`: sizes, dtype and strides of `self`.
inline Status made_like(InferContext& context) {
  const auto& self = context.tensor(0);
  const auto at = place(context, "memory_format");
  const auto format =
      at ? context.memory_format(*at, MemoryFormat::preserve) : MemoryFormat::preserve;
  auto type = with_format(self, wanted_dtype(context, self.dtype), format);
  type.device = wanted_device(context);
  context.add(std::move(type));
  return {};
}
/// `empty_strided`, `new_empty_strided`: strides as given.
inline Status made_strided(InferContext& context) {
  const bool has_self = context.schema().arguments[0].kind == SchemaKind::tensor;
  const DType otherwise = has_self ? context.tensor(0).dtype : default_float;
  TREADLE_CHECK(made(context, wanted_dtype(context, otherwise)));
  auto& type = context.results().back().type;
  type.strides = context.integers(has_self ? 2 : 1);
  if (type.strides.size() != type.sizes.size())
    return context.fail("expected ", type.sizes.size(), " strides, found ", type.strides.size());
  for (const auto& stride : type.strides)
    if (stride.known() && *stride.value() < 0)
      return context.fail("a stride must not be negative, found ", *stride.value());
  return {};
}
/// `empty_permuted`: dense in the order of argument 1.
inline Status made_permuted(InferContext& context) {
  TREADLE_CHECK(made_float(context));
  auto& type = context.results().back().type;
  TREADLE_TRY(const auto order, wrap_dimensions(context, context.integers(1), type.rank()));
  if (order.size() != type.rank())
    return context.fail("expected ", type.rank(), " dimensions, found ", order.size());
  SymInt step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    type.strides[order[i]] = step;
    step = step * type.sizes[order[i]];
  }
  return {};
}
/// A tensor without dimensions.
inline Status made_scalar(InferContext& context) {
  context.add(make_type(wanted_dtype(context, default_float), {}, wanted_device(context)));
  return {};
}

namespace detail {

/// Steps from `start` (exclusive of `end`), both integers.
inline SymInt integer_steps(const SymInt& start, const SymInt& end, std::int64_t step) {
  const SymInt span = step > 0 ? end - start : start - end;
  const std::int64_t size = step > 0 ? step : -step;
  const SymInt steps = floor_div(span + SymInt(size - 1), SymInt(size));
  return steps;
}

}  // namespace detail

/// `arange`: start, end, step.
inline Status arange(InferContext& context) {
  const auto end = place(context, "end").value_or(0);
  const auto start = place(context, "start"), step = place(context, "step");
  bool integers = true;
  for (const auto at : {std::optional(end), start, step})
    if (at) integers &= context.scalar_category(*at) < DTypeCategory::floating;
  const DType dtype = wanted_dtype(context, integers ? DType::int64 : default_float);
  SymInt steps;
  if (integers) {
    const SymInt stride = step ? context.integer(*step) : SymInt(1);
    if (!stride.known() || *stride.value() == 0 || *stride.value() == INT64_MIN)
      return context.fail("step must be a known number other than 0");
    steps = detail::integer_steps(start ? context.integer(*start) : SymInt(0), context.integer(end),
                                  *stride.value());
  } else {
    // An integer result truncates the numbers before it counts the steps.
    const auto read = [&](std::size_t at) {
      return is_integral(dtype) ? std::trunc(context.real(at)) : context.real(at);
    };
    const double from = start ? read(*start) : 0, by = step ? read(*step) : 1;
    const double count = std::ceil((read(end) - from) / by);
    if (!(count >= 0 && count < 9e18)) return context.fail("start, end and step do not fit");
    steps = static_cast<std::int64_t>(count);
  }
  if (steps.known() && *steps.value() < 0)
    return context.fail("end lies on the wrong side of start");
  context.add(make_type(dtype, {std::move(steps)}, wanted_device(context)));
  return {};
}
/// `prims::iota(length, *, start, step, dtype, …)`.
inline Status iota(InferContext& context) {
  context.add(
      make_type(wanted_dtype(context, DType::int64), {context.integer(0)}, wanted_device(context)));
  return {};
}
/// `linspace`, `logspace`: start, end, steps.
inline Status spaced(InferContext& context) {
  const SymInt steps = context.integer(2);
  if (steps.known() && *steps.value() < 0)
    return context.fail("steps must not be negative, found ", *steps.value());
  context.add(make_type(wanted_dtype(context, default_float), {steps}, wanted_device(context)));
  return {};
}
inline Status eye(InferContext& context) {
  const SymInt rows = context.integer(0);
  const auto columns = place(context, "m");
  SymDims sizes = {rows, columns ? context.integer(*columns) : rows};
  for (const auto& size : sizes)
    if (size.known() && *size.value() < 0)
      return context.fail("a size must not be negative, found ", *size.value());
  context.add(
      make_type(wanted_dtype(context, default_float), std::move(sizes), wanted_device(context)));
  return {};
}
/// How many places of a `rows` x `columns` matrix lie on or below the diagonal `offset`.
inline std::int64_t lower_triangle(std::int64_t rows, std::int64_t columns, std::int64_t offset) {
  std::int64_t count = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t n = r + offset + 1;
    count += n < 0 ? 0 : (n > columns ? columns : n);
  }
  return count;
}
/// `tril_indices`, `triu_indices`: row, col, offset.
template <bool Upper>
Status triangle_indices(InferContext& context) {
  const SymInt rows = context.integer(0), columns = context.integer(1), offset = context.integer(2);
  constexpr std::int64_t limit = std::int64_t{1} << 24;
  SymInt count = context.unknown_size();
  if (rows.known() && columns.known() && offset.known()) {
    const std::int64_t r = *rows.value(), c = *columns.value(), o = *offset.value();
    if (r < 0 || c < 0 || r > limit || c > limit || o > limit || o < -limit)
      return context.fail("a size is negative or too large: ", r, ", ", c);
    count = Upper ? r * c - lower_triangle(r, c, o - 1) : lower_triangle(r, c, o);
  }
  context.add(
      make_type(wanted_dtype(context, DType::int64), {SymInt(2), count}, wanted_device(context)));
  return {};
}
inline Status permutation(InferContext& context) {
  context.add(
      make_type(wanted_dtype(context, DType::int64), {context.integer(0)}, wanted_device(context)));
  return {};
}

/// `native_dropout`: the result, and which elements stay.
inline Status native_dropout(InferContext& context) {
  const auto& input = context.tensor(0);
  context.add(like(input, input.dtype));
  context.add(like(input, DType::bool_));
  return {};
}
/// `dropout(input, p, train)`: the input itself outside of training.
inline Status dropout(InferContext& context) {
  if (context.boolean(2)) return same_as_self(context);
  context.add_alias(0);
  return {};
}
/// `normal.float_Tensor`: like argument 1.
inline Status like_second(InferContext& context) {
  context.add(like(context.tensor(1), context.tensor(1).dtype));
  return {};
}

/// Operators without results.
inline Status nothing(InferContext&) { return {}; }
/// `_functional_…(…, dep_token)`: a new token.
inline Status new_token(InferContext& context) {
  const auto& token = context.tensor(context.schema().argument_count - 1);
  context.add(like(token, token.dtype));
  return {};
}
/// `_assert_tensor_metadata(a, size, stride, dtype, *, device, layout)`: what is known is checked.
inline Status tensor_metadata(InferContext& context) {
  const auto& tensor = context.tensor(0);
  const auto dtype = context.dtype(3);
  if (dtype && *dtype != tensor.dtype)
    return context.fail("expected dtype ", name(*dtype), ", found ", name(tensor.dtype));
  if (context.is_none(1)) return {};
  const SymDims sizes = context.integers(1);
  if (sizes.size() != tensor.rank())
    return context.fail("expected ", sizes.size(), " dimensions, found ", tensor.rank());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i].known() && tensor.sizes[i].known() && !(sizes[i] == tensor.sizes[i]))
      return context.fail("expected size ", *sizes[i].value(), " in dimension ", i, ", found ",
                          *tensor.sizes[i].value());
  return {};
}

}  // namespace treadle::inline v0::rules
