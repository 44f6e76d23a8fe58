// Definitions of statistics: quantiles, covariances, counts, bounded norms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

// --- quantiles -----------------------------------------------------------------------------------

/// The elements at fractional places of sorted rows.
inline Operand at_ranks(Decomposition& d, Operand sorted, Operand ranks,
                        std::string_view interpolation) {
  if (interpolation == "lower") ranks = d.call("aten::floor", {ranks});
  if (interpolation == "higher") ranks = d.call("aten::ceil", {ranks});
  if (interpolation == "nearest") ranks = d.call("aten::round", {ranks});
  const auto place = [&](Operand x) {
    const auto index = d.as_dtype(x, DType::int64);
    return d.call("aten::gather", {sorted, d.integer(-1), index});
  };
  const auto floor = d.call("aten::floor", {ranks});
  const auto below = place(floor);
  if (interpolation != "linear" && interpolation != "midpoint") return below;
  const auto above = place(d.call("aten::ceil", {ranks}));
  auto weight = d.call("aten::sub.Tensor", {ranks, floor});
  if (interpolation == "midpoint") weight = d.call("aten::full_like", {ranks, d.real(0.5)});
  return d.call("aten::lerp.Tensor", {below, above, weight});
}

/// Which place of its sorted row each quantile is: NaN is the largest, so one that counts is last.
inline Operand quantile_ranks(Decomposition& d, Operand sorted, Operand q, bool skips_nan) {
  const std::size_t rank = d.rank(sorted);
  const auto nan = d.call("aten::isnan", {sorted});
  auto last = d.call("aten::full_like",
                     {d.call("aten::sum.dim_IntList", {sorted, d.integers({-1}), d.boolean(true)}),
                      d.integer(-1)});
  last = d.call("aten::add.Scalar", {last, d.size(sorted, rank - 1)});
  if (!skips_nan) {
    const auto ranks = d.call("aten::mul.Tensor", {q, last});
    const auto any = d.call("aten::any.dim", {nan, d.integer(-1), d.boolean(true)});
    return d.call("aten::where.self", {any, last, ranks});
  }
  const auto missing = d.call("aten::sum.dim_IntList", {nan, d.integers({-1}), d.boolean(true)});
  last = d.call("aten::clamp", {d.call("aten::sub.Tensor", {last, missing}), d.integer(0)});
  return d.call("aten::mul.Tensor", {q, last});
}

/// `quantile(self, q, dim, keepdim, interpolation)`.
inline Status quantile_of(Decomposition& d, bool skips_nan) {
  const std::size_t rank = d.rank(d[0]);
  const bool whole = d.is_none(2), many = d.type(d[1]) && d.rank(d[1]) == 1;
  const std::size_t dim = whole ? 0 : d.dimension(d.integer_at(2, 0), rank);
  auto rows = whole || rank == 0
                  ? d.call("aten::flatten.using_ints", {d[0]})
                  : d.call("aten::movedim.int",
                           {d[0], d.integer(static_cast<std::int64_t>(dim)), d.integer(-1)});
  rows = d.call_all("aten::sort", {rows})[0];
  auto q = d[1];
  if (!d.type(q)) q = d.call("aten::full", {d.integers({}), q}, d.dtype(d[0]));
  const auto ranks = quantile_ranks(d, rows, q, skips_nan);
  auto out = at_ranks(d, rows, ranks, d.string_at(4));
  out = many ? d.call("aten::movedim.int", {out, d.integer(-1), d.integer(0)})
             : d.call("aten::squeeze.dim", {out, d.integer(-1)});
  if (!d.boolean_at(3)) return d.give(out);
  const auto first = static_cast<std::int64_t>(many ? 1 : 0);
  const auto own = static_cast<std::int64_t>(dim);
  if (!whole && rank > 0) return d.give(d.call("aten::unsqueeze", {out, d.integer(first + own)}));
  for (std::size_t i = 0; i < rank; ++i) out = d.call("aten::unsqueeze", {out, d.integer(first)});
  return d.give(out);
}
inline Status quantile(Decomposition& d) { return quantile_of(d, false); }
inline Status nanquantile(Decomposition& d) { return quantile_of(d, true); }

// --- covariances ---------------------------------------------------------------------------------

/// `cov(self, correction, fweights, aweights)`: rows are variables.
inline Status covariance(Decomposition& d) {
  auto x = d.rank(d[0]) < 2 ? d.call("aten::reshape", {d[0], d.integers({1, -1})}) : d[0];
  if (!is_floating(d.dtype(x)) && !is_complex(d.dtype(x))) x = d.as_dtype(x, DType::float32);
  const Operand correction = d[1], along = d.integers({-1});
  const auto sum = [&](Operand tensor) { return d.call("aten::sum.dim_IntList", {tensor, along}); };
  Operand weights = d.is_none(2) ? d[3] : d[2];
  if (!d.is_none(2) && !d.is_none(3)) weights = d.call("aten::mul.Tensor", {d[2], d[3]});
  Operand mean, scaled, norm;
  if (weights.is_none()) {
    mean = d.call("aten::mean.dim", {x, along, d.boolean(true)});
    norm = d.call("aten::full_like", {mean, d.integer(0)});
    norm =
        d.call("aten::sub.Tensor", {d.call("aten::add.Tensor", {norm, d.size(x, 1)}), correction});
    norm = d.call("aten::select.int", {norm, d.integer(0), d.integer(0)});
    x = d.call("aten::sub.Tensor", {x, mean});
    scaled = x;
  } else {
    const auto total = sum(weights);
    mean = d.call("aten::div.Tensor", {sum(d.call("aten::mul.Tensor", {x, weights})), total});
    norm = d.call("aten::sub.Tensor", {total, correction});
    if (!d.is_none(3) && d.integer_at(1, 1) != 0) {
      auto share = sum(d.call("aten::mul.Tensor", {weights, d[3]}));
      share = d.call("aten::div.Tensor", {share, total});
      norm = d.call("aten::sub.Tensor", {total, d.call("aten::mul.Tensor", {share, correction})});
    }
    x = d.call("aten::sub.Tensor", {x, d.call("aten::unsqueeze", {mean, d.integer(1)})});
    scaled = d.call("aten::mul.Tensor", {x, weights});
  }
  if (is_complex(d.dtype(x))) scaled = d.call("aten::conj", {scaled});
  auto product = d.call("aten::mm", {x, d.call("aten::t", {scaled})});
  if (!is_complex(d.dtype(x))) norm = d.call("aten::clamp", {norm, d.integer(0)});
  product = d.call("aten::div.Tensor", {product, norm});
  return d.give(d.call("aten::squeeze", {product}));
}

inline Status correlation(Decomposition& d) {
  const auto product = d.call("aten::cov", {d[0]});
  // One variable has a number.
  if (d.rank(d[0]) < 2 || d.size(d[0], 0).is(1))
    return d.give(d.call("aten::div.Tensor", {product, product}));
  auto spread = d.call("aten::diagonal", {product});
  if (is_complex(d.dtype(d[0]))) spread = d.call("aten::real", {spread});
  spread = d.call("aten::sqrt", {spread});
  auto out =
      d.call("aten::div.Tensor", {product, d.call("aten::unsqueeze", {spread, d.integer(1)})});
  out = d.call("aten::div.Tensor", {out, d.call("aten::unsqueeze", {spread, d.integer(0)})});
  if (is_complex(d.dtype(d[0]))) return d.give(out);
  return d.give(d.call("aten::clamp", {out, d.integer(-1), d.integer(1)}));
}

// --- counts and norms ----------------------------------------------------------------------------

/// `histc(self, bins, min, max)`; equal ends stand for those of the data.
inline Status histogram_counts(Decomposition& d) {
  const auto flat = d.call("aten::flatten.using_ints", {d[0]});
  const std::int64_t bins = d.integer_at(1, 0);
  if (bins < 1) return d.fail("expected at least one bin, found ", bins);
  const DType dtype = d.dtype(d[0]);
  if (const auto* type = d.type(flat); type && type->rank() == 1 && type->sizes[0].is(0))
    return d.give(d.call("aten::zeros", {d.integers({bins})}, dtype));
  Operand low = d[2], high = d[3];
  if (d.real_at(2, 0) == d.real_at(3, 0)) {
    const auto own = d.call_all("aten::aminmax", {flat});
    const auto same = d.call("aten::eq.Tensor", {own[0], own[1]});
    low = d.call("aten::sub.Tensor", {own[0], same});
    high = d.call("aten::add.Tensor", {own[1], same});
  }
  const auto inside = d.call("aten::logical_and", {d.call("aten::ge.Tensor", {flat, low}),
                                                   d.call("aten::le.Tensor", {flat, high})});
  auto place =
      d.call("aten::mul.Tensor", {d.call("aten::sub.Tensor", {flat, low}), d.integer(bins)});
  const auto width = low.value() ? d.call("aten::sub.Tensor", {high, low})
                                 : d.real(d.real_at(3, 0) - d.real_at(2, 0));
  place = d.call("aten::div.Tensor", {place, width});
  place = d.call("aten::nan_to_num", {place, d.integer(0)});
  place = d.call("aten::clamp", {place, d.integer(0), d.integer(bins - 1)});
  place = d.as_dtype(place, DType::int64);
  const auto zeros = d.call("aten::zeros", {d.integers({bins})}, dtype);
  const auto ones = d.as_dtype(inside, dtype);
  return d.give(d.call("aten::scatter_add", {zeros, d.integer(0), place, ones}));
}

/// `renorm(self, p, dim, maxnorm)`: slices whose norm is larger are scaled down to it.
inline Status renorm(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]), own = d.dimension(d.integer_at(2, 0), rank);
  const auto norm = d.call("aten::linalg_vector_norm",
                           {d[0], d[1], d.other_dimensions(rank, own), d.boolean(true)});
  const auto scale = d.call(
      "aten::mul.Tensor",
      {d.call("aten::reciprocal", {d.call("aten::add.Tensor", {norm, d.real(1e-7)})}), d[3]});
  const auto small = d.call("aten::le.Scalar", {norm, d[3]});
  const auto factor = d.call("aten::masked_fill.Scalar", {scale, small, d.integer(1)});
  return d.give(d.call("aten::mul.Tensor", {d[0], factor}));
}

/// `pdist(self, p)`: distances of rows, each pair once.
inline Status row_distances(Decomposition& d) {
  const auto rows = d.size(d[0], 0);
  const auto pairs = d.call("aten::triu_indices", {rows, rows, d.integer(1)});
  const auto side = [&](std::int64_t which) {
    const auto index = d.call("aten::select.int", {pairs, d.integer(0), d.integer(which)});
    return d.call("aten::index_select", {d[0], d.integer(0), index});
  };
  const auto difference = d.call("aten::sub.Tensor", {side(0), side(1)});
  return d.give(d.call("aten::linalg_vector_norm", {difference, d[1], d.integers({-1})}));
}

/// `multinomial(self, num_samples, replacement)`: the largest of probabilities over exponential
/// draws; with replacement by inversion of the distribution function.
inline Status multinomial(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  if (d.boolean_at(2)) {
    const auto sums = d.call("aten::cumsum", {d[0], d.integer(-1)});
    const auto total = d.call("aten::slice.Tensor", {sums, d.integer(-1), d.integer(-1)});
    auto sizes = d.sizes(d[0], 0, rank == 2 ? 1 : 0);
    sizes.push_back(d[1]);
    auto draws = d.call("aten::rand", {d.size_list(sizes)}, d.dtype(d[0]));
    draws = d.call("aten::mul.Tensor", {draws, total});
    const auto found =
        d.call("aten::searchsorted.Tensor", {sums, draws}, {{"right", d.boolean(true)}});
    const auto last = d.call("aten::add.Scalar", {d.call("aten::full_like", {found, d.integer(-1)}),
                                                  d.size(d[0], rank - 1)});
    return d.give(d.call("aten::minimum", {found, last}));
  }
  auto draws = d.call("aten::empty_like", {d[0]});
  draws = d.call("aten::exponential_", {draws});
  const auto weights = d.call("aten::div.Tensor", {d[0], draws});
  return d.give(d.call_all("aten::topk", {weights, d[1]})[1]);
}

}  // namespace treadle::inline v0::detail::composite
