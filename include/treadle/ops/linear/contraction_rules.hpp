// Shape rules of contractions: einsum and what can be said by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/linear/einsum_equation.hpp>
#include <treadle/ops/linear/einsum_layout.hpp>
#include <treadle/ops/linear/product_rules.hpp>
#include <treadle/ops/promotion.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// The sizes of a contraction's result; sizes of 1 broadcast.
[[nodiscard]] inline Result<SymDims> contraction_sizes(
    const InferContext& context, const treadle::detail::EinsumLabels& labels,
    const std::vector<const TensorType*>& operands) {
  std::map<int, SymInt> sizes;
  for (std::size_t i = 0; i < operands.size(); ++i)
    for (std::size_t d = 0; d < operands[i]->rank(); ++d) {
      const SymInt& size = operands[i]->sizes[d];
      const auto [at, is_new] = sizes.emplace(labels.operands[i][d], size);
      if (is_new || size.is(1)) continue;
      if (!at->second.is(1)) TREADLE_CHECK(check_same_size(context, at->second, size));
      if (at->second.is(1) || !at->second.known()) at->second = size;
    }
  SymDims out;
  for (const int label : labels.out) out.push_back(sizes[label]);
  return out;
}

[[nodiscard]] inline Status add_contraction(InferContext& context,
                                            const treadle::detail::EinsumLabels& labels,
                                            const std::vector<const TensorType*>& operands) {
  for (const auto* operand : operands)
    if (operand->dtype != operands[0]->dtype)
      return context.fail("expected operands of one dtype, found ", name(operands[0]->dtype),
                          " and ", name(operand->dtype));
  TREADLE_TRY(SymDims sizes, contraction_sizes(context, labels, operands));
  context.add(make_type(operands[0]->dtype, std::move(sizes), first_device(context)));
  return {};
}

/// The tensors of list argument `i`, none of them None, at least one.
[[nodiscard]] inline Result<std::vector<const TensorType*>> operand_list(
    const InferContext& context, std::size_t i) {
  auto operands = context.tensors(i);
  for (const auto* operand : operands)
    if (!operand) return context.fail("an operand is None");
  if (operands.empty()) return context.fail("needs at least one operand");
  return operands;
}
[[nodiscard]] inline std::vector<std::size_t> ranks_of(
    const std::vector<const TensorType*>& operands) {
  std::vector<std::size_t> ranks;
  for (const auto* operand : operands) ranks.push_back(operand->rank());
  return ranks;
}

/// Promoted where operands differ. A label that one operand alone has is summed first, which makes
/// int64 of integers and truth values.
[[nodiscard]] inline DType einsum_dtype(const treadle::detail::EinsumLabels& labels,
                                        const std::vector<const TensorType*>& operands) {
  const auto uses = [](const treadle::detail::Labels& all, int label) {
    return std::find(all.begin(), all.end(), label) != all.end() ? 1 : 0;
  };
  const auto is_lone = [&](int label) {
    int owners = uses(labels.out, label);
    for (const auto& own : labels.operands) owners += uses(own, label);
    return owners == 1;
  };
  DType dtype = DType::undefined;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto& own = labels.operands[i];
    const bool sums = std::any_of(own.begin(), own.end(), is_lone);
    const DType is = operands[i]->dtype;
    const bool counts = sums && category(is) < DTypeCategory::floating;
    dtype = promote_types(dtype, counts ? DType::int64 : is);
  }
  return dtype;
}

inline Status einsum_rule(InferContext& context) {
  TREADLE_TRY(const auto operands, operand_list(context, 1));
  TREADLE_TRY(const auto labels,
              treadle::detail::EinsumParser(context.string(0), ranks_of(operands)).parse());
  TREADLE_TRY(SymDims sizes, contraction_sizes(context, labels, operands));
  TensorType type =
      make_type(einsum_dtype(labels, operands), std::move(sizes), first_device(context));
  EinsumLayout layout(labels, operands);
  type.strides = layout.strides(type.sizes);
  if (layout.is_view()) {
    type.storage_offset = operands[0]->storage_offset;
    context.add_view(std::move(type), 1, 0);
  } else {
    context.add(std::move(type));
  }
  return {};
}

inline Status chain_rule(InferContext& context) {
  TREADLE_TRY(const auto operands, operand_list(context, 0));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == operands.size();
    if (operands[i]->rank() != 2 && !(operands[i]->rank() == 1 && is_end))
      return context.fail("operand ", i, " has ", operands[i]->rank(), " dimensions");
  }
  return add_contraction(context, treadle::detail::chain_labels(ranks_of(operands)), operands);
}

inline Status tensordot_rule(InferContext& context) {
  const TensorType &a = context.tensor(0), &b = context.tensor(1);
  TREADLE_TRY(const auto left, wrap_dimensions(context, context.integers(2), a.rank()));
  TREADLE_TRY(const auto right, wrap_dimensions(context, context.integers(3), b.rank()));
  if (left.size() != right.size())
    return context.fail("expected as many dimensions of both, found ", left.size(), " and ",
                        right.size());
  return add_contraction(
      context, treadle::detail::tensordot_labels(a.rank(), b.rank(), left, right), {&a, &b});
}

inline Status inner_rule(InferContext& context) {
  const TensorType &a = context.tensor(0), &b = context.tensor(1);
  std::vector<std::size_t> left, right;
  if (a.rank() == 0 || b.rank() == 0) {
    TREADLE_CHECK(check_same_dtype(context, {0, 1}));
    TREADLE_TRY(auto product, elementwise(context, {0, 1}));
    context.add(std::move(product));
    return {};
  }
  left = {a.rank() - 1}, right = {b.rank() - 1};
  return add_contraction(
      context, treadle::detail::tensordot_labels(a.rank(), b.rank(), left, right), {&a, &b});
}

/// Products summed along one dimension.
inline Status vecdot_rule(InferContext& context) {
  TREADLE_CHECK(check_same_dtype(context, {0, 1}));
  TREADLE_TRY(SymDims sizes, broadcast_sizes(context, {0, 1}));
  TREADLE_TRY(const std::size_t dim, context.dimension(2, sizes.size()));
  if (sizes.empty()) return context.fail("expected at least one dimension");
  sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  context.add(make_type(context.tensor(0).dtype, std::move(sizes), first_device(context)));
  return {};
}

/// x1ᵢ · W[o]ᵢⱼ · x2ⱼ + b[o] for every o.
inline Status bilinear_rule(InferContext& context) {
  const TensorType &a = context.tensor(0), &b = context.tensor(1), &w = context.tensor(2);
  TREADLE_CHECK(check_rank(context, 2, 3));
  TREADLE_CHECK(check_same_dtype(context, {0, 1, 2, 3}));
  if (a.rank() == 0 || a.rank() != b.rank())
    return context.fail("inputs of ", a.rank(), " and ", b.rank(), " dimensions do not fit");
  TREADLE_CHECK(check_same_size(context, a.sizes.back(), w.sizes[1]));
  TREADLE_CHECK(check_same_size(context, b.sizes.back(), w.sizes[2]));
  for (std::size_t d = 0; d + 1 < a.rank(); ++d)
    TREADLE_CHECK(check_same_size(context, a.sizes[d], b.sizes[d]));
  SymDims sizes(a.sizes.begin(), a.sizes.end() - 1);
  sizes.push_back(w.sizes[0]);
  context.add(make_type(a.dtype, std::move(sizes), first_device(context)));
  return {};
}

}  // namespace treadle::inline v0::rules
