// Kernels of the mathematical functions of one operand.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/elementwise/kernel.hpp>
#include <treadle/cpu/elementwise/special_functions.hpp>
#include <treadle/ops/elementwise.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

template <class T>
inline constexpr bool is_integer_type = std::is_same_v<T, std::int64_t>;
template <class T>
inline constexpr bool is_compound_type = std::is_same_v<T, std::complex<double>>;

template <class T>
T negated(T x) noexcept {
  if constexpr (is_integer_type<T>)
    return static_cast<T>(0 - static_cast<std::uint64_t>(x));
  else
    return -x;
}
template <class T>
auto magnitude(T x) noexcept {
  if constexpr (is_integer_type<T>)
    return x < 0 ? negated(x) : x;
  else
    return std::abs(x);
}
template <class T>
T sign_of(T x) noexcept {
  if constexpr (is_compound_type<T>)
    return x == T(0) ? T(0) : x / std::abs(x);
  else
    return static_cast<T>((x > 0) - (x < 0));
}
template <class T>
auto phase(T x) noexcept {
  if constexpr (is_compound_type<T>)
    return std::arg(x);
  else
    return x != x ? x : (x < 0 ? T(pi) : T(0));
}
template <class T>
T rounded(T x) noexcept {
  if constexpr (is_integer_type<T>)
    return x;
  else
    return std::nearbyint(x);
}
template <class T>
T replaced(T x, T nan, T above, T below) noexcept {
  if constexpr (is_integer_type<T>) {
    return x;
  } else {
    if (x != x) return nan;
    if (!std::isinf(x)) return x;
    return x > 0 ? above : below;
  }
}

inline constexpr ElementOp neg_op = with_table(
    unary_op<on_all>([](const auto&, auto x) { return negated(x); }), &simd::VectorMaps::neg);
inline constexpr ElementOp abs_op = with_table(
    real_op<on_all>([](const auto&, auto x) { return magnitude(x); }), &simd::VectorMaps::abs);
inline constexpr ElementOp exp_op = costly(with_table(
    unary_op<on_inexact>([](const auto&, auto x) { return std::exp(x); }), &simd::VectorMaps::exp));
inline constexpr ElementOp log_op = costly(with_table(
    unary_op<on_inexact>([](const auto&, auto x) { return std::log(x); }), &simd::VectorMaps::log));
inline constexpr ElementOp tanh_op =
    costly(with_table(unary_op<on_inexact>([](const auto&, auto x) { return std::tanh(x); }),
                      &simd::VectorMaps::tanh));
inline constexpr ElementOp erf_op = costly(with_table(
    unary_op<on_floats>([](const auto&, auto x) { return std::erf(x); }), &simd::VectorMaps::erf));
inline constexpr ElementOp sqrt_op =
    with_table(unary_op<on_inexact>([](const auto&, auto x) { return std::sqrt(x); }),
               &simd::VectorMaps::sqrt);
inline constexpr ElementOp rsqrt_op = with_table(
    unary_op<on_inexact>([](const auto&, auto x) { return decltype(x)(1) / std::sqrt(x); }),
    &simd::VectorMaps::rsqrt);
inline constexpr ElementOp reciprocal_op =
    with_table(unary_op<on_inexact>([](const auto&, auto x) { return decltype(x)(1) / x; }),
               &simd::VectorMaps::reciprocal);
inline constexpr ElementOp square_op =
    with_table(binary_op<on_all>([](const auto&, auto x, auto y) {
                 if constexpr (is_integer_type<decltype(x)>)
                   return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) *
                                                    static_cast<std::uint64_t>(y));
                 else
                   return x * y;
               }),
               &simd::VectorMaps::mul);
inline constexpr ElementOp round_op =
    unary_op<on_reals>([](const auto&, auto x) { return rounded(x); });
/// Parameter: the power of ten to multiply by.
inline constexpr ElementOp round_finer_op =
    unary_op<on_floats>([](const ElementParameters& p, auto x) {
      const auto ten = p.get<decltype(x)>(0);
      return rounded(x * ten) / ten;
    });
inline constexpr ElementOp round_coarser_op =
    unary_op<on_floats>([](const ElementParameters& p, auto x) {
      const auto ten = p.get<decltype(x)>(0);
      return rounded(x / ten) * ten;
    });
inline constexpr ElementOp conjugate_op = unary_op<on_all>([](const auto&, auto x) {
  if constexpr (is_compound_type<decltype(x)>)
    return std::conj(x);
  else
    return x;
});
/// Parameters: what stands for NaN, infinity, minus infinity.
inline constexpr ElementOp nan_to_num_op =
    unary_op<on_reals>([](const ElementParameters& p, auto x) {
      using T = decltype(x);
      return replaced(x, p.get<T>(0), p.get<T>(1), p.get<T>(2));
    });

/// A double-precision function for both float types.
template <double (*Function)(double) noexcept>
constexpr ElementOp special_op() {
  return costly(unary_op<on_floats>([](const auto&, auto x) {
    return static_cast<decltype(x)>(Function(static_cast<double>(x)));
  }));
}
inline double bessel_i0e(double x) noexcept { return scaled_bessel_i(0, x); }
inline double bessel_i1e(double x) noexcept { return scaled_bessel_i(1, x); }
inline double bessel_i0(double x) noexcept {
  const double scaled = scaled_bessel_i(0, x);
  return std::isinf(x) ? std::abs(x) : scaled * std::exp(std::abs(x));
}
inline double bessel_i1(double x) noexcept { return scaled_bessel_i(1, x) * std::exp(std::abs(x)); }

inline Status square_operand(ElementwisePlanner& planner) {
  planner.repeat_first();
  return {};
}
inline Status choose_decimals(ElementwisePlanner& planner) {
  const std::int64_t decimals = planner.number(1).value_or(Scalar(0)).to_int();
  if (decimals == 0) return {};
  if (planner.compute == ComputeType::int64)
    return planner.context.fail("decimals must be 0 for integers, found ", decimals);
  planner.op = decimals > 0 ? round_finer_op : round_coarser_op;
  planner.parameters.set(0, Scalar(std::pow(10.0, std::abs(static_cast<double>(decimals)))));
  return {};
}
inline double largest(DType dtype) noexcept {
  switch (dtype) {
    case DType::float16: return 65504.0;
    case DType::bfloat16: return 3.3895313892515355e38;
    case DType::float64: return std::numeric_limits<double>::max();
    default: return std::numeric_limits<float>::max();
  }
}
inline Status set_replacements(ElementwisePlanner& planner) {
  const double most = largest(planner.promoted);
  planner.parameters.set(0, planner.number(1).value_or(Scalar(0.0)));
  planner.parameters.set(1, planner.number(2).value_or(Scalar(most)));
  planner.parameters.set(2, planner.number(3).value_or(Scalar(-most)));
  return {};
}

inline void add_powers_and_logarithms(ElementwiseTable& table) {
  table.unary({"aten::exp"}, exp_op, true)
      .unary({"aten::log"}, log_op, true)
      .unary({"aten::sqrt"}, sqrt_op, true)
      .unary({"aten::rsqrt"}, rsqrt_op, true)
      .unary({"aten::reciprocal"}, reciprocal_op, true)
      .unary({"aten::exp2", "aten::special_exp2"},
             costly(unary_op<on_inexact>([](const auto&, auto x) {
               if constexpr (is_compound_type<decltype(x)>)
                 return std::exp(x * 0.69314718055994530942);
               else
                 return std::exp2(x);
             })),
             true)
      .unary({"aten::expm1", "aten::special_expm1"},
             costly(unary_op<on_inexact>([](const auto&, auto x) {
               if constexpr (is_compound_type<decltype(x)>)
                 return std::exp(x) - 1.0;
               else
                 return std::expm1(x);
             })),
             true)
      .unary({"aten::log2"}, costly(unary_op<on_inexact>([](const auto&, auto x) {
               if constexpr (is_compound_type<decltype(x)>)
                 return std::log(x) / 0.69314718055994530942;
               else
                 return std::log2(x);
             })),
             true)
      .unary({"aten::log10"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::log10(x); })), true)
      .unary({"aten::log1p", "aten::special_log1p"},
             costly(unary_op<on_inexact>([](const auto&, auto x) {
               if constexpr (is_compound_type<decltype(x)>)
                 return std::log(x + 1.0);
               else
                 return std::log1p(x);
             })),
             true);
}

inline void add_trigonometry(ElementwiseTable& table) {
  table.unary({"aten::tanh"}, tanh_op, true)
      .unary({"aten::sin"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::sin(x); })), true)
      .unary({"aten::cos"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::cos(x); })), true)
      .unary({"aten::tan"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::tan(x); })), true)
      .unary({"aten::asin", "aten::arcsin"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::asin(x); })), true)
      .unary({"aten::acos", "aten::arccos"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::acos(x); })), true)
      .unary({"aten::atan", "aten::arctan"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::atan(x); })), true)
      .unary({"aten::sinh"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::sinh(x); })), true)
      .unary({"aten::cosh"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::cosh(x); })), true)
      .unary({"aten::asinh", "aten::arcsinh"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::asinh(x); })), true)
      .unary({"aten::acosh", "aten::arccosh"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::acosh(x); })), true)
      .unary({"aten::atanh", "aten::arctanh"},
             costly(unary_op<on_inexact>([](const auto&, auto x) { return std::atanh(x); })), true)
      .unary({"aten::deg2rad"}, unary_op<on_floats>([](const auto&, auto x) {
               return x * static_cast<decltype(x)>(pi / 180);
             }),
             true)
      .unary({"aten::rad2deg"}, unary_op<on_floats>([](const auto&, auto x) {
               return x * static_cast<decltype(x)>(180 / pi);
             }),
             true)
      .unary({"aten::angle"}, real_op<on_inexact>([](const auto&, auto x) { return phase(x); }),
             true);
}

inline void add_special_functions(ElementwiseTable& table) {
  table.unary({"aten::erf", "aten::special_erf"}, erf_op, true)
      .unary({"aten::erfc", "aten::special_erfc"},
             costly(unary_op<on_floats>([](const auto&, auto x) { return std::erfc(x); })), true)
      .unary({"aten::lgamma", "aten::special_gammaln"},
             costly(unary_op<on_floats>([](const auto&, auto x) { return std::lgamma(x); })), true)
      .unary({"aten::erfinv", "aten::special_erfinv"}, special_op<&inverse_erf>(), true)
      .unary({"aten::digamma", "aten::special_digamma", "aten::special_psi"},
             special_op<&digamma>(), true)
      .unary({"aten::sinc", "aten::special_sinc"},
             costly(unary_op<on_inexact>([](const auto&, auto x) {
               using T = decltype(x);
               return x == T(0) ? T(1) : std::sin(x * T(pi)) / (x * T(pi));
             })),
             true)
      .unary({"aten::i0", "aten::special_i0"}, special_op<&bessel_i0>(), true)
      .unary({"aten::special_i0e"}, special_op<&bessel_i0e>(), true)
      .unary({"aten::special_i1"}, special_op<&bessel_i1>(), true)
      .unary({"aten::special_i1e"}, special_op<&bessel_i1e>(), true)
      .unary({"aten::special_ndtr"}, special_op<&normal_cdf>(), true)
      .unary({"aten::special_log_ndtr"}, special_op<&log_normal_cdf>(), true)
      .unary({"aten::special_ndtri"}, special_op<&normal_quantile>(), true)
      .unary({"aten::special_entr"}, special_op<&entropy_term>(), true)
      .unary({"aten::special_erfcx"}, special_op<&scaled_erfc>(), true);
}

template <class Round>
constexpr ElementOp rounding_op(Round) {
  return unary_op<on_reals>([](const auto&, auto x) {
    if constexpr (is_integer_type<decltype(x)>)
      return x;
    else
      return Round{}(x);
  });
}

inline void add_signs_and_rounding(ElementwiseTable& table) {
  table.unary({"aten::neg", "aten::negative"}, neg_op)
      .unary({"aten::abs", "aten::absolute"}, abs_op)
      .unary({"aten::sign", "aten::sgn"},
             unary_op<on_all>([](const auto&, auto x) { return sign_of(x); }))
      .unary({"aten::ceil"}, rounding_op([](auto x) { return std::ceil(x); }))
      .unary({"aten::floor"}, rounding_op([](auto x) { return std::floor(x); }))
      .unary({"aten::trunc", "aten::fix"}, rounding_op([](auto x) { return std::trunc(x); }))
      .unary({"aten::frac"},
             unary_op<on_floats>([](const auto&, auto x) { return x - std::trunc(x); }))
      .add({"aten::round", "aten::special_round"}, {{}, round_op, "0"})
      .add("aten::round.decimals", {{}, round_op, "0", false, &choose_decimals})
      .add("aten::special_round", {{}, round_op, "0", false, &choose_decimals})
      .add("aten::square", {{}, square_op, "0", false, &square_operand})
      .add("aten::nan_to_num", {{}, nan_to_num_op, "0", false, &set_replacements})
      .unary({"aten::conj_physical", "aten::_conj_physical"}, conjugate_op);
}

}  // namespace detail

TREADLE_INLINE void add_math_kernels(KernelRegistry<Backend>& registry) {
  ElementwiseTable table(math_ops(), registry);
  detail::add_powers_and_logarithms(table);
  detail::add_trigonometry(table);
  detail::add_special_functions(table);
  detail::add_signs_and_rounding(table);
}

TREADLE_INLINE void add_conjugate_kernels(KernelRegistry<Backend>& registry) {
  ElementwiseTable table(copy_ops(), registry);
  table.unary({"aten::conj", "aten::_conj"}, detail::conjugate_op);
}

}  // namespace treadle::inline v0::cpu
