// Definitions that are another operator's with the arguments in place, or little more.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// `_cast_Float(self, non_blocking)` and its relatives.
template <DType To>
Status cast_to(Decomposition& d) {
  return d.give(d.as_dtype(d[0], To));
}

inline Status stack(Decomposition& d) { return d.give(d.call("aten::stack", {d[0], d[1]})); }
inline Status same_tensor(Decomposition& d) { return d.give(d[0]); }
inline Status negated(Decomposition& d) { return d.give(d.call("aten::neg", {d[0]})); }
inline Status conjugated(Decomposition& d) { return d.give(d.call("aten::conj_physical", {d[0]})); }
inline Status matrix_adjoint(Decomposition& d) { return d.give(d.call("aten::adjoint", {d[0]})); }
inline Status as_strided_(Decomposition& d) {
  return d.give_as_self(d.call("aten::as_strided", {d[0], d[1], d[2], d[3]}));
}

/// `where(condition)`: places of true elements, one list a dimension.
inline Status where_places(Decomposition& d) {
  const std::size_t rank = std::max<std::size_t>(d.rank(d[0]), 1);
  return d.give_all(d.call_all("aten::nonzero_numpy", {d[0]}, rank).first(rank));
}

/// `range(start, end, step)`: the end belongs to it.
inline Status range_from(Decomposition& d, double step, Operand dtype) {
  const double start = d.real_at(0, 0), end = d.real_at(1, 0);
  if (step == 0 || (end - start) / step < 0) return d.fail("the step leads away from the end");
  const double count = std::floor((end - start) / step) + 1;
  if (!(count < 9e18)) return d.fail("start, end and step do not fit");
  const auto type = dtype.is_none() ? d.dtype_constant(DType::float32) : dtype;
  const auto places =
      d.call("aten::arange", {d.integer(static_cast<std::int64_t>(count))}, DType::float64);
  auto out = d.call("aten::mul.Tensor", {places, d.real(step)});
  out = d.call("aten::add.Tensor", {out, d.real(start)});
  return d.give(d.call("aten::to.dtype", {out, type}));
}
inline Status range(Decomposition& d) { return range_from(d, 1, d[2]); }
inline Status range_step(Decomposition& d) { return range_from(d, d.real_at(2, 1), d[3]); }

/// `fill_diagonal_(self, value, wrap)`. In a matrix that is higher than wide, `wrap` begins the
/// diagonal again after every row that it leaves out.
inline Status fill_diagonal(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  if (rank < 2) return d.fail("expected a tensor of at least two dimensions");
  Operand diagonal = d[0];
  for (std::size_t i = 1; i < rank; ++i) diagonal = d.call("aten::diagonal", {diagonal});
  (void)d.call("aten::fill_.Scalar", {diagonal, d[1]});
  if (!d.boolean_at(2) || rank != 2) return d.give(d[0]);
  const auto* type = d.type(d[0]);
  const auto height = type->sizes[0].value(), width = type->sizes[1].value();
  if (!height || !width)
    return d.fail("where a diagonal wraps around depends on sizes that are not known");
  const std::int64_t period = *width + 1;
  if (*height <= period) return d.give(d[0]);
  const auto offset = type->storage_offset.value();
  if (!type->strides[0].is(*width) || !type->strides[1].is(1) || !offset)
    return d.fail("a diagonal wraps around in row-major matrices only");
  const std::int64_t count = (*height * *width + period - 1) / period - *width;
  const auto rest = d.call("aten::as_strided", {d[0], d.integers({count}), d.integers({period}),
                                                d.integer(*offset + *width * period)});
  (void)d.call("aten::fill_.Scalar", {rest, d[1]});
  return d.give(d[0]);
}

/// All places of `r` elements, one column each, in the order of a grid; those that ascend stay.
inline Status wide_combinations(Decomposition& d, std::int64_t r, bool repeats) {
  const auto count = d.size(d[0], 0);
  auto all = d.call("aten::arange", {count});
  auto columns = d.make_list();
  for (std::int64_t k = 0; k < r; ++k) columns.push_back(all);
  columns = d.make_list(d.call_all("aten::meshgrid.indexing", {d.list(columns), d.string("ij")},
                                   static_cast<std::size_t>(r)));
  for (auto& column : columns) column = d.call("aten::flatten.using_ints", {column});
  Operand ascends = d.none();
  for (std::size_t k = 0; k + 1 < columns.size(); ++k) {
    const auto next =
        d.call(repeats ? "aten::le.Tensor" : "aten::lt.Tensor", {columns[k], columns[k + 1]});
    ascends = k == 0 ? next : d.call("aten::logical_and", {ascends, next});
  }
  for (auto& column : columns)
    column = d.call("aten::index_select",
                    {d[0], d.integer(0), d.call("aten::masked_select", {column, ascends})});
  return d.give(d.call("aten::stack", {d.list(columns), d.integer(1)}));
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
  auto columns = d.make_list();
  for (const std::int64_t side : {0, 1})
    columns.push_back(d.call(
        "aten::index_select",
        {d[0], d.integer(0), d.call("aten::select.int", {pairs, d.integer(0), d.integer(side)})}));
  return d.give(d.call("aten::stack", {d.list(columns), d.integer(1)}));
}

/// As many numbers, one of them not 0.
inline Operand padding(Decomposition& d, std::size_t count, std::size_t place, std::int64_t n) {
  auto numbers = d.make_list();
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(d.integer(i == place ? n : 0));
  return d.size_list(numbers);
}
/// `pad_sequence(sequences, batch_first, padding_value, padding_side)`.
inline Status pad_sequence(Decomposition& d) {
  const auto sequences = d.items_at(0);
  const bool left = d.string_at(3) == "left";
  std::int64_t longest = 0;
  for (const Operand sequence : sequences) {
    const auto length = d.rank(sequence) > 0 ? d.size(sequence, 0) : d.none();
    const auto* known = length.integer();
    if (!known) return d.fail("the length of a sequence is not known");
    longest = std::max(longest, *known);
  }
  if (sequences.empty()) return d.fail("expected at least one sequence");
  auto padded = d.make_list();
  for (const Operand sequence : sequences) {
    const std::size_t count = 2 * d.rank(sequence);
    const std::int64_t missing = longest - *d.size(sequence, 0).integer();
    const auto pad = padding(d, count, count - (left ? 2 : 1), missing);
    padded.push_back(d.call("aten::constant_pad_nd", {sequence, pad, d[2]}));
  }
  return d.give(d.call("aten::stack", {d.list(padded), d.integer(d.boolean_at(1) ? 0 : 1)}));
}

/// Powers 0, 1, … of every element along a new last dimension.
inline Operand powers(Decomposition& d, Operand count) {
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
  auto sizes = d.sizes(d[0], 0, rank - dims);
  auto flat = d.make_list(sizes);
  if (d[2].list()) sizes.append(d.items_at(2));
  for (const std::int64_t size : d.integers_at(2)) sizes.push_back(d.integer(size));
  flat.push_back(d.multiply_all(Operands(sizes).subspan(rank - dims)));
  const auto line = [&](Operand x) {
    return d.call("aten::flatten.using_ints", {x, d.integer(-static_cast<std::int64_t>(dims))});
  };
  auto out = d.call("aten::zeros", {d.size_list(flat)}, d.dtype(d[0]));
  out = d.call("aten::scatter.src", {out, d.integer(-1), line(d[1]), line(d[0])});
  return d.give(d.call("aten::reshape", {out, d.size_list(sizes)}));
}
inline Status max_unpool2d(Decomposition& d) { return unpool(d, 2); }
inline Status max_unpool3d(Decomposition& d) { return unpool(d, 3); }

// --- along a dimension ---------------------------------------------------------------------------

/// Running sums of the means of neighbours.
inline Status cumulative_trapezoid(Decomposition& d, Operand widths, std::int64_t dim) {
  const auto part = [&](std::int64_t start, Operand end) {
    return d.call("aten::slice.Tensor", {d[0], d.integer(dim), d.integer(start), end});
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
