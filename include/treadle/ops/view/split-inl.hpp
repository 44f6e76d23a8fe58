// Shape rules of views that cut a dimension into several parts.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <treadle/ops/view/slice-inl.hpp>

namespace treadle::inline v0::detail::views {

/// Adjacent parts of these lengths, from position 0 on.
inline void add_parts(InferContext& context, std::size_t dim, const SymDims& lengths) {
  const auto& self = context.tensor(0);
  context.begin_list(lengths.size());
  SymInt start = 0;
  for (const auto& length : lengths) {
    context.add_view(part(self, dim, start, length, 1), 0);
    start = start + length;
  }
}

/// `count` parts of `length`, the last one shorter.
inline SymDims equal_lengths(const SymInt& size, const SymInt& length, std::int64_t count) {
  SymDims lengths(static_cast<std::size_t>(count), length);
  lengths.back() = size - length * SymInt(count - 1);
  return lengths;
}

inline Status split(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, real_dimension(context, context.integer(2), self));
  const SymInt size = self.sizes[dim], length = context.integer(1);
  if (length.known() && (*length.value() < 0 || (length.is(0) && !size.is(0))))
    return context.fail("can't split size ", to_string(size), " into parts of ", to_string(length));
  SymInt count = 1;
  if (!length.is(0)) count = floor_div(size + length - SymInt(1), length);
  if (!count.known())
    return context.fail("the number of parts must be known: size ", to_string(size),
                        " in parts of ", to_string(length));
  add_parts(context, dim, equal_lengths(size, length, std::max<std::int64_t>(*count.value(), 1)));
  return {};
}

inline Status split_sizes(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, real_dimension(context, context.integer(2), self));
  const SymDims lengths = context.integers(1);
  SymInt sum = 0;
  for (const auto& length : lengths) {
    if (length.known() && *length.value() < 0)
      return context.fail("parts can't have negative sizes, found ", to_string(lengths));
    sum = sum + length;
  }
  if (sum.known() && self.sizes[dim].known() && !(sum == self.sizes[dim]))
    return context.fail("parts of ", to_string(lengths), " do not sum up to size ",
                        to_string(self.sizes[dim]));
  add_parts(context, dim, lengths);
  return {};
}

inline Status chunk(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, real_dimension(context, context.integer(2), self));
  const auto chunks = context.integer(1).value_or(0);
  if (chunks <= 0) return context.fail("the number of chunks must be positive, found ", chunks);
  const SymInt size = self.sizes[dim];
  const SymInt length = floor_div(size + SymInt(chunks - 1), SymInt(chunks));
  std::int64_t count = chunks;
  if (size.known() && !length.is(0))
    count = (*size.value() + *length.value() - 1) / *length.value();
  add_parts(context, dim, equal_lengths(size, length, count));
  return {};
}

/// `sections` parts whose sizes differ by at most one, the longer ones first.
inline Status add_sections(InferContext& context, std::size_t dim, std::int64_t sections) {
  if (sections <= 0)
    return context.fail("the number of sections must be positive, found ", sections);
  SymDims lengths;
  for (std::int64_t i = 0; i < sections; ++i)
    lengths.push_back(
        floor_div(context.tensor(0).sizes[dim] + SymInt(sections - 1 - i), SymInt(sections)));
  add_parts(context, dim, lengths);
  return {};
}

/// Parts between these positions.
inline Status add_cuts(InferContext& context, std::size_t dim, const SymDims& cuts) {
  const auto& self = context.tensor(0);
  context.begin_list(cuts.size() + 1);
  SymInt previous = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const SymInt& size = self.sizes[dim];
    const SymInt start = rules::clamp_position(previous, size);
    const SymInt end = i < cuts.size() ? rules::clamp_position(cuts[i], size) : size;
    context.add_view(part(self, dim, start, slice_length(start, end, 1), 1), 0);
    if (i < cuts.size()) previous = cuts[i];
  }
  return {};
}

inline Status tensor_split_sections(InferContext& context) {
  TREADLE_TRY(const std::size_t dim,
              real_dimension(context, context.integer(2), context.tensor(0)));
  return add_sections(context, dim, context.integer(1).value_or(0));
}
inline Status tensor_split_indices(InferContext& context) {
  TREADLE_TRY(const std::size_t dim,
              real_dimension(context, context.integer(2), context.tensor(0)));
  return add_cuts(context, dim, context.integers(1));
}

/// The dimension that `hsplit` (1), `vsplit` (0) and `dsplit` (2) cut.
inline Result<std::size_t> split_axis(const InferContext& context, std::size_t axis) {
  const std::size_t rank = context.tensor(0).rank();
  const std::size_t least = axis == 1 ? 1 : axis == 0 ? 2 : 3;
  if (rank < least) return context.fail("expected at least ", least, " dimensions, found ", rank);
  return axis == 1 && rank == 1 ? std::size_t{0} : axis;
}
template <std::size_t Axis>
Status axis_split(InferContext& context) {
  TREADLE_TRY(const std::size_t dim, split_axis(context, Axis));
  const auto sections = context.integer(1).value_or(0);
  const auto size = context.tensor(0).sizes[dim].value();
  if (sections > 0 && size && *size % sections != 0)
    return context.fail("size ", *size, " can't be cut into ", sections, " equal parts");
  return add_sections(context, dim, sections);
}
template <std::size_t Axis>
Status axis_split_at(InferContext& context) {
  TREADLE_TRY(const std::size_t dim, split_axis(context, Axis));
  return add_cuts(context, dim, context.integers(1));
}

}  // namespace treadle::inline v0::detail::views
