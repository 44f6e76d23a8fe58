// Definitions of histograms over one or several dimensions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// Edges of `bins` equal bins over a range, or over the data if there is none; equal ends are moved
/// apart.
inline Operand bin_edges(Decomposition& d, Operand column, std::int64_t bins,
                         std::span<const double> range) {
  Operand low, high;
  const auto* type = d.type(column);
  const bool empty = type && type->rank() == 1 && type->sizes[0].is(0);
  if (range.size() == 2) {
    const double apart = range[0] == range[1] ? 0.5 : 0;
    low = d.real(range[0] - apart);
    high = d.real(range[1] + apart);
    return d.call("aten::linspace", {low, high, d.integer(bins + 1)}, d.dtype(column));
  }
  if (empty)
    return d.call("aten::linspace", {d.real(0), d.real(1), d.integer(bins + 1)}, d.dtype(column));
  const auto ends = d.call_all("aten::aminmax", {column});
  const auto apart =
      d.call("aten::mul.Tensor", {d.call("aten::eq.Tensor", {ends[0], ends[1]}), d.real(0.5)});
  low = d.call("aten::sub.Tensor", {ends[0], apart});
  high = d.call("aten::add.Tensor", {ends[1], apart});
  return d.call("aten::linspace.Tensor_Tensor", {low, high, d.integer(bins + 1)}, d.dtype(column));
}

/// How often points (rows) fall between the edges of each dimension, or the sums of their weights;
/// `sizes` are the numbers of bins.
inline Operand histogram_of(Decomposition& d, Operands columns, Operands edges,
                            std::span<const std::int64_t> sizes, Operand weight, bool density) {
  Operand place = d.integer(0), inside = d.boolean(true);
  std::int64_t total = 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::int64_t bins = sizes[i];
    const auto edge = [&](std::int64_t k) {
      return d.call("aten::select.int", {edges[i], d.integer(0), d.integer(k)});
    };
    auto bin =
        d.call("aten::searchsorted.Tensor", {edges[i], columns[i]}, {{"right", d.boolean(true)}});
    bin = d.call("aten::sub.Tensor", {bin, d.integer(1)});
    bin = d.call("aten::clamp", {bin, d.integer(0), d.integer(bins - 1)});
    const auto fits =
        d.call("aten::logical_and", {d.call("aten::ge.Tensor", {columns[i], edge(0)}),
                                     d.call("aten::le.Tensor", {columns[i], edge(-1)})});
    inside = i == 0 ? fits : d.call("aten::logical_and", {inside, fits});
    place = i == 0 ? bin
                   : d.call("aten::add.Tensor",
                            {d.call("aten::mul.Tensor", {place, d.integer(bins)}), bin});
    total *= bins;
  }
  const DType dtype = d.dtype(columns[0]);
  auto counts = d.as_dtype(inside, dtype);
  if (!weight.is_none())
    counts = d.call("aten::where.ScalarOther",
                    {inside, d.call("aten::flatten.using_ints", {weight}), d.real(0)});
  counts = d.as_dtype(counts, dtype);
  auto out = d.call("aten::zeros", {d.integers({total})}, dtype);
  out = d.call("aten::scatter_add", {out, d.integer(0), place, counts});
  out = d.call("aten::reshape", {out, d.integers(sizes)});
  if (!density) return out;
  out = d.call("aten::div.Tensor", {out, d.call("aten::sum", {out})});
  for (std::size_t i = 0; i < edges.size(); ++i) {
    auto width = d.call(
        "aten::sub.Tensor",
        {d.call("aten::slice.Tensor", {edges[i], d.integer(0), d.integer(1)}),
         d.call("aten::slice.Tensor", {edges[i], d.integer(0), d.integer(0), d.integer(-1)})});
    for (std::size_t k = i + 1; k < edges.size(); ++k)
      width = d.call("aten::unsqueeze", {width, d.integer(-1)});
    out = d.call("aten::div.Tensor", {out, width});
  }
  return out;
}

inline std::vector<double> range_at(const Decomposition& d, std::size_t i) {
  std::vector<double> out;
  if (const auto* reals = d[i].get<std::vector<double>>()) out = *reals;
  for (const std::int64_t n : d.integers_at(i)) out.push_back(static_cast<double>(n));
  return out;
}
/// The number of bins between edges, -1 if it is not known.
inline std::int64_t bin_count(Decomposition& d, Operand edges) {
  const auto size = d.size(edges, 0);
  const auto* known = size.integer();
  return known ? *known - 1 : -1;
}

/// `histogram(self, bins, range, weight, density)`.
inline Status histogram_counted(Decomposition& d) {
  const std::int64_t bins = d.integer_at(1, 100);
  if (bins < 1) return d.fail("expected at least one bin, found ", bins);
  const auto flat = d.call("aten::flatten.using_ints", {d[0]});
  const auto edges = bin_edges(d, flat, bins, range_at(d, 2));
  auto out = histogram_of(d, {&flat, 1}, {&edges, 1}, {&bins, 1}, d[3], d.boolean_at(4));
  return d.give_all({out, edges});
}
/// `histogram(self, edges, weight, density)`.
inline Status histogram_between(Decomposition& d) {
  const Operand edges = d[1];
  const std::int64_t bins = bin_count(d, edges);
  if (bins < 1) return d.fail("expected a known number of at least one bin");
  const auto flat = d.call("aten::flatten.using_ints", {d[0]});
  auto out = histogram_of(d, {&flat, 1}, {&edges, 1}, {&bins, 1}, d[2], d.boolean_at(3));
  return d.give_all({out, d.call("aten::clone", {d[1]})});
}

/// The coordinates of points, one vector a dimension.
inline OperandList point_columns(Decomposition& d, std::size_t count) {
  const auto points = d.call("aten::flatten.using_ints", {d[0], d.integer(0), d.integer(-2)});
  auto columns = d.make_list();
  for (std::size_t i = 0; i < count; ++i)
    columns.push_back(d.call("aten::select.int",
                             {points, d.integer(1), d.integer(static_cast<std::int64_t>(i))}));
  return columns;
}
inline OperandList edges_of(Decomposition& d, Operands columns, std::span<const std::int64_t> bins,
                            std::span<const double> range) {
  auto edges = d.make_list();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool given = range.size() == 2 * columns.size();
    const auto own = given ? range.subspan(2 * i, 2) : std::span<const double>();
    edges.push_back(bin_edges(d, columns[i], bins[i], own));
  }
  return edges;
}
/// `_histogramdd_bin_edges(self, bins, range, …)` and `_histogramdd_from_bin_cts(…, weight,
/// density)`, apart or together.
inline Status histogram_dims(Decomposition& d, std::span<const std::int64_t> bins, bool counts,
                             bool with_edges) {
  if (bins.empty()) return d.fail("expected a number of bins for every dimension");
  const auto columns = point_columns(d, bins.size());
  auto edges = edges_of(d, columns, bins, range_at(d, 2));
  auto results = d.make_list();
  if (counts) results.push_back(histogram_of(d, columns, edges, bins, d[3], d.boolean_at(4)));
  if (with_edges) results.append(edges);
  return d.give_all(results);
}
inline Status histogram_dims_edges(Decomposition& d) {
  return histogram_dims(d, d.integers_at(1), false, true);
}
inline Status histogram_dims_counts(Decomposition& d) {
  return histogram_dims(d, d.integers_at(1), true, false);
}
inline Status histogram_dims_both(Decomposition& d) {
  return histogram_dims(d, d.integers_at(1), true, true);
}
inline Status histogram_dims_equal(Decomposition& d) {
  const auto* type = d.type(d[0]);
  const auto dims = type && type->rank() > 0 ? type->sizes[type->rank() - 1].value() : std::nullopt;
  if (!dims || *dims < 1) return d.fail("the number of dimensions is not known");
  return histogram_dims(
      d, std::vector<std::int64_t>(static_cast<std::size_t>(*dims), d.integer_at(1, 10)), true,
      true);
}
inline Status histogram_dims_between(Decomposition& d, std::size_t weight, bool with_edges) {
  const auto edges = d.items_at(1);
  std::vector<std::int64_t> bins;
  for (const auto& edge : edges) bins.push_back(bin_count(d, edge));
  for (const std::int64_t count : bins)
    if (count < 1) return d.fail("expected known numbers of at least one bin");
  const auto columns = point_columns(d, edges.size());
  auto results =
      d.make_list({histogram_of(d, columns, edges, bins, d[weight], d.boolean_at(weight + 1))});
  for (std::size_t i = 0; with_edges && i < edges.size(); ++i)
    results.push_back(d.call("aten::clone", {edges[i]}));
  return d.give_all(results);
}
inline Status histogram_dims_given(Decomposition& d) { return histogram_dims_between(d, 2, false); }
inline Status histogram_dims_given_both(Decomposition& d) {
  return histogram_dims_between(d, 3, true);
}

}  // namespace treadle::inline v0::detail::composite
