// Shape rules of single elementwise operators that follow no common policy.
#pragma once

#include <utility>

#include <treadle/ops/elementwise_rules.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {
namespace detail {

inline constexpr OpTraits elementwise_traits = {.elementwise = true};

}  // namespace detail

namespace rules {

/// `sub`, `rsub`: not for bool.
inline Status difference(InferContext& context) {
  if (result_dtype(context, {0, 1}) == DType::bool_)
    return context.fail("bool tensors have no difference; use logical_xor");
  return promoted<0, 1>(context);
}

/// `div` with a rounding mode (argument 2) keeps integers; without one it gives floats.
inline Status quotient(InferContext& context) {
  if (context.is_none(2)) return floating<0, 1>(context);
  const auto mode = context.string(2);
  if (mode != "trunc" && mode != "floor")
    return context.fail("rounding_mode must be None, 'trunc' or 'floor', found '", mode, "'");
  return promoted<0, 1>(context);
}

/// `float_power` computes in double precision.
inline Status float_power(InferContext& context) {
  const bool complex = is_complex(result_dtype(context, {0, 1}));
  TREADLE_TRY(auto type,
              elementwise(context, {0, 1}, complex ? DType::complex128 : DType::float64));
  context.add(std::move(type));
  return {};
}

/// `ldexp`: `self * 2 ** other`. Whole exponents keep a float's dtype; else the power is a float.
inline Status load_exponent(InferContext& context) {
  Promotion promotion;
  const DType self = context.tensor(0).dtype;
  if (is_floating(self) && is_integral(context.tensor(1).dtype)) {
    TREADLE_TRY(auto type, elementwise(context, {0, 1}, self));
    context.add(std::move(type));
    return {};
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& type = context.tensor(i);
    promotion.add_tensor(i == 0 ? type.dtype : to_float_dtype(type.dtype), type.rank() == 0);
  }
  TREADLE_TRY(auto type, elementwise(context, {0, 1}, promotion.result()));
  context.add(std::move(type));
  return {};
}

/// `angle`: a real number.
inline Status angle(InferContext& context) {
  const auto& self = context.tensor(0);
  context.add(like(self, real_dtype(to_float_dtype(self.dtype))));
  return {};
}

/// `where`: the condition takes part in the sizes alone.
inline Status where(InferContext& context) {
  TREADLE_TRY(auto type, elementwise(context, {0, 1, 2}, result_dtype(context, {1, 2})));
  context.add(std::move(type));
  return {};
}

/// `complex`, `polar`: two reals make a complex number.
inline Status complex_of_parts(InferContext& context) {
  const DType dtype = result_dtype(context, {0, 1});
  if (!is_floating(dtype)) return context.fail("expected float tensors, found ", name(dtype));
  TREADLE_TRY(auto type, elementwise(context, {0, 1}, complex_dtype(dtype)));
  context.add(std::move(type));
  return {};
}

/// `glu`: half of the sizes along a dimension (argument 1).
inline Status glu(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const auto dim, context.dimension(1, self.rank()));
  if (self.rank() == 0) return context.fail("expected a tensor with dimensions");
  SymDims sizes = self.sizes;
  if (sizes[dim].known() && *sizes[dim].value() % 2 != 0)
    return context.fail("dimension ", dim, " must have an even size, found ", *sizes[dim].value());
  sizes[dim] = floor_div(sizes[dim], SymInt(2));
  TensorType half = self;
  half.sizes = std::move(sizes);
  context.add(like(half, self.dtype));
  return {};
}

/// `log_sigmoid_forward`: the result, and a buffer that only a backward pass on the CPU fills.
inline Status log_sigmoid_forward(InferContext& context) {
  const auto& self = context.tensor(0);
  context.add(make_type(self.dtype, self.sizes, self.device));
  context.add(make_type(self.dtype, self.sizes, self.device));
  return {};
}

}  // namespace rules
}  // namespace treadle::inline v0
