// Shape rules of quantisation.
#pragma once

#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// The dtype that the argument of this name gives, if there is one.
[[nodiscard]] inline std::optional<DType> named_dtype(const InferContext& context,
                                                      std::string_view name) {
  const int at = context.schema().find(name);
  return at < 0 ? std::nullopt : context.dtype(static_cast<std::size_t>(at));
}

/// Integers of the `dtype` that the call names.
inline Status quantize_rule(InferContext& context) {
  const TensorType& input = context.tensor(0);
  if (!is_floating(input.dtype))
    return context.fail("expected floating numbers, found ", name(input.dtype));
  context.add(like(input, named_dtype(context, "dtype").value_or(DType::int8)));
  return {};
}

/// Floats of `out_dtype`, or `output_dtype` where that is the name.
inline Status dequantize_rule(InferContext& context) {
  const TensorType& input = context.tensor(0);
  const auto declared = named_dtype(context, "dtype");
  if (declared && *declared != input.dtype)
    return context.fail("expected ", name(*declared), " numbers, found ", name(input.dtype));
  auto dtype = named_dtype(context, "out_dtype");
  if (!dtype) dtype = named_dtype(context, "output_dtype");
  context.add(like(input, dtype.value_or(DType::float32)));
  return {};
}

/// Groups of a row become rows of their own on the way, so the result is row-major.
template <Status (*Rule)(InferContext&)>
Status grouped_rule(InferContext& context) {
  TREADLE_CHECK(Rule(context));
  auto& type = context.results()[0].type;
  if (type.rank() != 2) return context.fail("expected a matrix, found rank ", type.rank());
  type.strides = contiguous_strides(type.sizes);
  return {};
}

/// The dtype and sizes of the input, and a mask if the operator gives one.
inline Status fake_quantize_rule(InferContext& context) {
  const TensorType& input = context.tensor(0);
  if (!is_floating(input.dtype))
    return context.fail("expected floating numbers, found ", name(input.dtype));
  context.add(like(input, input.dtype));
  if (context.schema().result_count > 1) context.add(like(input, DType::bool_));
  return {};
}

/// A scale and a zero point.
inline Status choose_parameters_rule(InferContext& context) {
  const Device device = context.tensor(0).device;
  context.add(make_type(DType::float64, {1}, device));
  context.add(make_type(DType::int64, {1}, device));
  return {};
}

/// A scale and a zero point for each slice along the last dimension.
template <bool Symmetric>
Status choose_token_parameters_rule(InferContext& context) {
  const TensorType& input = context.tensor(0);
  if (input.rank() == 0) return context.fail("expected at least one dimension");
  SymDims sizes = input.sizes;
  sizes.back() = 1;
  const DType narrow = input.dtype == DType::float16 ? DType::float32 : input.dtype;
  context.add(make_type(Symmetric ? narrow : DType::float64, sizes, input.device));
  context.add(make_type(Symmetric ? narrow : DType::int64, sizes, input.device));
  return {};
}

}  // namespace treadle::inline v0::rules
