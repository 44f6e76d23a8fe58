// Shape rules of indexing operators whose sizes depend on elements, and of embedding bags.
#pragma once

#include <utility>

#include <treadle/ops/index/advanced-inl.hpp>

namespace treadle::inline v0::detail::indexing {

inline Status check_bool_mask(const InferContext& context, std::size_t i) {
  if (is_mask(context.tensor(i).dtype)) return {};
  return context.fail("'mask' must be bool, found ", name(context.tensor(i).dtype));
}

inline Status masked_select(InferContext& context) {
  TREADLE_CHECK(check_bool_mask(context, 1));
  TREADLE_CHECK(rules::broadcast_sizes(context, {0, 1}));
  const auto& self = context.tensor(0);
  context.add(make_type(self.dtype, {context.unknown_size()}, self.device));
  return {};
}

inline Status masked_scatter(InferContext& context) {
  TREADLE_CHECK(check_bool_mask(context, 1));
  const auto &self = context.tensor(0), &source = context.tensor(2);
  if (source.dtype != self.dtype)
    return context.fail("'source' must be ", name(self.dtype), ", found ", name(source.dtype));
  TREADLE_TRY(auto sizes, rules::broadcast_sizes(context, self.sizes, context.tensor(1).sizes));
  context.add(make_type(self.dtype, std::move(sizes), self.device));
  return {};
}

inline Status nonzero(InferContext& context) {
  const auto& self = context.tensor(0);
  const SymInt found = context.unknown_size();
  TensorType out = make_type(DType::int64, {found, SymInt(self.rank())}, self.device);
  out.strides = {SymInt(1), found};
  context.add(std::move(out));
  return {};
}

inline Status nonzero_static(InferContext& context) {
  const auto& self = context.tensor(0);
  const SymInt size = context.integer(1);
  if (size.known() && *size.value() < 0)
    return context.fail("'size' can't be negative, found ", *size.value());
  context.add(make_type(DType::int64, {size, SymInt(self.rank())}, self.device));
  return {};
}

inline Status nonzero_numpy(InferContext& context) {
  const auto& self = context.tensor(0);
  const std::size_t count = self.rank() == 0 ? 1 : self.rank();
  const SymInt found = context.unknown_size();
  context.begin_list(count);
  for (std::size_t i = 0; i < count; ++i)
    context.add(make_type(DType::int64, {found}, self.device));
  return {};
}

/// Results: the bags, the bag of each index, the sizes of bags, the indices of maxima.
inline Status embedding_bag(InferContext& context) {
  const auto &weight = context.tensor(0), &indices = context.tensor(1),
             &offsets = context.tensor(2);
  if (weight.rank() != 2 || indices.rank() != 1 || offsets.rank() != 1)
    return context.fail("expected a matrix and two vectors, found ", to_string(weight.sizes), ", ",
                        to_string(indices.sizes), " and ", to_string(offsets.sizes));
  TREADLE_CHECK(check_index(context, 1));
  TREADLE_CHECK(check_index(context, 2));
  const auto mode = context.integer(4).value_or(0);
  if (mode < 0 || mode > 2) return context.fail("'mode' must be 0, 1 or 2, found ", mode);
  const SymInt bags = context.boolean(7) ? offsets.sizes[0] - SymInt(1) : offsets.sizes[0];
  const DType index = rules::result_dtype(context, {1, 2});
  const bool largest = mode == 2;
  context.add(make_type(weight.dtype, {bags, weight.sizes[1]}, weight.device));
  // Plain sums do not need the bag of each index.
  const bool narrow = weight.dtype == DType::float32 || weight.dtype == DType::float16 ||
                      weight.dtype == DType::bfloat16;
  // For `_embedding_bag` a negative index is none; for `embedding_bag` it counts from the end.
  const bool wraps = context.schema().name.ends_with(".padding_idx");
  const bool padded = context.schema().argument_count > 8 && !context.is_none(8) &&
                      (wraps || !context.integer(8).known() || *context.integer(8).value() >= 0);
  const bool sums = mode == 0 && narrow && weight.strides[1].is(1) && !padded;
  context.add(make_type(index, {sums ? SymInt(0) : indices.sizes[0]}, weight.device));
  const SymInt sized = mode == 0 ? offsets.sizes[0] : bags;
  context.add(make_type(index, {sized}, weight.device));
  context.add(
      make_type(index, largest ? SymDims{bags, weight.sizes[1]} : SymDims{sized}, weight.device));
  return {};
}

}  // namespace treadle::inline v0::detail::indexing
