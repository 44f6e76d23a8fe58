// Shape rules of reductions: sizes by dimension list, the dtype by one of a few policies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/ops/promotion.hpp>
#include <treadle/ops/rules.hpp>

/// Arguments are found by their names in the schema; the reduced tensor comes first.
namespace treadle::inline v0::rules {

/// The place of an argument that the schema has and that is not None.
[[nodiscard]] inline std::optional<std::size_t> given(const InferContext& context,
                                                      std::string_view argument) {
  const int i = context.schema().find(argument);
  if (i < 0 || context.is_none(static_cast<std::size_t>(i))) return std::nullopt;
  return static_cast<std::size_t>(i);
}

/// `[2, s0]`.
[[nodiscard]] inline std::string sizes_text(const SymDims& sizes) {
  std::string text = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i)
    text += (i == 0 ? "" : ", ") + treadle::to_string(sizes[i]);
  return text + "]";
}

[[nodiscard]] inline bool flag(const InferContext& context, std::string_view argument) {
  const auto i = given(context, argument);
  return i && context.boolean(*i);
}

[[nodiscard]] inline std::optional<DType> wanted_dtype(const InferContext& context) {
  const auto i = given(context, "dtype");
  return i ? context.dtype(*i) : std::nullopt;
}

/// Dimensions that the call reduces, one flag each.
[[nodiscard]] inline Result<std::vector<bool>> reduced_mask(const InferContext& context) {
  const std::size_t rank = context.tensor(0).rank();
  const auto dim = given(context, "dim");
  SymDims dims;
  if (dim && context.schema().arguments[*dim].list)
    dims = context.integers(*dim);
  else if (dim)
    dims.push_back(context.integer(*dim));
  // For `any.dims` and `all.dims` an empty list is no dimension; for others it is all.
  if (dim && dims.empty() && context.schema().name.ends_with(".dims"))
    return std::vector<bool>(rank, false);
  return dimension_mask(context, dims, rank);
}

/// The reduced type, in new row-major memory.
[[nodiscard]] inline Result<TensorType> reduced(const InferContext& context, DType dtype) {
  const TensorType& self = context.tensor(0);
  TREADLE_TRY(const auto mask, reduced_mask(context));
  return make_type(dtype, reduced_sizes(self.sizes, mask, flag(context, "keepdim")), self.device);
}

/// An error if a reduced dimension has no elements, for reductions without a neutral element.
[[nodiscard]] inline Status check_not_empty(const InferContext& context) {
  const TensorType& self = context.tensor(0);
  TREADLE_TRY(const auto mask, reduced_mask(context));
  for (std::size_t d = 0; d < self.rank(); ++d)
    if (mask[d] && self.sizes[d].is(0))
      return context.fail("expected at least one element in dimension ", d, ", which has size 0");
  return {};
}

inline Status add_reduced(InferContext& context, DType dtype) {
  TREADLE_TRY(auto type, reduced(context, dtype));
  context.add(std::move(type));
  return {};
}

/// Sums: bools and integers become int64.
inline Status sum_rule(InferContext& context) {
  const DType self = context.tensor(0).dtype;
  const DType own = category(self) < DTypeCategory::floating ? DType::int64 : self;
  return add_reduced(context, wanted_dtype(context).value_or(own));
}

inline Status mean_rule(InferContext& context) {
  const DType dtype = wanted_dtype(context).value_or(context.tensor(0).dtype);
  if (category(dtype) < DTypeCategory::floating)
    return context.fail("expected a floating point or complex dtype, found ", name(dtype));
  return add_reduced(context, dtype);
}

/// Smallest, largest: the dtype stays, and there must be elements.
inline Status extreme_rule(InferContext& context) {
  TREADLE_CHECK(check_not_empty(context));
  return add_reduced(context, context.tensor(0).dtype);
}
inline Status two_extremes_rule(InferContext& context) {
  TREADLE_CHECK(extreme_rule(context));
  return add_reduced(context, context.tensor(0).dtype);
}
/// A value and its place.
inline Status value_and_place_rule(InferContext& context) {
  TREADLE_CHECK(extreme_rule(context));
  return add_reduced(context, DType::int64);
}
inline Status place_rule(InferContext& context) {
  TREADLE_CHECK(check_not_empty(context));
  return add_reduced(context, DType::int64);
}

/// `any`, `all`: uint8 stays, all else gives bool.
inline Status logic_rule(InferContext& context) {
  const bool byte = context.tensor(0).dtype == DType::uint8;
  return add_reduced(context, byte ? DType::uint8 : DType::bool_);
}
inline Status count_rule(InferContext& context) { return add_reduced(context, DType::int64); }

[[nodiscard]] inline Status check_inexact(const InferContext& context) {
  const DType dtype = context.tensor(0).dtype;
  if (category(dtype) >= DTypeCategory::floating) return {};
  return context.fail("expected a floating point or complex tensor, found ", name(dtype));
}

inline Status variance_rule(InferContext& context) {
  TREADLE_CHECK(check_inexact(context));
  return add_reduced(context, real_dtype(context.tensor(0).dtype));
}
inline Status variance_and_mean_rule(InferContext& context) {
  TREADLE_CHECK(variance_rule(context));
  return add_reduced(context, context.tensor(0).dtype);
}
inline Status norm_rule(InferContext& context) {
  TREADLE_CHECK(check_inexact(context));
  auto order = given(context, "ord");
  if (!order) order = given(context, "p");
  const double p = order ? context.real(*order) : 2;
  // The largest or smallest of no elements does not exist, nor does the root of a negative order.
  const bool is_extreme = p > 1e300 || p < 0;
  if (is_extreme && context.schema().find("ord") >= 0) TREADLE_CHECK(check_not_empty(context));
  const DType dtype = wanted_dtype(context).value_or(context.tensor(0).dtype);
  return add_reduced(context, real_dtype(dtype));
}
inline Status logsumexp_rule(InferContext& context) {
  return add_reduced(context, to_float_dtype(context.tensor(0).dtype));
}

}  // namespace treadle::inline v0::rules
