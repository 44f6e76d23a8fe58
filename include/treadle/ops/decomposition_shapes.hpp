// Definitions of composite operators that rearrange, difference, measure or draw windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <string_view>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

// --- in-place changes of sizes and strides -------------------------------------------------------

/// `aten::unsqueeze_` and the like: the tensor is its view from here on.
inline Status view_in_place(Decomposition& d, std::string_view view, std::size_t arguments) {
  auto given = d.make_list();
  for (std::size_t i = 0; i < arguments; ++i) given.push_back(d[i]);
  return d.give_as_self(d.call(view, given));
}
inline Status t_(Decomposition& d) { return view_in_place(d, "aten::t", 1); }
inline Status transpose_(Decomposition& d) { return view_in_place(d, "aten::transpose.int", 3); }
inline Status squeeze_(Decomposition& d) { return view_in_place(d, "aten::squeeze", 1); }
inline Status squeeze_dim_(Decomposition& d) { return view_in_place(d, "aten::squeeze.dim", 2); }
inline Status squeeze_dims_(Decomposition& d) { return view_in_place(d, "aten::squeeze.dims", 2); }
inline Status unsqueeze_(Decomposition& d) { return view_in_place(d, "aten::unsqueeze", 2); }

inline Status linalg_diagonal(Decomposition& d) {
  return d.give(d.call("aten::diagonal", {d[0], d[1], d[2], d[3]}));
}

// --- differences and sums along a dimension ------------------------------------------------------

inline Operand slice_from(Decomposition& d, Operand tensor, std::int64_t dim, std::int64_t start,
                          Operand end) {
  return d.call("aten::slice.Tensor", {tensor, d.integer(dim), d.integer(start), end});
}

inline Status diff(Decomposition& d) {
  const std::int64_t n = d.integer_at(1, 1), dim = d.integer_at(2, -1);
  if (n < 0) return d.fail("expected an order of at least 0, found ", n);
  auto parts = d.make_list();
  for (const std::size_t i : {std::size_t{3}, std::size_t{0}, std::size_t{4}})
    if (!d.is_none(i)) parts.push_back(d[i]);
  Operand out = d[0];
  if (parts.size() > 1) out = d.call("aten::cat", {d.list(parts), d.integer(dim)});
  const bool logical = d.dtype(out) == DType::bool_;
  for (std::int64_t i = 0; i < n && i < 64; ++i) {
    const auto later = slice_from(d, out, dim, 1, d.none());
    const auto earlier = slice_from(d, out, dim, 0, d.integer(-1));
    out = d.call(logical ? "aten::logical_xor" : "aten::sub.Tensor", {later, earlier});
  }
  return d.give(n == 0 && parts.size() == 1 ? d.call("aten::clone", {out}) : out);
}

/// Twice the means of neighbours, summed with weights.
inline Status trapezoid(Decomposition& d, Operand heights, Operand widths, std::int64_t dim) {
  const auto left = slice_from(d, heights, dim, 0, d.integer(-1));
  const auto right = slice_from(d, heights, dim, 1, d.none());
  auto sum = d.call("aten::add.Tensor", {left, right});
  sum = d.call("aten::mul.Tensor", {sum, widths});
  sum = d.call("aten::sum.dim_IntList", {sum, d.integers({dim})});
  return d.give(d.call("aten::div.Tensor", {sum, d.real(2)}));
}
inline Status trapezoid_dx(Decomposition& d) {
  return trapezoid(d, d[0], d[1], d.integer_at(2, -1));
}
inline Status trapezoid_x(Decomposition& d) {
  const std::int64_t dim = d.integer_at(2, -1);
  const std::int64_t own = d.rank(d[1]) == 1 ? 0 : dim;
  auto widths = d.call("aten::sub.Tensor", {slice_from(d, d[1], own, 1, d.none()),
                                            slice_from(d, d[1], own, 0, d.integer(-1))});
  // A vector of places lies along `dim`: later dimensions follow it.
  const std::size_t rank = d.rank(d[0]);
  if (d.rank(d[1]) == 1)
    for (std::size_t i = d.dimension(dim, rank) + 1; i < rank; ++i)
      widths = d.call("aten::unsqueeze", {widths, d.integer(-1)});
  return trapezoid(d, d[0], widths, dim);
}

/// `sum_to_size(self, size)`: sums dimensions that `size` lacks or has as 1.
inline Status sum_to_size(Decomposition& d) {
  auto sizes = d.make_list();
  if (d[1].list()) sizes = d.make_list(d.items_at(1));
  for (const std::int64_t size : d.integers_at(1)) sizes.push_back(d.integer(size));
  const std::size_t rank = d.rank(d[0]), given = sizes.size();
  if (d.is_none(1) || given > rank) return d.fail("expected sizes, no more than ", rank);
  if (given == 0) return d.give(d.call("aten::sum", {d[0]}));
  const std::size_t lead = rank - given;
  auto kept = d.make_list(), gone = d.make_list();
  for (std::size_t i = 0; i < rank; ++i) {
    const auto at = d.integer(static_cast<std::int64_t>(i));
    if (i < lead)
      gone.push_back(at);
    else if (sizes[i - lead].is(1) && !d.size(d[0], i).is(1))
      kept.push_back(at);
  }
  Operand out = d[0];
  if (!kept.empty())
    out = d.call("aten::sum.dim_IntList", {out, d.size_list(kept), d.boolean(true)});
  if (!gone.empty()) out = d.call("aten::sum.dim_IntList", {out, d.size_list(gone)});
  return d.give(out);
}

/// Rolls the dimensions by half their sizes; `up` rounds the half of odd ones upwards.
inline Status half_roll(Decomposition& d, bool up) {
  const std::size_t rank = d.rank(d[0]);
  const auto dims = d.is_none(1) ? d.all_dimensions(rank) : d.integers_at(1);
  auto shifts = d.make_list();
  for (const std::int64_t dim : dims) {
    const auto size = d.size(d[0], d.dimension(dim, rank));
    const auto* known = size.integer();
    if (!known) return d.fail("the size of dimension ", dim, " is not known");
    shifts.push_back(d.integer((*known + (up ? 1 : 0)) / 2));
  }
  return d.give(d.call("aten::roll", {d[0], d.size_list(shifts), d.integers(dims)}));
}
inline Status fftshift(Decomposition& d) { return half_roll(d, false); }
inline Status ifftshift(Decomposition& d) { return half_roll(d, true); }

// --- norms ---------------------------------------------------------------------------------------

inline Status dist(Decomposition& d) {
  const auto difference = d.call("aten::sub.Tensor", {d[0], d[1]});
  return d.give(d.call("aten::linalg_vector_norm", {difference, d[2]}));
}
inline Status frobenius_norm(Decomposition& d) {
  return d.give(d.call("aten::linalg_vector_norm", {d[0], d.real(2), d[1], d[2]}));
}

inline Status norm_except_dim(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  const std::int64_t kept = d.integer_at(2, 0);
  const std::size_t but = kept == -1 ? rank : d.dimension(kept, rank);
  if (but == rank) return d.give(d.call("aten::linalg_vector_norm", {d[0], d[1]}));
  return d.give(d.call("aten::linalg_vector_norm",
                       {d[0], d[1], d.other_dimensions(rank, but), d.boolean(true)}));
}

// --- single elements -----------------------------------------------------------------------------

inline Status isreal(Decomposition& d) {
  if (!is_complex(d.dtype(d[0]))) return d.give(d.call("aten::ones_like", {d[0]}, DType::bool_));
  return d.give(d.call("aten::eq.Scalar", {d.call("aten::imag", {d[0]}), d.integer(0)}));
}
inline Status diagflat(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  const auto flat = rank == 1 ? d[0] : d.call("aten::flatten.using_ints", {d[0]});
  return d.give(d.call("aten::diag_embed", {flat, d[1]}));
}

// --- windows -------------------------------------------------------------------------------------

struct WindowArguments {
  Operand length, dtype;
  bool periodic = true;
};

/// Arguments of a window: length, maybe `periodic`, then a dtype at `at`.
inline WindowArguments window_arguments(Decomposition& d, std::size_t at) {
  return {d[0], d[at], at == 1 || d.boolean_at(1)};
}

/// The sum of `factors[k] cos(2 pi k n / N)`, N being the length, or one less if not periodic.
inline Status cosine_window(Decomposition& d, const WindowArguments& window,
                            std::span<const double> factors) {
  const auto* length = window.length.integer();
  if (!length || *length < 0) return d.fail("expected a constant length of at least 0");
  const auto* wanted = window.dtype.get<DType>();
  const DType dtype = wanted ? *wanted : DType::float32;
  if (*length <= 1) return d.give(d.call("aten::ones", {d.integers({*length})}, dtype));
  const double period = static_cast<double>(window.periodic ? *length : *length - 1);
  const auto places = d.call("aten::arange", {d.integer(*length)}, DType::float64);
  Operand sum;
  for (std::size_t k = 1; k < factors.size(); ++k) {
    const double step = 2 * std::numbers::pi * static_cast<double>(k) / period;
    auto term = d.call("aten::cos", {d.call("aten::mul.Tensor", {places, d.real(step)})});
    term = d.call("aten::mul.Tensor", {term, d.real(factors[k])});
    sum = k == 1 ? term : d.call("aten::add.Tensor", {sum, term});
  }
  sum = d.call("aten::add.Tensor", {sum, d.real(factors[0])});
  return d.give(d.as_dtype(sum, dtype));
}
inline Status hann_window(Decomposition& d) {
  return cosine_window(d, window_arguments(d, 1), {{0.5, -0.5}});
}
inline Status hann_window_periodic(Decomposition& d) {
  return cosine_window(d, window_arguments(d, 2), {{0.5, -0.5}});
}
inline Status hamming_window(Decomposition& d) {
  return cosine_window(d, window_arguments(d, 1), {{0.54, -0.46}});
}
inline Status hamming_window_periodic(Decomposition& d) {
  return cosine_window(d, window_arguments(d, 2), {{0.54, -0.46}});
}
inline Status blackman_window(Decomposition& d) {
  return cosine_window(d, window_arguments(d, 1), {{0.42, -0.5, 0.08}});
}
inline Status blackman_window_periodic(Decomposition& d) {
  return cosine_window(d, window_arguments(d, 2), {{0.42, -0.5, 0.08}});
}

}  // namespace treadle::inline v0::detail::composite
