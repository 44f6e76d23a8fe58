// Shape rules of views that show a part: slice, select, split, unbind, diagonal.
#pragma once

#include <utility>

#include <treadle/ops/view/reshape-inl.hpp>

namespace treadle::inline v0::detail::views {

/// `self` with `length` positions of dimension `dim` from `start` on, `step` apart.
inline TensorType part(const TensorType& self, std::size_t dim, const SymInt& start,
                       const SymInt& length, const SymInt& step) {
  TensorType out = show(self, self.sizes, self.strides);
  out.storage_offset = self.storage_offset + start * self.strides[dim];
  out.sizes[dim] = length;
  out.strides[dim] = self.strides[dim] * step;
  return out;
}

inline Result<std::size_t> real_dimension(const InferContext& context, const SymInt& dim,
                                          const TensorType& self) {
  if (self.rank() == 0) return context.fail("a 0-d tensor has no dimension to take a part of");
  return context.wrap_dimension(dim, self.rank());
}

/// How many positions from `start` to `end`, both already in [0, size].
inline SymInt slice_length(const SymInt& start, const SymInt& end, const SymInt& step) {
  SymInt length = start.is(0) ? end : end - start;
  if (length.known() && *length.value() < 0) length = 0;
  if (!length.known() && !start.is(0)) length = max(length, SymInt(0));
  return step.is(1) ? length : floor_div(length + step - SymInt(1), step);
}

inline Status slice(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, real_dimension(context, context.integer(1), self));
  const SymInt size = self.sizes[dim], step = context.integer(4);
  if (step.known() && *step.value() <= 0)
    return context.fail("a slice's step must be positive, found ", *step.value());
  const SymInt wanted = context.optional_integer(2).value_or(0);
  const SymInt start = rules::clamp_position(wanted, size);
  const SymInt end = rules::clamp_position(context.optional_integer(3).value_or(size), size);
  SymInt length = slice_length(start, end, step);
  // The last n of an unknown size.
  if (!size.known() && wanted.known() && *wanted.value() < 0 && end == size && step.is(1))
    length = min(size, SymInt(0) - wanted);
  context.add_view(part(self, dim, start, length, step), 0);
  return {};
}

inline Status narrow(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, real_dimension(context, context.integer(1), self));
  const SymInt size = self.sizes[dim], length = context.integer(3);
  SymInt start = context.integer(2);
  if (start.known() && *start.value() < 0) start = start + size;
  const SymInt end = start + length;
  if ((start.known() && *start.value() < 0) || (length.known() && *length.value() < 0) ||
      (end.known() && size.known() && *end.value() > *size.value()))
    return context.fail("a part from ", to_string(start), " of length ", to_string(length),
                        " is out of size ", to_string(size));
  context.add_view(part(self, dim, start, length, 1), 0);
  return {};
}

/// Where the start of the part is a tensor, only a run can tell the offset of the view.
inline Status narrow_tensor(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, real_dimension(context, context.integer(1), self));
  const auto& start = context.tensor(2);
  if (start.rank() != 0 || !is_integral(start.dtype))
    return context.fail("'start' must be a 0-d integer tensor, found ", name(start.dtype),
                        to_string(start.sizes));
  SymDims sizes = self.sizes;
  sizes[dim] = context.integer(3);
  if (sizes[dim].known() &&
      (*sizes[dim].value() < 0 ||
       (self.sizes[dim].known() && *sizes[dim].value() > *self.sizes[dim].value())))
    return context.fail("length ", to_string(sizes[dim]), " is out of size ",
                        to_string(self.sizes[dim]));
  TensorType out = show(self, std::move(sizes), self.strides);
  out.storage_offset = context.unknown_size();
  context.add(std::move(out));
  return {};
}

inline TensorType selected(const TensorType& self, std::size_t dim, const SymInt& index) {
  TensorType out = part(self, dim, index, 1, 1);
  out.sizes.erase(out.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  out.strides.erase(out.strides.begin() + static_cast<std::ptrdiff_t>(dim));
  return out;
}

inline Status select(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, real_dimension(context, context.integer(1), self));
  const SymInt size = self.sizes[dim], wanted = context.integer(2);
  const SymInt index = wanted.known() && *wanted.value() < 0 ? wanted + size : wanted;
  if (index.known() && (*index.value() < 0 || (size.known() && *index.value() >= *size.value())))
    return context.fail("index ", to_string(wanted), " is out of size ", to_string(size),
                        " of dimension ", dim);
  context.add_view(selected(self, dim, index), 0);
  return {};
}

inline Status unbind(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, real_dimension(context, context.integer(1), self));
  const auto count = self.sizes[dim].value();
  if (!count)
    return context.fail("the size of dimension ", dim, " must be a known number, found ",
                        to_string(self.sizes[dim]));
  context.begin_list(static_cast<std::size_t>(*count));
  for (std::int64_t i = 0; i < *count; ++i) context.add_view(selected(self, dim, i), 0);
  return {};
}

inline Status diagonal(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t a, context.dimension(2, self.rank()));
  TREADLE_TRY(const std::size_t b, context.dimension(3, self.rank()));
  if (a == b || self.rank() < 2)
    return context.fail("a diagonal needs two different dimensions, found ", a, " and ", b);
  const auto offset = context.integer(1).value();
  if (!offset) return context.fail("the diagonal's offset must be a known number");
  const SymInt rows = *offset < 0 ? self.sizes[a] + SymInt(*offset) : self.sizes[a];
  const SymInt columns = *offset > 0 ? self.sizes[b] - SymInt(*offset) : self.sizes[b];
  SymInt length = rows == columns ? rows : min(rows, columns);
  if (length.known() && *length.value() < 0) length = 0;
  SymDims sizes, strides;
  for (std::size_t i = 0; i < self.rank(); ++i) {
    if (i == a || i == b) continue;
    sizes.push_back(self.sizes[i]);
    strides.push_back(self.strides[i]);
  }
  SymInt start = self.storage_offset;
  if (!length.is(0) && *offset > 0) start = start + SymInt(*offset) * self.strides[b];
  if (!length.is(0) && *offset < 0) start = start - SymInt(*offset) * self.strides[a];
  sizes.push_back(length);
  strides.push_back(self.strides[a] + self.strides[b]);
  context.add_view(show(self, std::move(sizes), std::move(strides), start), 0);
  return {};
}

/// Windows of `size` elements, `step` apart, as a new last dimension.
inline Status unfold(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, context.dimension(1, self.rank()));
  const SymInt size = context.integer(2), step = context.integer(3);
  if (step.known() && *step.value() <= 0)
    return context.fail("a window's step must be positive, found ", *step.value());
  const SymInt whole = self.rank() == 0 ? SymInt(1) : self.sizes[dim];
  if (size.known() && (*size.value() < 0 || (whole.known() && *size.value() > *whole.value())))
    return context.fail("windows of ", *size.value(), " elements are out of size ",
                        to_string(whole));
  TensorType out = show(self, self.sizes, self.strides);
  const SymInt stride = self.rank() == 0 ? SymInt(1) : self.strides[dim];
  if (self.rank() != 0) {
    out.sizes[dim] = floor_div(whole - size, step) + SymInt(1);
    out.strides[dim] = stride * step;
  }
  out.sizes.push_back(size);
  out.strides.push_back(stride);
  context.add_view(std::move(out), 0);
  return {};
}

}  // namespace treadle::inline v0::detail::views
