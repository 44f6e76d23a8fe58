// Definitions of operators that choose scales and zero points.
#pragma once

#include <cstdint>
#include <utility>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// The larger of the scale and `eps`, as one element in a dimension.
inline Operand bounded_scale(Decomposition& d, Operand scale, Operand eps) {
  const auto least = d.call("aten::full", {d.integers({1}), eps}, DType::float32);
  return d.call("aten::maximum", {scale, least});
}

/// The least and the greatest element, widened to hold 0.
inline std::pair<Operand, Operand> range_with_zero(Decomposition& d, Operand least,
                                                   Operand greatest) {
  const auto low = d.call("aten::minimum", {least, d.call("aten::zeros_like", {least})});
  const auto high = d.call("aten::maximum", {greatest, d.call("aten::zeros_like", {greatest})});
  return {low, high};
}

/// `choose_qparams.tensor(input, quant_min, quant_max, eps, dtype)`.
inline Status choose_parameters(Decomposition& d) {
  const std::int64_t lowest = d.integer_at(1, 0), highest = d.integer_at(2, 0);
  if (lowest >= highest) return d.fail("expected quant_min below quant_max");
  const auto ends = d.call_all("aten::aminmax", {d[0]});
  const auto [low, high] = range_with_zero(d, ends[0], ends[1]);
  auto scale = d.call("aten::sub.Tensor", {high, low});
  scale = d.call("aten::div.Tensor", {scale, d.real(static_cast<double>(highest - lowest))});
  scale = bounded_scale(d, scale, d[3]);
  auto zero = d.call("aten::round", {d.call("aten::div.Tensor", {low, scale})});
  zero = d.call("aten::rsub.Scalar", {d.as_dtype(zero, DType::int32), d.integer(lowest)});
  zero = d.call("aten::clamp", {zero, d.integer(lowest), d.integer(highest)});
  return d.give_all({d.as_dtype(scale, DType::float64), d.as_dtype(zero, DType::int64)});
}

/// `choose_qparams_symmetric.tensor`: the range has 0 in the middle.
inline Status choose_symmetric_parameters(Decomposition& d) {
  const std::int64_t lowest = d.integer_at(1, 0), highest = d.integer_at(2, 0);
  const auto* dtype = d[4].get<DType>();
  const auto ends = d.call_all("aten::aminmax", {d[0]});
  const auto [low, high] = range_with_zero(d, ends[0], ends[1]);
  auto scale = d.call("aten::maximum", {d.call("aten::neg", {low}), high});
  scale = d.call("aten::div.Tensor", {scale, d.real(static_cast<double>(highest - lowest) / 2)});
  scale = bounded_scale(d, scale, d[3]);
  const std::int64_t middle = dtype && *dtype == DType::uint8 ? 128 : 0;
  const auto zero = d.call("aten::full", {d.integers({1}), d.integer(middle)}, DType::int64);
  return d.give_all({d.as_dtype(scale, DType::float64), zero});
}

/// `choose_qparams_per_token(input, dtype)`: symmetric, 8 bits.
inline Status choose_token_parameters(Decomposition& d) {
  auto scale = d.call("aten::abs", {d[0]});
  scale = d.call("aten::amax", {scale, d.integers({-1}), d.boolean(true)});
  if (d.dtype(d[0]) == DType::float16) scale = d.as_dtype(scale, DType::float32);
  scale = d.call("aten::clamp", {scale, d.real(1e-5)});
  scale = d.call("aten::div.Tensor", {scale, d.integer(127)});
  return d.give_all({scale, d.call("aten::zeros_like", {scale})});
}

/// `choose_qparams_per_token_asymmetric(input, dtype)`: 8 bits, the zero point where the errors of
/// both ends are the smallest.
inline Status choose_asymmetric_token_parameters(Decomposition& d) {
  const Operand lowest = d.integer(-128), highest = d.integer(127);
  const auto least = d.call("aten::amin", {d[0], d.integers({-1}), d.boolean(true)});
  const auto greatest = d.call("aten::amax", {d[0], d.integers({-1}), d.boolean(true)});
  const auto [low, high] = range_with_zero(d, least, greatest);
  auto scale = d.call("aten::sub.Tensor", {high, low});
  scale = d.call("aten::div.Tensor", {scale, d.real(255)});
  scale = d.call("aten::clamp", {scale, d.real(1.1920928955078125e-07)});
  const auto below = d.call("aten::div.Tensor", {low, scale});
  const auto above = d.call("aten::div.Tensor", {high, scale});
  const auto errors = d.call("aten::add.Tensor", {d.call("aten::add.Tensor", {below, lowest}),
                                                  d.call("aten::add.Tensor", {above, highest})});
  auto zero = d.call("aten::where.self", {d.call("aten::gt.Scalar", {errors, d.integer(0)}),
                                          d.call("aten::rsub.Scalar", {below, lowest}),
                                          d.call("aten::rsub.Scalar", {above, highest})});
  zero = d.call("aten::round", {d.call("aten::clamp", {zero, lowest, highest})});
  return d.give_all({d.as_dtype(scale, DType::float64), d.as_dtype(zero, DType::int64)});
}

/// `convert_element_type.no_fuse(input, dtype)`.
inline Status convert_no_fuse(Decomposition& d) {
  return d.give(d.call("prims::convert_element_type", {d[0], d[1]}));
}

}  // namespace treadle::inline v0::detail::composite
