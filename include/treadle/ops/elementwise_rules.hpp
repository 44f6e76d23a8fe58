// Shape rules of elementwise operators: broadcast sizes, and the dtype by one of a few policies.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/promotion.hpp>
#include <treadle/ops/rules.hpp>

/// Template arguments are the places of the arguments that take part.
namespace treadle::inline v0::rules {

/// Broadcast sizes of the arguments in `places`; their promoted dtype where none is given.
[[nodiscard]] inline Status add_elementwise(InferContext& context, ArgumentList places,
                                            std::optional<DType> dtype = {}) {
  TREADLE_TRY(auto type,
              elementwise(context, places, dtype ? *dtype : result_dtype(context, places)));
  context.add(std::move(type));
  return {};
}

/// The dtype that the arguments promote to.
template <std::size_t... Arguments>
Status promoted(InferContext& context) {
  return add_elementwise(context, {Arguments...});
}

/// The same, integers become floats.
template <std::size_t... Arguments>
Status floating(InferContext& context) {
  const ArgumentList places = {Arguments...};
  return add_elementwise(context, places, to_float_dtype(result_dtype(context, places)));
}

/// Gives bool.
template <std::size_t... Arguments>
Status predicate(InferContext& context) {
  return add_elementwise(context, {Arguments...}, DType::bool_);
}

/// The promoted dtype of reals; complex numbers have their real part's.
template <std::size_t... Arguments>
Status promoted_real(InferContext& context) {
  const ArgumentList places = {Arguments...};
  return add_elementwise(context, places, real_dtype(result_dtype(context, places)));
}

/// Sizes and dtype of the first argument.
inline Status same_as_self(InferContext& context) {
  context.add(like(context.tensor(0), context.tensor(0).dtype));
  return {};
}

/// The conjugate; of real numbers the tensor itself.
inline Status conjugate(InferContext& context) {
  if (is_complex(context.tensor(0).dtype)) return same_as_self(context);
  context.add_alias(0);
  return {};
}

/// The same; squares of bools are integers.
inline Status square(InferContext& context) {
  const DType dtype = context.tensor(0).dtype;
  context.add(like(context.tensor(0), dtype == DType::bool_ ? DType::int64 : dtype));
  return {};
}

/// Dtype of the first argument; sizes of all tensors among the arguments.
template <std::size_t... Arguments>
Status self_dtype(InferContext& context) {
  return add_elementwise(context, {Arguments...}, context.tensor(0).dtype);
}

/// `Rule`, but the result is row-major whatever the inputs are.
template <Status (*Rule)(InferContext&)>
Status row_major(InferContext& context) {
  TREADLE_CHECK(Rule(context));
  for (auto& result : context.results())
    if (result.view_of < 0) result.type.strides = contiguous_strides(result.type.sizes);
  return {};
}

}  // namespace treadle::inline v0::rules
