// Definitions that are another operator's with the arguments in place, or little more.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// `_cast_Float(self, non_blocking)` and its relatives.
template <DType To>
Status cast_to(Decomposition& d) {
  return d.give(d.call("aten::to.dtype", {d[0], Constant(To)}));
}

inline Status stack(Decomposition& d) { return d.give(d.call("aten::stack", {d[0], d[1]})); }
inline Status same_tensor(Decomposition& d) { return d.give(d[0]); }
inline Status matrix_adjoint(Decomposition& d) { return d.give(d.call("aten::adjoint", {d[0]})); }
inline Status as_strided_(Decomposition& d) {
  return d.give_as_self(d.call("aten::as_strided", {d[0], d[1], d[2], d[3]}));
}

/// `where(condition)`: places of true elements, one list a dimension.
inline Status where_places(Decomposition& d) {
  const std::size_t rank = std::max<std::size_t>(d.rank(d[0]), 1);
  auto made = d.call_all("aten::nonzero_numpy", {d[0]}, rank);
  made.resize(rank);
  return d.give_all(std::move(made));
}

/// `range(start, end, step)`: the end belongs to it.
inline Status range_from(Decomposition& d, double step, const Argument& dtype) {
  const double start = d.real_at(0, 0), end = d.real_at(1, 0);
  if (step == 0 || (end - start) / step < 0) return d.fail("the step leads away from the end");
  const double count = std::floor((end - start) / step) + 1;
  const auto type = dtype.is_none() ? Argument(Constant(DType::float32)) : dtype;
  const auto places = d.call("aten::arange", {d.integer(static_cast<std::int64_t>(count))},
                             {{"dtype", Constant(DType::float64), true}});
  auto out = d.call("aten::mul.Tensor", {places, d.real(step)});
  out = d.call("aten::add.Tensor", {out, d.real(start)});
  return d.give(d.call("aten::to.dtype", {out, type}));
}
inline Status range(Decomposition& d) { return range_from(d, 1, d[2]); }
inline Status range_step(Decomposition& d) { return range_from(d, d.real_at(2, 1), d[3]); }

/// `fill_diagonal_(self, value, wrap)`.
inline Status fill_diagonal(Decomposition& d) {
  const auto* type = d.type(d[0]);
  const std::size_t rank = d.rank(d[0]);
  if (!type || rank < 2) return d.fail("expected a tensor of at least two dimensions");
  std::int64_t count = -1, step = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto size = type->sizes[i].value(), stride = type->strides[i].value();
    if (!size || !stride) return d.fail("the sizes of the tensor are not known");
    count = count < 0 ? *size : std::min(count, *size);
    step += *stride;
  }
  if (d.boolean_at(2)) return d.fail("a diagonal that wraps around has no definition");
  const auto offset = type->storage_offset.value();
  const auto diagonal = d.call("aten::as_strided", {d[0], d.integers({count}), d.integers({step}),
                                                    d.integer(offset.value_or(0))});
  (void)d.call("aten::fill_.Scalar", {diagonal, d[1]});
  return d.give(d[0]);
}

/// All places of `r` elements, one column each, in the order of a grid; those that ascend stay.
inline Status wide_combinations(Decomposition& d, std::int64_t r, bool repeats) {
  const auto count = d.size(d[0], 0);
  auto all = d.call("aten::arange", {count});
  Argument::List columns;
  for (std::int64_t k = 0; k < r; ++k) columns.push_back(all);
  columns = d.call_all("aten::meshgrid.indexing", {columns, Constant(std::string("ij"))},
                       static_cast<std::size_t>(r));
  for (auto& column : columns) column = d.call("aten::flatten.using_ints", {column});
  Argument ascends = d.none();
  for (std::size_t k = 0; k + 1 < columns.size(); ++k) {
    const auto next =
        d.call(repeats ? "aten::le.Tensor" : "aten::lt.Tensor", {columns[k], columns[k + 1]});
    ascends = k == 0 ? next : d.call("aten::logical_and", {ascends, next});
  }
  for (auto& column : columns)
    column = d.call("aten::index_select",
                    {d[0], d.integer(0), d.call("aten::masked_select", {column, ascends})});
  return d.give(d.call("aten::stack", {columns, d.integer(1)}));
}

/// `combinations(self, r, with_replacement)`.
inline Status combinations(Decomposition& d) {
  const std::int64_t r = d.integer_at(1, 2);
  if (r == 1) return d.give(d.call("aten::unsqueeze", {d[0], d.integer(1)}));
  if (r != 2 && (r < 1 || r > 8)) return d.fail("r must lie in [1, 8], found ", r);
  if (r > 2) return wide_combinations(d, r, d.boolean_at(2));
  const auto count = d.size(d[0], 0);
  const auto pairs =
      d.call("aten::triu_indices", {count, count, d.integer(d.boolean_at(2) ? 0 : 1)});
  Argument::List columns;
  for (const std::int64_t side : {0, 1})
    columns.push_back(d.call(
        "aten::index_select",
        {d[0], d.integer(0), d.call("aten::select.int", {pairs, d.integer(0), d.integer(side)})}));
  return d.give(d.call("aten::stack", {columns, d.integer(1)}));
}

/// `pad_sequence(sequences, batch_first, padding_value, padding_side)`.
inline Status pad_sequence(Decomposition& d) {
  const auto sequences = d.items_at(0);
  const bool left = d.string_at(3) == "left";
  std::vector<std::int64_t> lengths;
  for (const auto& sequence : sequences) {
    const auto length = d.rank(sequence) > 0 ? d.size(sequence, 0) : d.none();
    const auto* known = length.get<std::int64_t>();
    if (!known) return d.fail("the length of a sequence is not known");
    lengths.push_back(*known);
  }
  if (lengths.empty()) return d.fail("expected at least one sequence");
  const std::int64_t longest = *std::max_element(lengths.begin(), lengths.end());
  Argument::List padded;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::vector<std::int64_t> pad(2 * d.rank(sequences[i]), 0);
    pad[pad.size() - (left ? 2 : 1)] = longest - lengths[i];
    padded.push_back(d.call("aten::constant_pad_nd", {sequences[i], d.integers(pad), d[2]}));
  }
  return d.give(d.call("aten::stack", {padded, d.integer(d.boolean_at(1) ? 0 : 1)}));
}

/// Powers 0, 1, … of every element along a new last dimension.
inline Argument powers(Decomposition& d, const Argument& count) {
  const auto places = d.call("aten::arange", {count});
  return d.call("aten::pow.Tensor_Tensor",
                {d.call("aten::unsqueeze", {d[0], d.integer(-1)}), places});
}
inline Status linalg_vander(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  if (rank == 0) return d.fail("expected a tensor with dimensions");
  return d.give(powers(d, d.is_none(1) ? d.size(d[0], rank - 1) : d[1]));
}
/// Highest powers first unless `increasing`.
inline Status vander(Decomposition& d) {
  if (d.rank(d[0]) != 1) return d.fail("expected a vector");
  const auto made = powers(d, d.is_none(1) ? d.size(d[0], 0) : d[1]);
  if (d.boolean_at(2)) return d.give(made);
  return d.give(d.call("aten::flip", {made, d.integers({-1})}));
}

/// `max_unpool2d(self, indices, output_size)`: elements go where they came from.
inline Status unpool(Decomposition& d, std::size_t dims) {
  const std::size_t rank = d.rank(d[0]);
  if (rank < dims + 1) return d.fail("expected ", dims + 1, " dimensions or one more");
  std::vector<Argument> flat, sizes;
  for (std::size_t i = 0; i + dims < rank; ++i) sizes.push_back(d.size(d[0], i));
  flat = sizes;
  Argument area = d.integer(1);
  for (const auto& size : d[2].list() ? *d[2].list() : Argument::List{}) sizes.push_back(size);
  for (const std::int64_t size : d.integers_at(2)) sizes.push_back(d.integer(size));
  for (std::size_t i = rank - dims; i < sizes.size(); ++i) area = d.multiply(area, sizes[i]);
  flat.push_back(area);
  const auto line = [&](const Argument& x) {
    return d.call("aten::flatten.using_ints", {x, d.integer(-static_cast<std::int64_t>(dims))});
  };
  auto out = d.call("aten::zeros", {Decomposition::size_list(flat)},
                    {{"dtype", Constant(d.dtype(d[0])), true}});
  out = d.call("aten::scatter.src", {out, d.integer(-1), line(d[1]), line(d[0])});
  return d.give(d.call("aten::reshape", {out, Decomposition::size_list(sizes)}));
}
inline Status max_unpool2d(Decomposition& d) { return unpool(d, 2); }
inline Status max_unpool3d(Decomposition& d) { return unpool(d, 3); }

// --- along a dimension ---------------------------------------------------------------------------

/// Running sums of the means of neighbours.
inline Status cumulative_trapezoid(Decomposition& d, const Argument& widths, std::int64_t dim) {
  const auto part = [&](std::int64_t start, Argument end) {
    return d.call("aten::slice.Tensor", {d[0], d.integer(dim), d.integer(start), std::move(end)});
  };
  auto sum = d.call("aten::add.Tensor", {part(0, d.integer(-1)), part(1, d.none())});
  sum = d.call("aten::cumsum", {d.call("aten::mul.Tensor", {sum, widths}), d.integer(dim)});
  return d.give(d.call("aten::div.Tensor", {sum, d.real(2)}));
}
inline Status cumulative_trapezoid_dx(Decomposition& d) {
  return cumulative_trapezoid(d, d[1], d.integer_at(2, -1));
}
inline Status cumulative_trapezoid_x(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]), own_rank = d.rank(d[1]);
  const std::int64_t dim = d.integer_at(2, -1);
  const bool vector = own_rank == 1 && rank > 1;
  auto widths = d.call("aten::diff", {d[1], d.integer(1), d.integer(vector ? 0 : dim)});
  for (std::size_t i = d.dimension(dim, rank) + 1; vector && i < rank; ++i)
    widths = d.call("aten::unsqueeze", {widths, d.integer(-1)});
  return cumulative_trapezoid(d, widths, dim);
}

}  // namespace treadle::inline v0::detail::composite
