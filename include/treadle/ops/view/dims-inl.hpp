// Shape rules of views that reorder, add, drop or stretch dimensions.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <treadle/ops/view/reshape-inl.hpp>

namespace treadle::inline v0::detail::views {

/// The dimensions of argument 0 in this order.
inline void add_permuted(InferContext& context, const std::vector<std::size_t>& order) {
  const auto& self = context.tensor(0);
  SymDims sizes, strides;
  for (std::size_t d : order) {
    sizes.push_back(self.sizes[d]);
    strides.push_back(self.strides[d]);
  }
  context.add_view(show(self, std::move(sizes), std::move(strides)), 0);
}

inline std::vector<std::size_t> identity_order(std::size_t rank) {
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = i;
  return order;
}

inline Status swap_dims(InferContext& context, std::size_t a, std::size_t b) {
  auto order = identity_order(context.tensor(0).rank());
  if (!order.empty()) std::swap(order[a], order[b]);
  add_permuted(context, order);
  return {};
}

inline Status transpose(InferContext& context) {
  const std::size_t rank = context.tensor(0).rank();
  TREADLE_TRY(const std::size_t a, context.dimension(1, rank));
  TREADLE_TRY(const std::size_t b, context.dimension(2, rank));
  return swap_dims(context, a, b);
}

inline Status t(InferContext& context) {
  const std::size_t rank = context.tensor(0).rank();
  if (rank > 2) return context.fail("expected at most 2 dimensions, found ", rank);
  return swap_dims(context, 0, rank == 2 ? 1 : 0);
}

inline Status matrix_transpose(InferContext& context) {
  const std::size_t rank = context.tensor(0).rank();
  if (rank == 0) return alias(context);
  if (rank < 2) return context.fail("expected at least 2 dimensions, found ", rank);
  return swap_dims(context, rank - 2, rank - 1);
}

/// The transposed matrices, conjugated where they are complex: that takes new memory.
inline Status adjoint(InferContext& context) {
  TREADLE_CHECK(matrix_transpose(context));
  if (!is_complex(context.tensor(0).dtype)) return {};
  auto& result = context.results().back();
  const SymDims strides = result.type.strides;
  result = {rules::like(result.type, result.type.dtype), -1};
  bool repeats = false;
  for (std::size_t i = 0; i < strides.size(); ++i)
    repeats |= strides[i].is(0) && !result.type.sizes[i].is(1);
  if (!repeats) result.type.strides = strides;
  return {};
}

inline Status reverse_dims(InferContext& context) {
  auto order = identity_order(context.tensor(0).rank());
  std::reverse(order.begin(), order.end());
  add_permuted(context, order);
  return {};
}

inline Status permute(InferContext& context) {
  const std::size_t rank = context.tensor(0).rank();
  const SymDims dims = context.integers(1);
  if (dims.size() != rank)
    return context.fail("expected ", rank, " dimensions, found ", to_string(dims));
  TREADLE_TRY(const auto order, rules::wrap_dimensions(context, dims, rank));
  add_permuted(context, order);
  return {};
}

inline Status movedim(InferContext& context) {
  const std::size_t rank = context.tensor(0).rank();
  TREADLE_TRY(const auto from, rules::wrap_dimensions(context, context.integers(1), rank));
  TREADLE_TRY(const auto to, rules::wrap_dimensions(context, context.integers(2), rank));
  if (from.size() != to.size())
    return context.fail("found ", from.size(), " dimensions to move to ", to.size(), " places");
  if (rank == 0) {
    context.add_alias(0);
    return {};
  }
  std::vector<std::size_t> order(rank, rank);
  for (std::size_t i = 0; i < from.size(); ++i) order[to[i]] = from[i];
  std::size_t next = 0;
  for (auto& place : order) {
    if (place != rank) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    place = next++;
  }
  add_permuted(context, order);
  return {};
}

inline Status unsqueeze(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, context.dimension(1, self.rank() + 1));
  const auto at = static_cast<std::ptrdiff_t>(dim);
  SymDims sizes = self.sizes, strides = self.strides;
  const SymInt stride = dim < self.rank() ? self.sizes[dim] * self.strides[dim] : SymInt(1);
  sizes.insert(sizes.begin() + at, SymInt(1));
  strides.insert(strides.begin() + at, stride);
  context.add_view(show(self, std::move(sizes), std::move(strides)), 0);
  return {};
}

inline Status squeeze_masked(InferContext& context, const std::vector<bool>& mask) {
  const auto& self = context.tensor(0);
  SymDims sizes, strides;
  for (std::size_t i = 0; i < self.rank(); ++i) {
    if (mask[i] && self.sizes[i].is(1)) continue;
    sizes.push_back(self.sizes[i]);
    strides.push_back(self.strides[i]);
  }
  context.add_view(show(self, std::move(sizes), std::move(strides)), 0);
  return {};
}

inline Status squeeze(InferContext& context) {
  return squeeze_masked(context, std::vector<bool>(context.tensor(0).rank(), true));
}

/// `squeeze.dim` and `squeeze.dims`.
inline Status squeeze_dims(InferContext& context) {
  const std::size_t rank = context.tensor(0).rank();
  TREADLE_TRY(const auto dims, rules::wrap_dimensions(context, context.integers(1), rank));
  std::vector<bool> mask(rank, false);
  for (std::size_t d : dims)
    if (d < rank) mask[d] = true;
  return squeeze_masked(context, mask);
}

/// Argument `i` (item of a list) stretched to `wanted`, where -1 keeps a size.
inline Status add_expanded(InferContext& context, const SymDims& wanted, std::size_t i,
                           std::size_t item, const TensorType& self) {
  if (wanted.size() < self.rank())
    return context.fail("sizes ", to_string(self.sizes), " can't be expanded to the fewer sizes ",
                        to_string(wanted));
  const std::size_t lead = wanted.size() - self.rank();
  SymDims sizes = wanted, strides(wanted.size());
  for (std::size_t d = 0; d < self.rank(); ++d)
    if (sizes[lead + d].is(-1)) sizes[lead + d] = self.sizes[d];
  for (const auto& s : sizes)
    if (s.known() && *s.value() < 0)
      return context.fail("sizes can't be negative, found ", to_string(wanted));
  TREADLE_CHECK(rules::check_expandable(context, self.sizes, sizes));
  for (std::size_t d = sizes.size(); d-- > 0;) {
    const bool outer = d < lead;
    const SymInt size = outer ? SymInt(1) : self.sizes[d - lead];
    if (size.is(1) && !sizes[d].is(1))
      strides[d] = 0;
    else if (outer)
      strides[d] = d + 1 < sizes.size() ? sizes[d + 1] * strides[d + 1] : SymInt(1);
    else
      strides[d] = self.strides[d - lead];
  }
  context.add_view(show(self, std::move(sizes), std::move(strides)), i, item);
  return {};
}

inline Status expand(InferContext& context) {
  return add_expanded(context, context.integers(1), 0, 0, context.tensor(0));
}
inline Status expand_as(InferContext& context) {
  return add_expanded(context, context.tensor(1).sizes, 0, 0, context.tensor(0));
}
inline Status broadcast_tensors(InferContext& context) {
  TREADLE_TRY(const auto sizes, rules::broadcast_sizes(context, {0}));
  const auto types = context.tensors(0);
  context.begin_list(types.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i]) TREADLE_CHECK(add_expanded(context, sizes, 0, i, *types[i]));
  return {};
}

/// At least `rank` dimensions, added where NumPy adds them.
inline TensorType at_least(const TensorType& self, std::size_t rank) {
  SymDims sizes = self.sizes, strides = self.strides;
  const auto put = [&](std::size_t at) {
    const auto where = static_cast<std::ptrdiff_t>(at);
    const SymInt stride = at < sizes.size() ? sizes[at] * strides[at] : SymInt(1);
    sizes.insert(sizes.begin() + where, SymInt(1));
    strides.insert(strides.begin() + where, stride);
  };
  if (sizes.empty()) put(0);
  if (rank >= 2 && sizes.size() == 1) put(0);
  if (rank >= 3 && sizes.size() == 2) put(2);
  return show(self, std::move(sizes), std::move(strides));
}
template <std::size_t Rank>
Status atleast(InferContext& context) {
  context.add_view(at_least(context.tensor(0), Rank), 0);
  return {};
}
template <std::size_t Rank>
Status atleast_list(InferContext& context) {
  const auto types = context.tensors(0);
  context.begin_list(types.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i]) context.add_view(at_least(*types[i], Rank), 0, i);
  return {};
}

}  // namespace treadle::inline v0::detail::views
