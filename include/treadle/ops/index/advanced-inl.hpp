// Shape rules of indexing by tensors: `index`, `index_put`.
#pragma once

#include <utility>
#include <vector>

#include <treadle/ops/index/select-inl.hpp>

namespace treadle::inline v0::detail::indexing {

inline bool is_mask(DType dtype) { return dtype == DType::bool_ || dtype == DType::uint8; }

/// Which dimensions of `self` are indexed, and what with. A mask of n dimensions stands for n
/// indices of one dimension.
struct IndexedDims {
  std::vector<bool> indexed;        ///< one a dimension of `self`
  std::vector<TensorType> indices;  ///< one for each indexed dimension, in order
  bool adjacent = true;             ///< the indexed dimensions are neighbours
  std::size_t first = 0;            ///< the first of them
};

inline Status check_mask(const InferContext& context, const TensorType& self,
                         const TensorType& mask, std::size_t at) {
  for (std::size_t i = 0; i < mask.rank(); ++i)
    if (mask.sizes[i].known() && self.sizes[at + i].known() &&
        !(mask.sizes[i] == self.sizes[at + i]))
      return context.fail("a mask of sizes ", to_string(mask.sizes), " does not fit sizes ",
                          to_string(self.sizes), " at dimension ", at);
  return {};
}

inline Result<IndexedDims> indexed_dims(InferContext& context) {
  const auto& self = context.tensor(0);
  IndexedDims out;
  for (const auto* type : context.tensors(1)) {
    if (!type) {
      out.indexed.push_back(false);
      continue;
    }
    const bool mask = is_mask(type->dtype);
    if (!mask && !is_integral(type->dtype))
      return context.fail("indices must be integers or masks, found ", name(type->dtype));
    const std::size_t count = mask ? type->rank() : 1;
    if (out.indexed.size() + count > self.rank())
      return context.fail("too many indices for sizes ", to_string(self.sizes));
    if (mask) TREADLE_CHECK(check_mask(context, self, *type, out.indexed.size()));
    const TensorType found =
        mask ? make_type(DType::int64, {context.unknown_size()}, type->device) : *type;
    for (std::size_t i = 0; i < count; ++i) {
      out.indexed.push_back(true);
      out.indices.push_back(found);
    }
  }
  if (out.indexed.size() > self.rank())
    return context.fail("too many indices for sizes ", to_string(self.sizes));
  out.indexed.resize(self.rank(), false);
  std::size_t changes = 0;
  bool seen = false;
  for (std::size_t i = 0; i < out.indexed.size(); ++i) {
    if (out.indexed[i] && !std::exchange(seen, true)) out.first = i;
    if (i > 0 && out.indexed[i] && !out.indexed[i - 1]) ++changes;
  }
  out.adjacent = changes + (!out.indexed.empty() && out.indexed[0] ? 1 : 0) <= 1;
  if (!out.adjacent) out.first = 0;
  return out;
}

/// The type of `self[indices]`, with the strides that `TensorIterator` gives it.
inline Result<TensorType> indexed_type(InferContext& context, const IndexedDims& dims) {
  const auto& self = context.tensor(0);
  SymDims common;
  for (const auto& index : dims.indices) {
    TREADLE_TRY(common, rules::broadcast_sizes(context, common, index.sizes));
  }
  TensorType source = self;
  source.sizes.clear();
  source.strides.clear();
  std::size_t after = 0;
  const auto put_common = [&] {
    source.sizes.insert(source.sizes.end(), common.begin(), common.end());
    source.strides.resize(source.sizes.size(), SymInt(0));
  };
  bool placed = false;
  for (std::size_t i = 0; i < self.rank(); ++i) {
    if (i == dims.first && !std::exchange(placed, true)) put_common();
    if (dims.indexed[i]) continue;
    source.sizes.push_back(self.sizes[i]);
    source.strides.push_back(self.strides[i]);
    if (placed) ++after;
  }
  if (!placed) put_common();
  std::vector<TensorType> shaped = {source};
  for (TensorType index : dims.indices) {
    index.sizes.resize(index.sizes.size() + after, SymInt(1));
    index.strides.resize(index.sizes.size(), SymInt(1));
    shaped.push_back(std::move(index));
  }
  std::vector<const TensorType*> inputs;
  for (const auto& type : shaped) inputs.push_back(&type);
  TensorType out = make_type(self.dtype, source.sizes, self.device);
  out.strides = rules::elementwise_strides(out.sizes, inputs);
  return out;
}

inline Status index(InferContext& context) {
  TREADLE_TRY(const auto dims, indexed_dims(context));
  if (dims.indices.empty()) {
    context.add(rules::like(context.tensor(0), context.tensor(0).dtype));
    return {};
  }
  TREADLE_TRY(auto type, indexed_type(context, dims));
  context.add(std::move(type));
  return {};
}

/// `self` with the places that the indices choose replaced.
inline Status index_put(InferContext& context) {
  TREADLE_TRY(const auto dims, indexed_dims(context));
  const auto &self = context.tensor(0), &values = context.tensor(2);
  if (values.dtype != self.dtype && values.rank() > 0)
    return context.fail("'values' must be ", name(self.dtype), ", found ", name(values.dtype));
  TREADLE_TRY(const auto type, indexed_type(context, dims));
  bool fits = true;
  const std::size_t extra = values.rank() > type.rank() ? values.rank() - type.rank() : 0;
  for (std::size_t i = 0; fits && i < extra; ++i) fits = values.sizes[i].is(1);
  if (fits && extra == 0) TREADLE_CHECK(rules::check_expandable(context, values.sizes, type.sizes));
  if (!fits)
    return context.fail("'values' of sizes ", to_string(values.sizes), " do not fit ",
                        to_string(type.sizes));
  return like_self(context);
}

}  // namespace treadle::inline v0::detail::indexing
