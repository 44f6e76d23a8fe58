// Definitions of linear algebra by factorizations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <treadle/ops/decomposition.hpp>
#include <treadle/ops/promotion.hpp>

namespace treadle::inline v0::detail::composite {

inline Status inverse(Decomposition& d) {
  return d.give(d.call("aten::linalg_inv_ex", {d[0]}, {{"check_errors", d.boolean(true)}}));
}
inline Status cholesky_checked(Decomposition& d) {
  return d.give(d.call("aten::linalg_cholesky_ex", {d[0], d[1], d.boolean(true)}));
}
inline Status determinant(Decomposition& d) { return d.give(d.call("aten::_linalg_det", {d[0]})); }
inline Status sign_and_logarithm(Decomposition& d) {
  const auto made = d.call_all("aten::_linalg_slogdet", {d[0]});
  return d.give_all({made[0], made[1]});
}
/// Undefined for negative determinants.
inline Status log_determinant(Decomposition& d) {
  const auto made = d.call_all("aten::_linalg_slogdet", {d[0]});
  if (is_complex(d.dtype(d[0])))
    return d.give(d.call("aten::add.Tensor", {d.call("aten::log", {made[0]}), made[1]}));
  const auto negative = d.call("aten::eq.Scalar", {made[0], d.integer(-1)});
  const auto undefined = d.real(std::numeric_limits<double>::quiet_NaN());
  return d.give(d.call("aten::masked_fill.Scalar", {made[1], negative, undefined}));
}
inline Status solve(Decomposition& d) {
  return d.give(d.call("aten::_linalg_solve_ex", {d[0], d[1], d[2], d.boolean(true)}));
}
inline Status solve_with_info(Decomposition& d) {
  const auto made = d.call_all("aten::_linalg_solve_ex", {d[0], d[1], d[2], d[3]});
  return d.give_all({made[0], made[3]});
}

// --- triangular and orthogonal factors -----------------------------------------------------------

inline Status lu(Decomposition& d) {
  const auto factors = d.call_all("aten::linalg_lu_factor_ex", {d[0], d[1]});
  return d.give_all(d.call_all("aten::lu_unpack", {factors[0], factors[1]}).first(3));
}
inline Status lu_factor(Decomposition& d) {
  const auto made = d.call_all("aten::linalg_lu_factor_ex", {d[0], d[1], d.boolean(true)});
  return d.give_all({made[0], made[1]});
}
inline Status lu_with_info(Decomposition& d) {
  return d.give_all(d.call_all("aten::linalg_lu_factor_ex", {d[0], d[1], d[2]}).first(3));
}
inline Status lu_solve(Decomposition& d) {
  return d.give(d.call("aten::linalg_lu_solve", {d[1], d[2], d[0]}));
}
inline Status orgqr(Decomposition& d) {
  return d.give(d.call("aten::linalg_householder_product", {d[0], d[1]}));
}
inline Status qr(Decomposition& d) {
  const char* mode = d.boolean_at(1) ? "reduced" : "complete";
  return d.give_all(d.call_all("aten::linalg_qr", {d[0], d.string(mode)}).first(2));
}
inline Status matrix_exponential(Decomposition& d) {
  return d.give(d.call("aten::linalg_matrix_exp", {d[0]}));
}

// --- spectra -------------------------------------------------------------------------------------

inline Status eigh(Decomposition& d) {
  return d.give_all(d.call_all("aten::_linalg_eigh", {d[0], d[1]}).first(2));
}
inline Status eigvalsh(Decomposition& d) {
  return d.give(d.call("aten::_linalg_eigh", {d[0], d[1], d.boolean(false)}));
}
inline Status svd(Decomposition& d) {
  return d.give_all(d.call_all("aten::_linalg_svd", {d[0], d[1], d.boolean(true)}).first(3));
}
inline Operand singular_values(Decomposition& d, Operand matrix) {
  return d.call_all("aten::_linalg_svd", {matrix, d.boolean(false), d.boolean(false)})[1];
}
inline Status svdvals(Decomposition& d) { return d.give(singular_values(d, d[0])); }
/// The old interface: V in place of its adjoint.
inline Status old_svd(Decomposition& d) {
  if (!d.boolean_at(2)) return d.fail("expected compute_uv=True");
  const auto made =
      d.call_all("aten::_linalg_svd", {d[0], d.boolean(!d.boolean_at(1)), d.boolean(true)});
  return d.give_all({made[0], made[1], d.call("aten::mH", {made[2]})});
}

// --- what singular values decide -----------------------------------------------------------------

/// Numbers or tensors below which singular values count as zero.
struct SpectrumTolerance {
  Operand absolute, relative;
};

/// PyTorch's defaults: nothing absolute; the rounding error of the larger size if nothing is given.
inline SpectrumTolerance spectrum_tolerance(Decomposition& d, Operand absolute, Operand relative) {
  const bool none =
      absolute.is_none() || (absolute.get<double>() && !(*absolute.get<double>() > 0));
  if (relative.is_none() && none) {
    const std::size_t rank = d.rank(d[0]);
    std::int64_t largest = 1;
    for (std::size_t i = rank < 2 ? 0 : rank - 2; i < rank; ++i) {
      const auto size = d.size(d[0], i);
      if (const auto* known = size.integer()) largest = std::max(largest, *known);
    }
    const bool wide = real_dtype(d.dtype(d[0])) == DType::float64;
    relative = d.real(static_cast<double>(largest) *
                      (wide ? 2.220446049250313e-16 : 1.1920928955078125e-07));
  }
  if (relative.is_none()) relative = d.real(0);
  if (absolute.is_none()) absolute = d.real(0);
  return {absolute, relative};
}

/// One bound a matrix, as a last dimension of size 1.
inline Operand spectrum_bound(Decomposition& d, Operand values,
                              const SpectrumTolerance& tolerance) {
  const auto lifted = [&](Operand x) {
    return d.type(x) && d.rank(x) > 0 ? d.call("aten::unsqueeze", {x, d.integer(-1)}) : x;
  };
  const auto largest = d.call("aten::amax", {values, d.integers({-1}), d.boolean(true)});
  const auto relative = d.call("aten::mul.Tensor", {largest, lifted(tolerance.relative)});
  if (const auto* number = tolerance.absolute.get<double>())
    return d.call("aten::clamp", {relative, d.real(*number)});
  return d.call("aten::maximum", {relative, lifted(tolerance.absolute)});
}

/// The inverse of a matrix without elements has none either.
inline Status empty_inverse(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  auto sizes = d.sizes(d[0], 0, rank - 2);
  sizes.append({d.size(d[0], rank - 1), d.size(d[0], rank - 2)});
  return d.give(d.call("aten::zeros", {d.size_list(sizes)}, d.dtype(d[0])));
}

inline Status pseudo_inverse(Decomposition& d, const SpectrumTolerance& tolerance, bool hermitian) {
  if (const auto* type = d.type(d[0]); type && type->rank() > 1)
    for (const auto& size : type->sizes)
      if (size.is(0)) return empty_inverse(d);
  Operand left, values, right;
  if (hermitian) {
    const auto made = d.call_all("aten::_linalg_eigh", {d[0]});
    values = made[0];
    right = made[1];
    left = d.call("aten::mH", {made[1]});
  } else {
    const auto made = d.call_all("aten::_linalg_svd", {d[0]});
    values = made[1];
    right = d.call("aten::mH", {made[2]});
    left = d.call("aten::mH", {made[0]});
  }
  const auto sizes = hermitian ? d.call("aten::abs", {values}) : values;
  const auto bound = spectrum_bound(d, sizes, tolerance);
  const auto small = d.call("aten::le.Tensor", {sizes, bound});
  auto inverted = d.call("aten::reciprocal", {values});
  inverted = d.call("aten::masked_fill.Scalar", {inverted, small, d.integer(0)});
  inverted = d.call("aten::unsqueeze", {inverted, d.integer(-2)});
  return d.give(d.call("aten::matmul", {d.call("aten::mul.Tensor", {right, inverted}), left}));
}
inline Status pinv(Decomposition& d) {
  return pseudo_inverse(d, {d.real(0), d[1]}, d.boolean_at(2));
}
inline Status pinverse(Decomposition& d) { return pseudo_inverse(d, {d.real(0), d[1]}, false); }
inline Status pinv_tolerances(Decomposition& d) {
  return pseudo_inverse(d, spectrum_tolerance(d, d[1], d[2]), d.boolean_at(3));
}

inline Operand rank_of(Decomposition& d, const SpectrumTolerance& tolerance, bool hermitian) {
  Operand values;
  if (hermitian) {
    values = d.call("aten::_linalg_eigh", {d[0], d.string("L"), d.boolean(false)});
    values = d.call("aten::abs", {values});
  } else {
    values = singular_values(d, d[0]);
  }
  const auto large = d.call("aten::gt.Tensor", {values, spectrum_bound(d, values, tolerance)});
  return d.call("aten::sum.dim_IntList", {large, d.integers({-1})});
}
inline Status matrix_rank(Decomposition& d) {
  return d.give(rank_of(d, {d[1], d.real(0)}, d.boolean_at(2)));
}
inline Status matrix_rank_tolerances(Decomposition& d) {
  return d.give(rank_of(d, spectrum_tolerance(d, d[1], d[2]), d.boolean_at(3)));
}

/// The solution of least norm that leaves the least squares, as LAPACK's default driver `gelsy`.
inline Status least_squares(Decomposition& d) {
  const std::string_view driver = d.string_at(3);
  if (!driver.empty() && driver != "gelsy")
    return d.fail("the driver 'gelsy' is known, found '", driver, "'");
  const auto tolerance = spectrum_tolerance(d, d.none(), d[2]);
  const auto inverse =
      d.call("aten::linalg_pinv.atol_rtol_float", {d[0]}, {{"rtol", tolerance.relative}});
  const bool vector = d.rank(d[1]) + 1 == d.rank(d[0]);
  const auto b = vector ? d.call("aten::unsqueeze", {d[1], d.integer(-1)}) : d[1];
  auto solution = d.call("aten::matmul", {inverse, b});
  if (vector) solution = d.call("aten::squeeze.dim", {solution, d.integer(-1)});
  const auto nothing = [&](DType dtype) {
    return d.call("aten::empty.memory_format", {d.integers({0})}, dtype);
  };
  const DType real = real_dtype(d.dtype(d[0]));
  return d.give_all({solution, nothing(real), rank_of(d, tolerance, false), nothing(real)});
}

/// The largest singular value over the smallest.
inline Status condition(Decomposition& d) {
  const double order = d.is_none(1) ? 2 : d.real_at(1, 0);
  if (order == 2 || order == -2) {
    const auto values = singular_values(d, d[0]);
    const auto first = d.call("aten::select.int", {values, d.integer(-1), d.integer(0)});
    const auto last = d.call("aten::select.int", {values, d.integer(-1), d.integer(-1)});
    return d.give(d.call("aten::div.Tensor", {order > 0 ? first : last, order > 0 ? last : first}));
  }
  const auto inverse = d.call("aten::linalg_inv_ex", {d[0]});
  const auto own = d.call("aten::linalg_matrix_norm", {d[0], d[1]});
  return d.give(
      d.call("aten::mul.Tensor", {own, d.call("aten::linalg_matrix_norm", {inverse, d[1]})}));
}

}  // namespace treadle::inline v0::detail::composite
