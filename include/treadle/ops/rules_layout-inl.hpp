// Definitions of the shared shape rules about strides, formats and views.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {
namespace detail {

/// -1, 0 or 1 where the order of two positive numbers is known or likely; an exact quotient decides
/// between expressions, and an unknown number counts as large.
inline int compare(const SymInt& a, const SymInt& b) {
  if (a == b) return 0;
  if (a.known() && b.known()) return *a.value() < *b.value() ? -1 : 1;
  if (a.known() != b.known()) return a.known() ? -1 : 1;
  const auto divides = [](const SymInt& n, const SymInt& d) {
    const SymInt quotient = floor_div(n, d);
    return quotient.known() ? *quotient.value() > 0 : quotient.expr()->kind != ExprKind::floor_div;
  };
  if (divides(a, b)) return 1;
  return divides(b, a) ? -1 : 0;
}

/// Does dimension `a` belong outside of (1) or inside of (-1) dimension `b`, by these strides?
inline int compare_dimensions(std::span<const SymDims> strides, const SymDims& sizes, std::size_t a,
                              std::size_t b) {
  for (const auto& s : strides) {
    if (s[a].is(0) || s[b].is(0)) continue;
    if (const int order = compare(s[a], s[b]); order != 0) return order;
    if (compare(sizes[a], sizes[b]) > 0) return 1;
  }
  return 0;
}

/// Dimensions from the innermost to the outermost, by insertion as `TensorIterator` sorts.
inline std::vector<std::size_t> order_dimensions(std::span<const SymDims> strides,
                                                 const SymDims& sizes) {
  const std::size_t rank = sizes.size();
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  for (std::size_t i = 1; i < rank; ++i) {
    std::size_t at = i;
    for (std::size_t j = i; j-- > 0;) {
      const int c = compare_dimensions(strides, sizes, order[j], order[at]);
      if (c < 0) break;
      if (c == 0) continue;
      std::swap(order[j], order[at]);
      at = j;
    }
  }
  return order;
}

/// Strides of an input as seen by the broadcast sizes: 0 where it is repeated.
inline SymDims broadcast_strides(const TensorType& type, const SymDims& sizes) {
  SymDims strides(sizes.size(), SymInt(0));
  const std::size_t lead = sizes.size() - type.rank();
  for (std::size_t i = 0; i < type.rank(); ++i)
    if (!(type.sizes[i].is(1) && !sizes[lead + i].is(1))) strides[lead + i] = type.strides[i];
  return strides;
}

inline SymDims strides_in_order(const SymDims& sizes, std::span<const std::size_t> order) {
  SymDims strides(sizes.size());
  SymInt step = 1;
  for (std::size_t d : order) {
    strides[d] = step;
    step = step * sizes[d];
  }
  return strides;
}

/// The fast cases of `TensorIterator`, where all inputs have the output's sizes.
inline std::optional<SymDims> uniform_strides(const SymDims& sizes,
                                              std::span<const TensorType* const> inputs) {
  const auto all = [&](auto&& test) { return std::all_of(inputs.begin(), inputs.end(), test); };
  if (inputs.empty()) return contiguous_strides(sizes);
  if (!all([&](const auto* t) { return t->sizes == sizes; })) return std::nullopt;
  if (all([](const auto* t) { return is_contiguous(*t); })) return contiguous_strides(sizes);
  for (auto format : {MemoryFormat::channels_last, MemoryFormat::channels_last_3d})
    if (all([&](const auto* t) { return has_format(*t, format); }))
      return format_strides(sizes, format);
  if (is_dense(*inputs[0]) && all([&](const auto* t) { return t->strides == inputs[0]->strides; }))
    return inputs[0]->strides;
  return std::nullopt;
}

}  // namespace detail

TREADLE_INLINE int likely_order(const SymInt& a, const SymInt& b) { return detail::compare(a, b); }

TREADLE_INLINE bool is_contiguous(const SymDims& sizes, const SymDims& strides) {
  for (const auto& s : sizes)
    if (s.is(0)) return true;
  SymInt step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i].is(1)) continue;
    if (!(strides[i] == step)) return false;
    step = step * sizes[i];
  }
  return true;
}

TREADLE_INLINE SymDims format_strides(const SymDims& sizes, MemoryFormat format) {
  const bool last = (format == MemoryFormat::channels_last && sizes.size() == 4) ||
                    (format == MemoryFormat::channels_last_3d && sizes.size() == 5);
  if (!last) return contiguous_strides(sizes);
  std::vector<std::size_t> order = {1};
  for (std::size_t i = sizes.size(); i-- > 2;) order.push_back(i);
  order.push_back(0);
  return detail::strides_in_order(sizes, order);
}

TREADLE_INLINE bool has_format(const TensorType& type, MemoryFormat format) {
  if (format == MemoryFormat::preserve) return true;
  if (format == MemoryFormat::contiguous) return is_contiguous(type);
  if (type.rank() != (format == MemoryFormat::channels_last ? 4u : 5u)) return false;
  const SymDims expected = format_strides(type.sizes, format);
  for (std::size_t i = 0; i < type.rank(); ++i)
    if (!type.sizes[i].is(1) && !(type.strides[i] == expected[i])) return false;
  return true;
}

TREADLE_INLINE bool suggests_channels_last(const TensorType& type) {
  const std::size_t rank = type.rank();
  if (rank != 4 && rank != 5) return false;
  constexpr std::size_t order4[] = {1, 3, 2, 0}, order5[] = {1, 4, 3, 2, 0};
  const std::size_t* order = rank == 4 ? order4 : order5;
  if (!type.strides[1].known()) return false;
  std::int64_t least = 0;
  const std::int64_t channel = *type.strides[1].value();
  if (channel == 0) return false;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t d = order[i];
    if (d == 0 && !type.strides[d].known()) return least != channel;
    if (!type.sizes[d].known() || !type.strides[d].known()) return false;
    const std::int64_t size = *type.sizes[d].value(), stride = *type.strides[d].value();
    if (size == 0 || stride < least || (d == 0 && least == channel)) return false;
    least = size > 1 ? stride * size : stride;
  }
  return true;
}

TREADLE_INLINE MemoryFormat suggested_format(const TensorType& type) {
  if (!suggests_channels_last(type)) return MemoryFormat::contiguous;
  return type.rank() == 4 ? MemoryFormat::channels_last : MemoryFormat::channels_last_3d;
}

TREADLE_INLINE bool is_dense(const TensorType& type) {
  if (is_contiguous(type)) return true;
  SymDims sizes, strides;
  for (std::size_t i = 0; i < type.rank(); ++i) {
    if (type.sizes[i].is(1)) continue;
    sizes.push_back(type.sizes[i]);
    strides.push_back(type.strides[i]);
  }
  const SymDims list[] = {strides};
  return detail::strides_in_order(sizes, detail::order_dimensions(list, sizes)) == strides;
}

TREADLE_INLINE SymDims elementwise_strides(const SymDims& sizes,
                                           std::span<const TensorType* const> inputs) {
  if (auto strides = detail::uniform_strides(sizes, inputs)) return *std::move(strides);
  std::vector<SymDims> strides;
  for (const auto* type : inputs)
    if (type->rank() <= sizes.size()) strides.push_back(detail::broadcast_strides(*type, sizes));
  const auto order = detail::order_dimensions(strides, sizes);
  bool row_major = true;
  for (std::size_t i = 0; i < order.size(); ++i) row_major &= order[i] == order.size() - 1 - i;
  return row_major ? contiguous_strides(sizes) : detail::strides_in_order(sizes, order);
}

TREADLE_INLINE std::optional<SymDims> view_strides(const SymDims& sizes, const SymDims& strides,
                                                   const SymDims& new_sizes) {
  if (sizes == new_sizes) return strides;
  const bool contiguous = is_contiguous(sizes, strides);
  for (const auto& s : sizes)
    if (s.is(0)) return contiguous_strides(new_sizes);
  const auto fallback = [&]() -> std::optional<SymDims> {
    return contiguous ? std::optional(contiguous_strides(new_sizes)) : std::nullopt;
  };
  // Dimensions that lie one behind the other form a block; each must be a run of new dimensions.
  SymDims out(new_sizes.size(), SymInt(1));
  if (sizes.empty()) return out;
  std::size_t next = new_sizes.size();
  SymInt base = strides.back(), block = 1, taken = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    block = block * sizes[i];
    const bool ends = i == 0 || (!sizes[i - 1].is(1) && !(strides[i - 1] == block * base));
    if (!ends) continue;
    while (next > 0 && (!(taken == block) || new_sizes[next - 1].is(1))) {
      --next;
      out[next] = taken * base;
      taken = taken * new_sizes[next];
    }
    if (!(taken == block)) return fallback();
    if (i > 0) base = strides[i - 1], block = 1, taken = 1;
  }
  return next == 0 ? std::optional(std::move(out)) : fallback();
}

TREADLE_INLINE Result<SymDims> infer_sizes(const InferContext& context, const SymDims& sizes,
                                           const SymDims& wanted) {
  SymDims out = wanted;
  SymInt others = 1;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].is(-1)) {
      if (wanted[i].known() && *wanted[i].value() < 0)
        return context.fail("size ", *wanted[i].value(), " in ", to_string(wanted), " is negative");
      others = others * wanted[i];
      continue;
    }
    if (open) return context.fail("only one size of ", to_string(wanted), " may be -1");
    open = i;
  }
  const SymInt count = element_count(sizes);
  bool fits = true;
  if (open) {
    if (others.is(0)) return context.fail("-1 in ", to_string(wanted), " could be any size");
    out[*open] = floor_div(count, others);
    fits = !count.known() || !others.known() || *count.value() % *others.value() == 0;
  } else {
    fits = !count.known() || !others.known() || count == others;
  }
  if (fits) return out;
  return context.fail("sizes ", to_string(sizes), " do not hold as many elements as ",
                      to_string(wanted));
}

TREADLE_INLINE SymInt clamp_position(const SymInt& position, const SymInt& size) {
  if (position.known() && size.known()) {
    std::int64_t p = *position.value();
    const std::int64_t n = *size.value();
    if (p < 0) p += n;
    return std::clamp<std::int64_t>(p, 0, n);
  }
  if (position.is(0)) return 0;
  if (position == size) return size;
  if (position.known() && *position.value() < 0) return max(position + size, SymInt(0));
  // Ends are often written as the largest integer.
  if (position.known() && *position.value() >= (std::int64_t{1} << 60)) return size;
  return min(position, size);
}

}  // namespace treadle::inline v0::rules
