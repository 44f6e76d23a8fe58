// Shape rules of views that keep all elements and regroup them: view, reshape, flatten.
#pragma once

#include <utility>

#include <treadle/ops/infer.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::detail::views {

/// `type` with other sizes, strides and offset.
inline TensorType show(const TensorType& type, SymDims sizes, SymDims strides, SymInt offset) {
  TensorType out = type;
  out.requires_grad = false;
  out.sizes = std::move(sizes);
  out.strides = std::move(strides);
  out.storage_offset = std::move(offset);
  return out;
}
inline TensorType show(const TensorType& type, SymDims sizes, SymDims strides) {
  return show(type, std::move(sizes), std::move(strides), type.storage_offset);
}

inline bool all_known(const TensorType& type, const SymDims& sizes) {
  for (const auto* dims : {&type.sizes, &type.strides, &sizes})
    for (const auto& d : *dims)
      if (!d.known()) return false;
  return true;
}

/// Puts new contiguous memory in place of the views that a rule gave.
inline void own_results(InferContext& context) {
  for (auto& result : context.results()) {
    result.view_of = -1;
    result.type = make_type(result.type.dtype, result.type.sizes, result.type.device);
  }
}

/// The rule of a `*_copy` operator, from that of its view.
template <Status (*Rule)(InferContext&)>
Status copy_of(InferContext& context) {
  TREADLE_CHECK(Rule(context));
  own_results(context);
  return {};
}

/// A view of argument 0 with these sizes, which may hold one -1.
inline Status view_as_sizes(InferContext& context, const SymDims& wanted) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(auto sizes, rules::infer_sizes(context, self.sizes, wanted));
  auto strides = rules::view_strides(self.sizes, self.strides, sizes);
  if (!strides && all_known(self, sizes))
    return context.fail("sizes ", to_string(self.sizes), " with strides ", to_string(self.strides),
                        " can't be viewed as ", to_string(sizes), " without a copy");
  // What is not known yet is decided when the sizes are.
  if (!strides) strides = contiguous_strides(sizes);
  context.add_view(show(self, std::move(sizes), *std::move(strides)), 0);
  return {};
}

/// A view if there is one, else new memory.
inline Status reshape_to(InferContext& context, const SymDims& wanted) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(auto sizes, rules::infer_sizes(context, self.sizes, wanted));
  auto strides = rules::view_strides(self.sizes, self.strides, sizes);
  if (strides)
    context.add_view(show(self, std::move(sizes), *std::move(strides)), 0);
  else
    context.add(make_type(self.dtype, std::move(sizes), self.device));
  return {};
}

inline Status view(InferContext& context) { return view_as_sizes(context, context.integers(1)); }
inline Status view_as(InferContext& context) {
  return view_as_sizes(context, context.tensor(1).sizes);
}
inline Status reshape(InferContext& context) { return reshape_to(context, context.integers(1)); }
inline Status reshape_as(InferContext& context) {
  return reshape_to(context, context.tensor(1).sizes);
}
inline Status ravel(InferContext& context) { return reshape_to(context, {SymInt(-1)}); }

inline Status check_same_rank(const InferContext& context, const SymDims& sizes,
                              const SymDims& strides) {
  if (sizes.size() != strides.size())
    return context.fail("expected as many strides as sizes, found sizes ", to_string(sizes),
                        " and strides ", to_string(strides));
  for (const auto* dims : {&sizes, &strides})
    for (const auto& d : *dims)
      if (d.known() && *d.value() < 0)
        return context.fail("sizes and strides can't be negative, found sizes ", to_string(sizes),
                            " and strides ", to_string(strides));
  return {};
}

inline Status reshape_alias(InferContext& context) {
  const auto& self = context.tensor(0);
  SymDims sizes = context.integers(1), strides = context.integers(2);
  TREADLE_CHECK(check_same_rank(context, sizes, strides));
  TREADLE_TRY(sizes, rules::infer_sizes(context, self.sizes, sizes));
  context.add_view(show(self, std::move(sizes), std::move(strides)), 0);
  return {};
}

inline Status as_strided(InferContext& context) {
  const auto& self = context.tensor(0);
  SymDims sizes = context.integers(1), strides = context.integers(2);
  TREADLE_CHECK(check_same_rank(context, sizes, strides));
  const SymInt offset = context.optional_integer(3).value_or(self.storage_offset);
  if (offset.known() && *offset.value() < 0)
    return context.fail("the storage offset ", *offset.value(), " is negative");
  context.add_view(show(self, std::move(sizes), std::move(strides), offset), 0);
  return {};
}

inline Status flatten(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t first, context.dimension(1, self.rank()));
  TREADLE_TRY(const std::size_t last, context.dimension(2, self.rank()));
  if (first > last) return context.fail("start_dim ", first, " comes after end_dim ", last);
  if (self.rank() == 0) return reshape_to(context, {SymInt(1)});
  if (first == last) {
    context.add_alias(0);
    return {};
  }
  SymDims sizes(self.sizes.begin(), self.sizes.begin() + static_cast<std::ptrdiff_t>(first));
  SymInt flat = 1;
  for (std::size_t i = first; i <= last; ++i) flat = flat * self.sizes[i];
  sizes.push_back(flat);
  for (std::size_t i = last + 1; i < self.rank(); ++i) sizes.push_back(self.sizes[i]);
  return reshape_to(context, sizes);
}

inline Status unflatten(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, context.dimension(1, self.rank()));
  if (self.rank() == 0) return context.fail("a 0-d tensor has no dimension to unflatten");
  TREADLE_TRY(const auto inner,
              rules::infer_sizes(context, {self.sizes[dim]}, context.integers(2)));
  SymDims sizes = self.sizes;
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(dim);
  sizes.insert(sizes.erase(at), inner.begin(), inner.end());
  return view_as_sizes(context, sizes);
}

inline Status alias(InferContext& context) {
  context.add_alias(0);
  return {};
}

}  // namespace treadle::inline v0::detail::views
