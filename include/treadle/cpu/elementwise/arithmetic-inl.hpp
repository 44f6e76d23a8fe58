// Kernels of two-operand arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>

#include <treadle/core/half.hpp>
#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/elementwise/complex_log_sum.hpp>
#include <treadle/cpu/elementwise/kernel.hpp>
#include <treadle/ops/elementwise.hpp>
#include <treadle/ops/promotion.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

// Integers wrap around, as the hardware does.
inline std::int64_t wrap_add(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t wrap_mul(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
template <class T>
T plus(T a, T b) noexcept {
  if constexpr (std::is_same_v<T, std::int64_t>)
    return wrap_add(a, b);
  else
    return a + b;
}
template <class T>
T times(T a, T b) noexcept {
  if constexpr (std::is_same_v<T, std::int64_t>)
    return wrap_mul(a, b);
  else
    return a * b;
}
template <class T>
T minus(T a, T b) noexcept {
  if constexpr (std::is_same_v<T, std::int64_t>)
    return wrap_add(a, wrap_mul(b, -1));
  else
    return a - b;
}

/// Quotient rounded toward zero; the one that overflows wraps around.
inline std::int64_t truncated_quotient(std::int64_t a, std::int64_t b) noexcept {
  return b == -1 ? wrap_mul(a, -1) : a / b;
}
inline std::int64_t floored_quotient(std::int64_t a, std::int64_t b) noexcept {
  const std::int64_t q = truncated_quotient(a, b);
  return b != -1 && a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
/// Exact also where the rounded quotient a / b is not: by the remainder, as Python divides.
template <class T>
T floored_quotient(T a, T b) noexcept {
  if (b == 0) return a / b;
  const T rest = std::fmod(a, b);
  T q = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) q -= 1;
  if (q == 0) return std::copysign(T{0}, a / b);
  const T floored = std::floor(q);
  return q - floored > T(0.5) ? floored + 1 : floored;
}
/// Remainder with the sign of the divisor.
template <class T>
T floored_remainder(T a, T b) noexcept {
  T rest;
  if constexpr (std::is_same_v<T, std::int64_t>)
    rest = b == -1 ? 0 : a % b;
  else
    rest = std::fmod(a, b);
  return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

inline std::int64_t integer_power(std::int64_t base, std::int64_t exponent) noexcept {
  if (exponent < 0) {
    if (base == 1) return 1;
    return base == -1 ? (exponent % 2 != 0 ? -1 : 1) : 0;
  }
  std::int64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base = wrap_mul(base, base))
    if ((exponent & 1) != 0) result = wrap_mul(result, base);
  return result;
}
template <class T>
T power(T base, T exponent) noexcept {
  if constexpr (std::is_same_v<T, std::int64_t>)
    return integer_power(base, exponent);
  else
    return exponent == T(0) ? T(1) : std::pow(base, exponent);  // 0^0 too, where complex
}

template <class T>
T maximum(T a, T b) noexcept {
  return a > b || a != a ? a : b;
}
template <class T>
T minimum(T a, T b) noexcept {
  return a < b || a != a ? a : b;
}

inline std::int64_t greatest_divisor(std::int64_t a, std::int64_t b) noexcept {
  auto x = static_cast<std::uint64_t>(a < 0 ? wrap_mul(a, -1) : a);
  auto y = static_cast<std::uint64_t>(b < 0 ? wrap_mul(b, -1) : b);
  while (y != 0) {
    const std::uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  return static_cast<std::int64_t>(x);
}
inline std::int64_t least_multiple(std::int64_t a, std::int64_t b) noexcept {
  const std::int64_t d = greatest_divisor(a, b);
  if (d == 0) return 0;
  const std::int64_t product = wrap_mul(a / d, b);
  return product < 0 ? wrap_mul(product, -1) : product;
}

template <class T>
T log_sum_exp(T a, T b) noexcept {
  if (std::isinf(a) && a == b) return a;
  return std::fmax(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}
template <class T>
T log_sum_exp2(T a, T b) noexcept {
  constexpr T per_ln2 = T(1.4426950408889634073599);
  if (std::isinf(a) && a == b) return a;
  return std::fmax(a, b) + std::log1p(std::exp2(-std::abs(a - b))) * per_ln2;
}

// --- functions -----------------------------------------------------------------------------------

inline constexpr ElementOp add_op = with_table(
    binary_op<on_all>([](const auto&, auto a, auto b) { return plus(a, b); }),
    &simd::VectorMaps::add, &simd::VectorMaps::add_scalar, &simd::VectorMaps::add_scalar);
inline constexpr ElementOp add_scaled_op =
    binary_op<on_all>([](const ElementParameters& p, auto a, auto b) {
      return plus(a, times(p.get<decltype(a)>(0), b));
    });
inline constexpr ElementOp sub_op =
    with_table(binary_op<on_all>([](const auto&, auto a, auto b) { return minus(a, b); }),
               &simd::VectorMaps::sub, nullptr, &simd::VectorMaps::rsub_scalar);
inline constexpr ElementOp sub_scaled_op =
    binary_op<on_all>([](const ElementParameters& p, auto a, auto b) {
      return minus(a, times(p.get<decltype(a)>(0), b));
    });
inline constexpr ElementOp mul_op = with_table(
    binary_op<on_all>([](const auto&, auto a, auto b) { return times(a, b); }),
    &simd::VectorMaps::mul, &simd::VectorMaps::mul_scalar, &simd::VectorMaps::mul_scalar);
inline constexpr ElementOp div_op = with_table(
    binary_op<on_inexact>([](const auto&, auto a, auto b) { return a / b; }),
    &simd::VectorMaps::div, &simd::VectorMaps::div_scalar, &simd::VectorMaps::rdiv_scalar);
inline constexpr ElementOp div_floor_op = rounds(divides(
    binary_op<on_reals>([](const auto&, auto a, auto b) { return floored_quotient(a, b); })));
inline constexpr ElementOp div_trunc_op =
    rounds(divides(binary_op<on_reals>([](const auto&, auto a, auto b) {
      if constexpr (std::is_same_v<decltype(a), std::int64_t>)
        return truncated_quotient(a, b);
      else
        return std::trunc(a / b);
    })));
inline constexpr ElementOp remainder_op = rounds(divides(
    binary_op<on_reals>([](const auto&, auto a, auto b) { return floored_remainder(a, b); })));
inline constexpr ElementOp fmod_op =
    rounds(divides(binary_op<on_reals>([](const auto&, auto a, auto b) {
      if constexpr (std::is_same_v<decltype(a), std::int64_t>)
        return b == -1 ? std::int64_t{0} : a % b;
      else
        return std::fmod(a, b);
    })));
inline constexpr ElementOp pow_op =
    rounds(costly(binary_op<on_all>([](const auto&, auto a, auto b) { return power(a, b); })));
inline constexpr ElementOp cube_op =
    unary_op<on_floats>([](const auto&, auto a) { return a * a * a; });
inline constexpr ElementOp square_root_op = with_table(
    unary_op<on_floats>([](const auto&, auto a) { return std::sqrt(a); }), &simd::VectorMaps::sqrt);
inline constexpr ElementOp inverse_root_op =
    with_table(unary_op<on_floats>([](const auto&, auto a) { return 1 / std::sqrt(a); }),
               &simd::VectorMaps::rsqrt);
inline constexpr ElementOp inverse_op = with_table(
    unary_op<on_floats>([](const auto&, auto a) { return 1 / a; }), &simd::VectorMaps::reciprocal);
inline constexpr ElementOp maximum_op = with_table(
    rounds(binary_op<on_reals>([](const auto&, auto a, auto b) { return maximum(a, b); })),
    &simd::VectorMaps::max);
inline constexpr ElementOp minimum_op = with_table(
    rounds(binary_op<on_reals>([](const auto&, auto a, auto b) { return minimum(a, b); })),
    &simd::VectorMaps::min);

// --- what arguments mean -------------------------------------------------------------------------

/// With alpha = 1 the plain function does.
template <const ElementOp& Plain>
Status plain_without_alpha(ElementwisePlanner& planner) {
  if (planner.parameters.real[0] == 1 && planner.parameters.imag[0] == 0) planner.op = Plain;
  return {};
}

inline Status choose_rounding(ElementwisePlanner& planner) {
  const auto* mode = planner.constant<std::string>(2);
  if (!mode) {
    if (planner.compute == ComputeType::int64)
      planner.compute = compute_type(to_float_dtype(planner.promoted));
    planner.op = div_op;
  } else {
    planner.op = *mode == "floor" ? div_floor_op : div_trunc_op;
  }
  return {};
}

inline constexpr ElementOp scaled_by_power_op =
    costly(binary_op<on_inexact>([](const auto&, auto a, auto b) {
      if constexpr (std::is_floating_point_v<decltype(a)>)
        return a * std::exp2(b);
      else
        return a * std::exp(b * 0.69314718055994530942);
    }));
inline constexpr ElementOp load_exponent_op =
    costly(binary_op<on_floats>([](const auto&, auto a, auto b) {
      // Beyond these bounds every result is 0 or infinite.
      return std::ldexp(a, static_cast<int>(std::clamp<decltype(b)>(b, -32768, 32767)));
    }));
/// The power of two as halves hold it: PyTorch makes a tensor of the exponent's dtype of it.
template <class Narrow>
inline constexpr ElementOp scaled_by_rounded_power_op =
    costly(binary_op<on_floats>([](const auto&, auto a, auto b) {
      const Narrow power(static_cast<float>(std::exp2(b)));
      return a * static_cast<decltype(a)>(static_cast<float>(power));
    }));
/// Of a tensor argument; `undefined` for anything else.
inline DType argument_dtype(const ElementwisePlanner& planner, std::size_t i) {
  const auto* tensor = std::get_if<TensorInfo<Backend>>(&planner.context.argument(i));
  return tensor && !tensor->is_none() ? tensor->meta().dtype : DType::undefined;
}
/// Whole exponents of floats need no power, which may be out of range alone.
inline Status choose_exponent(ElementwisePlanner& planner) {
  const DType base = argument_dtype(planner, 0), exponent = argument_dtype(planner, 1);
  if (is_floating(base) && is_integral(exponent)) planner.op = load_exponent_op;
  if (is_complex(base)) return {};
  if (exponent == DType::float16) planner.op = scaled_by_rounded_power_op<Half>;
  if (exponent == DType::bfloat16) planner.op = scaled_by_rounded_power_op<BFloat16>;
  return {};
}

/// The next number of a 16-bit format from `a` towards `b`.
template <class Narrow>
float narrow_neighbour(float a, float b) noexcept {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  Narrow next(a);
  if (a == 0)
    next.bits = static_cast<std::uint16_t>(b < 0 ? 0x8001 : 1);
  else
    next.bits = static_cast<std::uint16_t>(next.bits + ((a < b) == (a > 0) ? 1 : -1));
  return static_cast<float>(next);
}
inline constexpr ElementOp neighbour_op =
    costly(binary_op<on_floats>([](const auto&, auto a, auto b) { return std::nextafter(a, b); }));
template <class Narrow>
inline constexpr ElementOp narrow_neighbour_op =
    costly(binary_op<on_floats>([](const auto&, auto a, auto b) {
      return static_cast<decltype(a)>(
          narrow_neighbour<Narrow>(static_cast<float>(a), static_cast<float>(b)));
    }));
inline Status choose_neighbour(ElementwisePlanner& planner) {
  const DType result = planner.context.results()[0].meta().dtype;
  if (result == DType::float16) planner.op = narrow_neighbour_op<Half>;
  if (result == DType::bfloat16) planner.op = narrow_neighbour_op<BFloat16>;
  return {};
}

/// Small constant exponents of floats have shorter ways.
inline Status choose_power(ElementwisePlanner& planner) {
  const auto exponent = planner.operand_number(1);
  if (!exponent || exponent->category() == DTypeCategory::complex) return {};
  const double e = exponent->to_double();
  if (planner.compute == ComputeType::int64) {
    if (e < 0)
      return planner.context.fail("integers can't be raised to the negative integer power ", e);
    return {};
  }
  if (planner.compute == ComputeType::complex128) return {};
  if (e == 2) {
    planner.op = mul_op;
    planner.repeat_first();
  } else if (e == 3 || e == 0.5 || e == -0.5 || e == -1) {
    planner.op = e == 3      ? cube_op
                 : e == 0.5  ? square_root_op
                 : e == -0.5 ? inverse_root_op
                             : inverse_op;
  }
  return {};
}

inline void add_rare_arithmetic(ElementwiseTable& table) {
  table
      .binary({"aten::fmax"}, binary_op<on_reals>([](const auto&, auto a, auto b) {
                return a >= b || b != b ? a : b;
              }))
      .binary({"aten::fmin"}, binary_op<on_reals>([](const auto&, auto a, auto b) {
                return a <= b || b != b ? a : b;
              }))
      .binary({"aten::hypot"}, costly(binary_op<on_floats>(
                                   [](const auto&, auto a, auto b) { return std::hypot(a, b); })))
      .binary({"aten::logaddexp"}, costly(binary_op<on_inexact>([](const auto&, auto a, auto b) {
                return log_sum_exp(a, b);
              })))
      .binary({"aten::logaddexp2"}, costly(binary_op<on_floats>([](const auto&, auto a, auto b) {
                return log_sum_exp2(a, b);
              })))
      .binary({"aten::heaviside"}, binary_op<on_reals>([](const auto&, auto a, auto b) {
                return a == 0 ? b : static_cast<decltype(b)>(a > 0 ? 1 : 0);
              }))
      .binary({"aten::gcd"}, costly(binary_op<on_integers>([](const auto&, auto a, auto b) {
                return greatest_divisor(a, b);
              })))
      .binary({"aten::lcm"}, costly(binary_op<on_integers>(
                                 [](const auto&, auto a, auto b) { return least_multiple(a, b); })))
      .binary({"aten::atan2", "aten::arctan2"},
              costly(binary_op<on_floats>(
                  [](const auto&, auto a, auto b) { return std::atan2(a, b); })),
              true)
      .binary({"aten::copysign"},
              binary_op<on_floats>([](const auto&, auto a, auto b) { return std::copysign(a, b); }),
              true)
      .binary({"aten::xlogy", "aten::special_xlogy"},
              costly(binary_op<on_floats>([](const auto&, auto a, auto b) {
                return b == b && a == 0 ? decltype(a)(0) : a * std::log(b);
              })),
              true)
      .binary({"aten::special_xlog1py"},
              costly(binary_op<on_floats>([](const auto&, auto a, auto b) {
                return b == b && a == 0 ? decltype(a)(0) : a * std::log1p(b);
              })),
              true)
      .add({"aten::ldexp"}, {{}, scaled_by_power_op, "01", true, &choose_exponent})
      .add({"aten::nextafter"}, {{}, neighbour_op, "01", false, &choose_neighbour});
}

}  // namespace detail

TREADLE_INLINE void add_arithmetic_kernels(KernelRegistry<Backend>& registry) {
  ElementwiseTable table(arithmetic_ops(), registry);
  table
      .add({"aten::add"},
           {{}, detail::add_scaled_op, "01p", false, &detail::plain_without_alpha<detail::add_op>})
      .add({"aten::sub", "aten::subtract"},
           {{}, detail::sub_scaled_op, "01p", false, &detail::plain_without_alpha<detail::sub_op>})
      .add({"aten::rsub"},
           {{}, detail::sub_scaled_op, "10p", false, &detail::plain_without_alpha<detail::sub_op>})
      .binary({"aten::mul", "aten::multiply"}, detail::mul_op)
      .binary({"aten::div", "aten::divide", "aten::true_divide"}, detail::div_op, true)
      .binary({"aten::floor_divide"}, detail::div_floor_op)
      .binary({"aten::remainder"}, detail::remainder_op)
      .binary({"aten::fmod"}, detail::fmod_op)
      .binary({"aten::maximum", "aten::max.other"}, detail::maximum_op)
      .binary({"aten::minimum", "aten::min.other"}, detail::minimum_op)
      .add({"aten::pow"}, {{}, detail::pow_op, "01", false, &detail::choose_power})
      .add({"aten::float_power"}, {{}, detail::pow_op, "01", true, &detail::choose_power});
  for (const std::string_view name : {"aten::div.Tensor_mode", "aten::div.Scalar_mode",
                                      "aten::divide.Tensor_mode", "aten::divide.Scalar_mode"})
    table.add(name, {{}, detail::div_op, "01", false, &detail::choose_rounding});
  detail::add_rare_arithmetic(table);
}

}  // namespace treadle::inline v0::cpu
