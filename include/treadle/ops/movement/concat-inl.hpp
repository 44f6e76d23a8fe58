// Shape rules of operators that join tensors.
#pragma once

#include <utility>
#include <vector>

#include <treadle/ops/view/dims-inl.hpp>

namespace treadle::inline v0::detail::movement {

/// How the inputs of a joining operator are reshaped before they are joined.
enum class Joining : std::uint8_t { cat, stack, hstack, vstack, dstack, column_stack };

/// An input as it is joined; `dim` is where `stack` adds its dimension.
inline TensorType joined_form(Joining joining, const TensorType& type, std::size_t dim) {
  if (joining == Joining::hstack) return views::at_least(type, 1);
  if (joining == Joining::vstack) return views::at_least(type, 2);
  if (joining == Joining::dstack) return views::at_least(type, 3);
  TensorType out = type;
  const auto add = [&](std::size_t at) {
    out.sizes.insert(out.sizes.begin() + static_cast<std::ptrdiff_t>(at), SymInt(1));
    out.strides.insert(out.strides.begin() + static_cast<std::ptrdiff_t>(at), SymInt(1));
  };
  if (joining == Joining::stack) add(dim);
  if (joining == Joining::column_stack)
    while (out.rank() < 2) add(out.rank());
  return out;
}

/// The dimension that the reshaped inputs are joined along.
inline std::size_t joined_dimension(Joining joining, std::size_t dim, std::size_t rank) {
  switch (joining) {
    case Joining::hstack: return rank == 1 ? 0 : 1;
    case Joining::vstack: return 0;
    case Joining::dstack: return 2;
    case Joining::column_stack: return 1;
    default: return dim;
  }
}

/// An empty vector of one dimension joins anything.
inline bool is_skipped(const TensorType& type) { return type.rank() == 1 && type.sizes[0].is(0); }

inline Status check_joined(const InferContext& context, const TensorType& first,
                           const TensorType& other, std::size_t dim) {
  bool fits = first.rank() == other.rank();
  for (std::size_t i = 0; fits && i < first.rank(); ++i)
    fits = i == dim || !first.sizes[i].known() || !other.sizes[i].known() ||
           first.sizes[i] == other.sizes[i];
  if (fits) return {};
  return context.fail("sizes ", to_string(first.sizes), " and ", to_string(other.sizes),
                      " can't be joined along dimension ", dim);
}

/// The first input that is not skipped, or the first.
inline const TensorType* leading_input(const std::vector<const TensorType*>& types, bool skip) {
  for (const auto* type : types)
    if (!skip || !is_skipped(*type)) return type;
  return types[0];
}

inline Status join(InferContext& context, Joining joining) {
  const auto types = context.tensors(0);
  for (const auto* type : types)
    if (!type) return context.fail("can't join None");
  if (types.empty()) return context.fail("expected at least one tensor, found none");
  const bool is_cat = joining == Joining::cat, is_stack = joining == Joining::stack;
  const TensorType& lead = *leading_input(types, is_cat);
  std::size_t dim = 0;
  if (is_cat || is_stack) {
    if (is_cat && lead.rank() == 0) return context.fail("0-d tensors can't be joined");
    TREADLE_TRY(dim, context.dimension(1, lead.rank() + (is_stack ? 1 : 0)));
  }
  const TensorType first = joined_form(joining, lead, dim);
  dim = joined_dimension(joining, dim, first.rank());
  TensorType out = make_type(rules::result_dtype(context, {0}), first.sizes, lead.device);
  out.sizes[dim] = 0;
  bool last = is_cat;
  for (const auto* type : types) {
    last = last && rules::suggests_channels_last(*type);
    if (is_cat && is_skipped(*type) && !is_skipped(lead)) continue;
    const TensorType form = joined_form(joining, *type, dim);
    TREADLE_CHECK(check_joined(context, first, form, dim));
    for (std::size_t i = 0; i < out.rank(); ++i)
      if (i != dim && !out.sizes[i].known()) out.sizes[i] = form.sizes[i];
    out.sizes[dim] = out.sizes[dim] + form.sizes[dim];
  }
  const auto format = !last             ? MemoryFormat::contiguous
                      : out.rank() == 4 ? MemoryFormat::channels_last
                                        : MemoryFormat::channels_last_3d;
  out.strides = rules::format_strides(out.sizes, format);
  context.add(std::move(out));
  return {};
}

template <Joining How>
Status join_as(InferContext& context) {
  return join(context, How);
}

}  // namespace treadle::inline v0::detail::movement
