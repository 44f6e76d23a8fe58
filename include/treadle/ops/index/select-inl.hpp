// Shape rules of operators that index along one dimension.
#pragma once

#include <utility>

#include <treadle/ops/infer.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::detail::indexing {

inline bool is_index(DType dtype) { return dtype == DType::int64 || dtype == DType::int32; }

inline Status check_index(const InferContext& context, std::size_t i) {
  const auto& index = context.tensor(i);
  if (is_index(index.dtype) || element_count(index.sizes).is(0)) return {};
  return context.fail("'", context.schema().arguments[i].name, "' must be int32 or int64, found ",
                      name(index.dtype));
}

/// The number of positions of an index of one or no dimension.
inline Result<SymInt> index_length(const InferContext& context, std::size_t i) {
  TREADLE_CHECK(check_index(context, i));
  const auto& index = context.tensor(i);
  if (index.rank() > 1)
    return context.fail("'", context.schema().arguments[i].name,
                        "' must have at most one dimension, found ", to_string(index.sizes));
  return index.rank() == 0 ? SymInt(1) : index.sizes[0];
}

inline Status index_select(InferContext& context) {
  const auto& self = context.tensor(0);
  TREADLE_TRY(const std::size_t dim, context.dimension(1, self.rank()));
  TREADLE_TRY(const auto length, index_length(context, 2));
  SymDims sizes = self.sizes;
  if (!sizes.empty()) sizes[dim] = length;
  if (sizes.empty() && length.known() && !length.is(1))
    return context.fail("a 0-d tensor has one position, found ", to_string(length), " indices");
  context.add(make_type(self.dtype, std::move(sizes), self.device));
  return {};
}

/// Results that are `self` with some elements replaced.
inline Status like_self(InferContext& context) {
  context.add(rules::like(context.tensor(0), context.tensor(0).dtype));
  return {};
}

/// New contiguous memory with the sizes of `self`.
inline Status packed_self(InferContext& context) {
  const auto& self = context.tensor(0);
  context.add(make_type(self.dtype, self.sizes, self.device));
  return {};
}

/// `index_copy`, `index_add`, `index_reduce`: `source` has the sizes of `self` but for `dim`.
inline Status index_into(InferContext& context) {
  const auto &self = context.tensor(0), &source = context.tensor(3);
  TREADLE_TRY(const std::size_t dim, context.dimension(1, self.rank()));
  TREADLE_TRY(const auto length, index_length(context, 2));
  if (source.dtype != self.dtype)
    return context.fail("'source' must be ", name(self.dtype), ", found ", name(source.dtype));
  bool fits = source.rank() == self.rank() || source.rank() == 0;
  for (std::size_t i = 0; fits && i < source.rank(); ++i) {
    const SymInt& wanted = i == dim ? length : self.sizes[i];
    fits = !wanted.known() || !source.sizes[i].known() || wanted == source.sizes[i];
  }
  if (!fits)
    return context.fail("'source' of sizes ", to_string(source.sizes), " does not fit ",
                        to_string(length), " positions of dimension ", dim, " of sizes ",
                        to_string(self.sizes));
  return packed_self(context);
}

inline Status index_fill(InferContext& context) {
  TREADLE_TRY(const std::size_t dim, context.dimension(1, context.tensor(0).rank()));
  static_cast<void>(dim);
  TREADLE_CHECK(index_length(context, 2));
  return like_self(context);
}

inline Status embedding(InferContext& context) {
  const auto &weight = context.tensor(0), &indices = context.tensor(1);
  if (weight.rank() != 2)
    return context.fail("'weight' must have 2 dimensions, found ", to_string(weight.sizes));
  TREADLE_CHECK(check_index(context, 1));
  SymDims sizes = indices.sizes;
  sizes.push_back(weight.sizes[1]);
  context.add(make_type(weight.dtype, std::move(sizes), weight.device));
  return {};
}

/// Index and source have the same rank as `self` (a 0-d tensor counts as one dimension), and the
/// index is nowhere larger.
inline Status check_along(const InferContext& context, std::size_t index_at, std::size_t dim,
                          std::optional<std::size_t> source_at) {
  const auto &self = context.tensor(0), &index = context.tensor(index_at);
  TREADLE_CHECK(check_index(context, index_at));
  for (const auto& s : index.sizes)
    if (s.is(0)) return {};
  const auto rank = [](const TensorType& type) { return type.rank() == 0 ? 1 : type.rank(); };
  bool fits = rank(self) == rank(index);
  const auto inside = [&](const TensorType& outer, bool any_dim) {
    fits = fits && rank(outer) == rank(index);
    for (std::size_t i = 0; fits && i < index.rank(); ++i) {
      if (i == dim && any_dim) continue;
      const SymInt size = outer.rank() == 0 ? SymInt(1) : outer.sizes[i];
      fits = !size.known() || !index.sizes[i].known() || *index.sizes[i].value() <= *size.value();
    }
  };
  inside(self, true);
  if (source_at) inside(context.tensor(*source_at), false);
  if (fits) return {};
  return context.fail("'index' of sizes ", to_string(index.sizes), " does not fit 'self' of sizes ",
                      to_string(self.sizes), " along dimension ", dim);
}

inline Status gather(InferContext& context) {
  const auto &self = context.tensor(0), &index = context.tensor(2);
  TREADLE_TRY(const std::size_t dim, context.dimension(1, self.rank()));
  TREADLE_CHECK(check_along(context, 2, dim, std::nullopt));
  context.add(make_type(self.dtype, index.sizes, self.device));
  return {};
}

inline Status scatter_value(InferContext& context) {
  TREADLE_TRY(const std::size_t dim, context.dimension(1, context.tensor(0).rank()));
  TREADLE_CHECK(check_along(context, 2, dim, std::nullopt));
  return packed_self(context);
}
inline Status scatter_tensor(InferContext& context) {
  const auto &self = context.tensor(0), &source = context.tensor(3);
  if (source.dtype != self.dtype)
    return context.fail("'src' must be ", name(self.dtype), ", found ", name(source.dtype));
  TREADLE_TRY(const std::size_t dim, context.dimension(1, self.rank()));
  TREADLE_CHECK(check_along(context, 2, dim, 3));
  return packed_self(context);
}

inline Status take(InferContext& context) {
  const auto &self = context.tensor(0), &index = context.tensor(1);
  TREADLE_CHECK(check_index(context, 1));
  context.add(make_type(self.dtype, index.sizes, self.device));
  return {};
}

inline Status take_along_dim(InferContext& context) {
  const auto &self = context.tensor(0), &index = context.tensor(1);
  TREADLE_CHECK(check_index(context, 1));
  if (context.is_none(2)) {
    context.add(make_type(self.dtype, {element_count(index.sizes)}, self.device));
    return {};
  }
  TREADLE_TRY(const std::size_t dim, context.dimension(2, self.rank()));
  if (self.rank() != index.rank())
    return context.fail("'self' and 'indices' need the same number of dimensions, found ",
                        to_string(self.sizes), " and ", to_string(index.sizes));
  SymDims a = self.sizes;
  if (!a.empty()) a[dim] = index.sizes[dim];
  TREADLE_TRY(auto sizes, rules::broadcast_sizes(context, a, index.sizes));
  context.add(make_type(self.dtype, std::move(sizes), self.device));
  return {};
}

inline Status put(InferContext& context) {
  TREADLE_CHECK(check_index(context, 1));
  return like_self(context);
}

}  // namespace treadle::inline v0::detail::indexing
