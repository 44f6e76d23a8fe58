// Definitions of norms of matrices.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <treadle/ops/decomposition.hpp>
#include <treadle/ops/linalg/linalg_definitions.hpp>

namespace treadle::inline v0::detail::composite {

/// What a matrix norm takes besides its order.
struct MatrixNormArguments {
  std::int64_t rows = -2, columns = -1;
  bool keeps = false;
};

/// Sums of magnitudes along one dimension, then the largest or smallest of them.
inline Operand norm_of_sums(Decomposition& d, Operand matrix, std::int64_t summed,
                            std::int64_t other, bool largest, bool keeps) {
  auto sums = d.call("aten::sum.dim_IntList",
                     {d.call("aten::abs", {matrix}), d.integers({summed}), d.boolean(true)});
  sums =
      d.call(largest ? "aten::amax" : "aten::amin", {sums, d.integers({other}), d.boolean(true)});
  if (keeps) return sums;
  return d.call("aten::squeeze.dims", {sums, d.integers({summed, other})});
}

/// The largest, the smallest or the sum of the singular values.
inline Operand norm_of_spectrum(Decomposition& d, Operand matrix, const MatrixNormArguments& call,
                                std::string_view reduction) {
  const auto last = d.call("aten::movedim.intlist",
                           {matrix, d.integers({call.rows, call.columns}), d.integers({-2, -1})});
  auto norm = d.call(reduction, {singular_values(d, last), d.integers({-1})});
  if (!call.keeps) return norm;
  for (const std::int64_t dim :
       {std::min(call.rows, call.columns), std::max(call.rows, call.columns)})
    norm = d.call("aten::unsqueeze", {norm, d.integer(dim)});
  return norm;
}

/// Dimensions in [0, rank); all of a matrix if none are given.
inline MatrixNormArguments norm_dims(Decomposition& d, std::size_t dims_at, std::size_t keep_at) {
  MatrixNormArguments call;
  const std::size_t rank = d.rank(d[0]);
  const auto dims = d.integers_at(dims_at);
  if ((!dims.empty() && dims.size() != 2) || rank < 2)
    (void)d.fail("expected a matrix and two dimensions");
  call.rows = static_cast<std::int64_t>(d.dimension(dims.empty() ? -2 : dims[0], rank));
  call.columns = static_cast<std::int64_t>(d.dimension(dims.empty() ? -1 : dims.back(), rank));
  call.keeps = d.boolean_at(keep_at);
  return call;
}

inline Operand as_wanted(Decomposition& d, Operand dtype) {
  return dtype.is_none() ? d[0] : d.call("aten::to.dtype", {d[0], dtype});
}

inline Operand matrix_norm_of_order(Decomposition& d, Operand matrix, double order,
                                    const MatrixNormArguments& call) {
  const bool largest = order > 0;
  if (std::abs(order) == 2)
    return norm_of_spectrum(d, matrix, call, largest ? "aten::amax" : "aten::amin");
  if (std::abs(order) == 1)
    return norm_of_sums(d, matrix, call.rows, call.columns, largest, call.keeps);
  if (std::isinf(order))
    return norm_of_sums(d, matrix, call.columns, call.rows, largest, call.keeps);
  (void)d.fail("the orders of a matrix norm are 1, 2, inf and their negatives, found ", order);
  return matrix;
}

inline Status matrix_norm_named(Decomposition& d, std::string_view order,
                                const MatrixNormArguments& call, Operand dtype) {
  const auto matrix = as_wanted(d, dtype);
  if (order == "nuc") return d.give(norm_of_spectrum(d, matrix, call, "aten::sum.dim_IntList"));
  if (order != "fro") return d.fail("the order must be 'fro' or 'nuc', found '", order, "'");
  return d.give(
      d.call("aten::linalg_vector_norm",
             {matrix, d.real(2), d.integers({call.rows, call.columns}), d.boolean(call.keeps)}));
}

/// `linalg_matrix_norm(self, ord, dim, keepdim, dtype)`.
inline Status matrix_norm(Decomposition& d) {
  const auto call = norm_dims(d, 2, 3);
  return d.give(matrix_norm_of_order(d, as_wanted(d, d[4]), d.real_at(1, 2), call));
}
inline Status matrix_norm_text(Decomposition& d) {
  return matrix_norm_named(d, d.string_at(1), norm_dims(d, 2, 3), d[4]);
}

/// `linalg_norm(self, ord, dim, keepdim, dtype)`: of vectors or of matrices.
inline Status any_norm(Decomposition& d) {
  const std::size_t count = d.is_none(2) ? d.rank(d[0]) : d.integers_at(2).size();
  if (!d.is_none(1) && count == 2) return matrix_norm(d);
  if (!d.is_none(1) && count != 1)
    return d.fail("an order goes with one or two dimensions, found ", count);
  const Operand order = d.is_none(1) ? d.real(2) : d[1];
  return d.give(d.call("aten::linalg_vector_norm", {d[0], order, d[2], d[3]}, {{"dtype", d[4]}}));
}

/// `nuclear_norm(self, keepdim)`.
inline Status nuclear_norm(Decomposition& d) {
  return matrix_norm_named(d, "nuc", {0, 1, d.boolean_at(1)}, d.none());
}
inline Status nuclear_norm_dims(Decomposition& d) {
  return matrix_norm_named(d, "nuc", norm_dims(d, 1, 2), d.none());
}

}  // namespace treadle::inline v0::detail::composite
