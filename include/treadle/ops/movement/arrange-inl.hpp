// Shape rules of operators that repeat, flip, roll or reorder elements.
#pragma once

#include <utility>

#include <treadle/ops/view/dims-inl.hpp>
#include <treadle/ops/view/slice-inl.hpp>

namespace treadle::inline v0::detail::movement {

/// New contiguous memory of these sizes.
inline Status packed(InferContext& context, SymDims sizes) {
  const auto& self = context.tensor(0);
  context.add(make_type(self.dtype, std::move(sizes), self.device));
  return {};
}

inline Status like_self(InferContext& context) {
  context.add(rules::like(context.tensor(0), context.tensor(0).dtype));
  return {};
}
inline Status packed_self(InferContext& context) {
  return packed(context, context.tensor(0).sizes);
}

inline Status check_counts(const InferContext& context, const SymDims& counts) {
  for (const auto& c : counts)
    if (c.known() && *c.value() < 0)
      return context.fail("repeats can't be negative, found ", to_string(counts));
  return {};
}

inline Status repeat(InferContext& context) {
  const auto& self = context.tensor(0);
  SymDims sizes = context.integers(1);
  TREADLE_CHECK(check_counts(context, sizes));
  if (sizes.size() < self.rank())
    return context.fail("expected at least ", self.rank(), " repeats, found ", to_string(sizes));
  const std::size_t lead = sizes.size() - self.rank();
  for (std::size_t i = 0; i < self.rank(); ++i) sizes[lead + i] = sizes[lead + i] * self.sizes[i];
  return packed(context, std::move(sizes));
}

inline Status tile(InferContext& context) {
  const auto& self = context.tensor(0);
  SymDims counts = context.integers(1);
  TREADLE_CHECK(check_counts(context, counts));
  SymDims sizes = self.sizes;
  while (counts.size() < sizes.size()) counts.insert(counts.begin(), SymInt(1));
  while (sizes.size() < counts.size()) sizes.insert(sizes.begin(), SymInt(1));
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = sizes[i] * counts[i];
  return packed(context, std::move(sizes));
}

/// The sizes that are repeated: of `self`, or of its elements in one row.
inline Result<std::size_t> repeated_dimension(const InferContext& context, std::size_t dim_at,
                                              SymDims& sizes) {
  sizes = context.tensor(0).sizes;
  if (context.is_none(dim_at)) {
    sizes = {element_count(sizes)};
    return std::size_t{0};
  }
  TREADLE_TRY(const std::size_t dim, context.dimension(dim_at, sizes.size()));
  if (sizes.empty()) sizes = {SymInt(1)};
  return dim;
}

inline Status repeat_interleave_int(InferContext& context) {
  SymDims sizes;
  TREADLE_TRY(const std::size_t dim, repeated_dimension(context, 2, sizes));
  TREADLE_CHECK(check_counts(context, {context.integer(1)}));
  sizes[dim] = sizes[dim] * context.integer(1);
  return packed(context, std::move(sizes));
}

inline Status repeat_interleave_tensor(InferContext& context) {
  const auto& repeats = context.tensor(1);
  SymDims sizes;
  TREADLE_TRY(const std::size_t dim, repeated_dimension(context, 2, sizes));
  if (!is_integral(repeats.dtype) || repeats.rank() > 1)
    return context.fail("'repeats' must be a vector of integers, found ", name(repeats.dtype),
                        to_string(repeats.sizes));
  const bool fits = repeats.rank() == 0 || repeats.sizes[0].is(1) || !repeats.sizes[0].known() ||
                    !sizes[dim].known() || repeats.sizes[0] == sizes[dim];
  if (!fits)
    return context.fail("'repeats' of sizes ", to_string(repeats.sizes), " do not fit size ",
                        to_string(sizes[dim]));
  sizes[dim] = context.is_none(3) ? context.unknown_size() : context.integer(3);
  return packed(context, std::move(sizes));
}

/// The indices that repeat each position as often as it says.
inline Status repeat_interleave_counts(InferContext& context) {
  const auto& repeats = context.tensor(0);
  if (!is_integral(repeats.dtype) || repeats.rank() != 1)
    return context.fail("'repeats' must be a vector of integers, found ", name(repeats.dtype),
                        to_string(repeats.sizes));
  const SymInt size = context.is_none(1) ? context.unknown_size() : context.integer(1);
  context.add(make_type(repeats.dtype, {size}, repeats.device));
  return {};
}

inline Status flip(InferContext& context) {
  TREADLE_CHECK(rules::wrap_dimensions(context, context.integers(1), context.tensor(0).rank()));
  return like_self(context);
}
template <std::size_t Least>
Status flip_axis(InferContext& context) {
  if (context.tensor(0).rank() < Least)
    return context.fail("expected at least ", Least, " dimensions, found ",
                        context.tensor(0).rank());
  return like_self(context);
}

inline Status roll(InferContext& context) {
  const SymDims shifts = context.integers(1), dims = context.integers(2);
  const bool fits = dims.empty() ? shifts.size() == 1 : shifts.size() == dims.size();
  if (!fits)
    return context.fail("found ", shifts.size(), " shifts of ", dims.size(), " dimensions");
  for (const auto& d : dims) TREADLE_CHECK(context.wrap_dimension(d, context.tensor(0).rank()));
  return packed_self(context);
}

inline Status rot90(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const auto dims, rules::wrap_dimensions(context, context.integers(2), self.rank()));
  if (dims.size() != 2 || self.rank() < 2)
    return context.fail("a rotation needs two dimensions, found ", dims.size());
  const std::int64_t turns = context.integer(1).value_or(0);
  if (turns % 4 == 0) return packed(context, self.sizes);
  TensorType out = rules::like(self, self.dtype);
  if (turns % 2 != 0) {
    std::swap(out.sizes[dims[0]], out.sizes[dims[1]]);
    std::swap(out.strides[dims[0]], out.strides[dims[1]]);
  }
  context.add(std::move(out));
  return {};
}

inline Status triangle(InferContext& context) {
  if (context.tensor(0).rank() < 2)
    return context.fail("expected at least 2 dimensions, found ", context.tensor(0).rank());
  return packed_self(context);
}

/// Vectors become diagonal matrices, matrices their diagonal.
inline Status diag(InferContext& context) {
  const auto& self = context.tensor(0);
  const std::int64_t offset = context.integer(1).value_or(0);
  const SymInt extra = offset < 0 ? -offset : offset;
  if (self.rank() == 1) return packed(context, SymDims(2, self.sizes[0] + extra));
  if (self.rank() != 2) return context.fail("expected 1 or 2 dimensions, found ", self.rank());
  const SymInt rows = offset < 0 ? self.sizes[0] - extra : self.sizes[0];
  const SymInt columns = offset > 0 ? self.sizes[1] - extra : self.sizes[1];
  SymInt length = min(rows, columns);
  if (length.known() && *length.value() < 0) length = 0;
  return packed(context, {length});
}

inline Status diag_embed(InferContext& context) {
  const auto& self = context.tensor(0);
  if (self.rank() == 0) return context.fail("expected at least 1 dimension, found 0");
  TREADLE_TRY(const std::size_t a, context.dimension(2, self.rank() + 1));
  TREADLE_TRY(const std::size_t b, context.dimension(3, self.rank() + 1));
  if (a == b) return context.fail("a diagonal needs two different dimensions, found ", a, " twice");
  const std::int64_t offset = context.integer(1).value_or(0);
  const SymInt size = self.sizes.back() + SymInt(offset < 0 ? -offset : offset);
  SymDims sizes(self.sizes.begin(), self.sizes.end() - 1);
  for (std::size_t d : {std::min(a, b), std::max(a, b)})
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(d), size);
  return packed(context, std::move(sizes));
}

/// Surely several positions of one element, as expanded tensors have them?
[[nodiscard]] inline bool repeats_elements(const TensorType& type) {
  for (std::size_t i = 0; i < type.rank(); ++i)
    if (type.strides[i].is(0) && !type.sizes[i].is(1)) return true;
  return false;
}

/// Rules of `slice_scatter` and the like: `self` keeps its type, gaps included; `src` is cast.
inline Status part_scatter(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_CHECK(like_self(context));
  if (!repeats_elements(self)) context.results().back().type.strides = self.strides;
  return {};
}

/// New memory of these sizes in the format that the strides of `self` suggest.
inline Status suggested(InferContext& context, SymDims sizes) {
  const auto& self = context.tensor(0);
  TensorType out = make_type(self.dtype, std::move(sizes), self.device);
  out.strides = rules::format_strides(out.sizes, rules::suggested_format(self));
  context.add(std::move(out));
  return {};
}

template <bool Up>
Status pixels(InferContext& context) {
  const auto& self = context.tensor(0);
  const std::size_t rank = self.rank();
  const std::int64_t factor = context.integer(1).value_or(0);
  constexpr std::int64_t most = 1 << 30;  // its square must fit
  if (rank < 3 || factor <= 0 || factor > most)
    return context.fail("expected at least 3 dimensions and a positive factor, found ", rank,
                        " and ", factor);
  SymDims sizes = self.sizes;
  const SymInt f = factor, area = factor * factor;
  SymInt &channels = sizes[rank - 3], &height = sizes[rank - 2], &width = sizes[rank - 1];
  const auto divides = [](const SymInt& n, std::int64_t d) {
    return !n.known() || *n.value() % d == 0;
  };
  const bool fits =
      Up ? divides(channels, factor * factor) : divides(height, factor) && divides(width, factor);
  if (!fits) return context.fail("sizes ", to_string(sizes), " do not divide by ", factor);
  channels = Up ? floor_div(channels, area) : channels * area;
  height = Up ? height * f : floor_div(height, f);
  width = Up ? width * f : floor_div(width, f);
  return suggested(context, std::move(sizes));
}

inline Status channel_shuffle(InferContext& context) {
  const auto& self = context.tensor(0);
  const SymInt groups = context.integer(1);
  if (self.rank() < 3 || (groups.known() && *groups.value() <= 0) ||
      (groups.known() && self.sizes[1].known() && *self.sizes[1].value() % *groups.value() != 0))
    return context.fail("sizes ", to_string(self.sizes), " have no ", to_string(groups),
                        " groups of channels");
  return suggested(context, self.sizes);
}

}  // namespace treadle::inline v0::detail::movement
