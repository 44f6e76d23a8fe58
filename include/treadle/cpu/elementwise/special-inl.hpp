// Kernels of Bessel, gamma and zeta functions and of orthogonal polynomials.
#pragma once

#include <cmath>
#include <cstdint>

#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/elementwise/bessel_functions.hpp>
#include <treadle/cpu/elementwise/gamma_functions.hpp>
#include <treadle/cpu/elementwise/kernel.hpp>
#include <treadle/cpu/elementwise/orthogonal_polynomials.hpp>
#include <treadle/ops/elementwise.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// A double-precision function of one number, or of two, for both float types.
template <double (*Function)(double) noexcept>
constexpr ElementOp double_op() {
  return costly(unary_op<on_floats>([](const auto&, auto x) {
    return static_cast<decltype(x)>(Function(static_cast<double>(x)));
  }));
}
template <double (*Function)(double, double) noexcept>
constexpr ElementOp double_op2() {
  return costly(binary_op<on_floats>([](const auto&, auto a, auto b) {
    return static_cast<decltype(a)>(Function(static_cast<double>(a), static_cast<double>(b)));
  }));
}
/// The same on [0, 1] instead of [-1, 1].
template <double (*Function)(double, double) noexcept>
double shifted(double x, double n) noexcept {
  return Function(2 * x - 1, n);
}
/// Hermite's polynomials: the degree that overflows depends on the type.
template <int Factor>
constexpr ElementOp hermite_op() {
  return costly(binary_op<on_floats>([](const auto&, auto x, auto n) {
    const double limit = sizeof(x) == sizeof(float) ? 128 : 512;
    return static_cast<decltype(x)>(
        hermite_recurrence(static_cast<double>(x), static_cast<double>(n), Factor, limit));
  }));
}
inline double plain_bessel_i0(double x) noexcept {
  return scaled_bessel_i(0, x) * std::exp(std::abs(x));
}
inline double plain_bessel_i1(double x) noexcept {
  return scaled_bessel_i(1, x) * std::exp(std::abs(x));
}
/// Parameter: which derivative.
inline constexpr ElementOp polygamma_op =
    costly(unary_op<on_floats>([](const ElementParameters& p, auto x) {
      return static_cast<decltype(x)>(polygamma(p.get<double>(0), static_cast<double>(x)));
    }));
inline Status check_derivative(ElementwisePlanner& planner) {
  const std::int64_t n = planner.number(0).value_or(Scalar(0)).to_int();
  if (n < 0) return planner.context.fail("n must not be negative, found ", n);
  return {};
}

inline void add_bessel_functions(ElementwiseTable& table) {
  table.unary({"aten::special_bessel_j0"}, double_op<&bessel_j0>(), true)
      .unary({"aten::special_bessel_j1"}, double_op<&bessel_j1>(), true)
      .unary({"aten::special_bessel_y0"}, double_op<&bessel_y0>(), true)
      .unary({"aten::special_bessel_y1"}, double_op<&bessel_y1>(), true)
      .unary({"aten::special_modified_bessel_i0"}, double_op<&plain_bessel_i0>(), true)
      .unary({"aten::special_modified_bessel_i1"}, double_op<&plain_bessel_i1>(), true)
      .unary({"aten::special_modified_bessel_k0"}, double_op<&bessel_k0>(), true)
      .unary({"aten::special_modified_bessel_k1"}, double_op<&bessel_k1>(), true)
      .unary({"aten::special_scaled_modified_bessel_k0"}, double_op<&scaled_bessel_k0>(), true)
      .unary({"aten::special_scaled_modified_bessel_k1"}, double_op<&scaled_bessel_k1>(), true)
      .unary({"aten::special_spherical_bessel_j0"}, double_op<&spherical_bessel_j0>(), true)
      .unary({"aten::special_airy_ai"}, double_op<&airy_ai>(), true);
}

inline void add_gamma_functions(ElementwiseTable& table) {
  table.binary({"aten::igamma", "aten::special_gammainc"}, double_op2<&lower_gamma>(), true)
      .binary({"aten::igammac", "aten::special_gammaincc"}, double_op2<&upper_gamma>(), true)
      .binary({"aten::special_zeta"}, double_op2<&hurwitz_zeta>(), true)
      .add({"aten::polygamma", "aten::special_polygamma"},
           {{}, polygamma_op, "p0", true, &check_derivative});
}

inline void add_polynomials(ElementwiseTable& table) {
  table.binary({"aten::special_chebyshev_polynomial_t"}, double_op2<&chebyshev_t>(), true)
      .binary({"aten::special_chebyshev_polynomial_u"}, double_op2<&chebyshev_u>(), true)
      .binary({"aten::special_chebyshev_polynomial_v"}, double_op2<&chebyshev_v>(), true)
      .binary({"aten::special_chebyshev_polynomial_w"}, double_op2<&chebyshev_w>(), true)
      .binary({"aten::special_shifted_chebyshev_polynomial_t"},
              double_op2<&shifted<&chebyshev_t>>(), true)
      .binary({"aten::special_shifted_chebyshev_polynomial_u"},
              double_op2<&shifted<&chebyshev_u>>(), true)
      .binary({"aten::special_shifted_chebyshev_polynomial_v"},
              double_op2<&shifted<&chebyshev_v>>(), true)
      .binary({"aten::special_shifted_chebyshev_polynomial_w"},
              double_op2<&shifted<&chebyshev_w>>(), true)
      .binary({"aten::special_hermite_polynomial_h"}, hermite_op<2>(), true)
      .binary({"aten::special_hermite_polynomial_he"}, hermite_op<1>(), true)
      .binary({"aten::special_laguerre_polynomial_l"}, double_op2<&laguerre_l>(), true)
      .binary({"aten::special_legendre_polynomial_p"}, double_op2<&legendre_p>(), true);
}

}  // namespace detail

TREADLE_INLINE void add_special_kernels(KernelRegistry<Backend>& registry) {
  ElementwiseTable table(special_ops(), registry);
  detail::add_bessel_functions(table);
  detail::add_gamma_functions(table);
  detail::add_polynomials(table);
}

}  // namespace treadle::inline v0::cpu
