// Shape rules of padding operators with their table.
#pragma once

#include <string_view>
#include <utility>

#include <treadle/ops/movement/concat-inl.hpp>
#include <treadle/ops/pad.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0 {
namespace detail::padding {

/// Sizes after padding: pairs of numbers, the last dimension's first.
inline Result<SymDims> padded_sizes(const InferContext& context, const SymDims& pad) {
  const auto& self = context.tensor(0);
  if (pad.size() % 2 != 0 || pad.size() / 2 > self.rank())
    return context.fail("'pad' must hold a pair for each of the last dimensions, found ",
                        to_string(pad), " for sizes ", to_string(self.sizes));
  SymDims sizes = self.sizes;
  for (std::size_t i = 0; i < pad.size() / 2; ++i) {
    SymInt& size = sizes[self.rank() - 1 - i];
    size = size + pad[2 * i] + pad[2 * i + 1];
    if (size.known() && *size.value() < 0)
      return context.fail("padding ", to_string(pad), " leaves a negative size of ",
                          to_string(self.sizes));
  }
  return sizes;
}

inline Status constant(InferContext& context) {
  const auto& self = context.tensor(0);
  const SymDims pad = context.integers(1);
  TREADLE_TRY(auto sizes, padded_sizes(context, pad));
  bool nothing = true;
  for (const auto& p : pad) nothing &= p.is(0);
  if (nothing) {
    context.add(rules::like(self, self.dtype));
    return {};
  }
  TensorType out = make_type(self.dtype, std::move(sizes), self.device);
  out.strides = rules::format_strides(out.sizes, rules::suggested_format(self));
  context.add(std::move(out));
  return {};
}

/// Padding with elements of the tensor itself: `least` is 1 if none may come twice in a row.
inline Status mirrored(InferContext& context, std::string_view mode, MemoryFormat format) {
  const auto& self = context.tensor(0);
  const SymDims pad = context.integers(1);
  TREADLE_TRY(auto sizes, padded_sizes(context, pad));
  for (std::size_t i = 0; i < pad.size(); ++i) {
    const SymInt& size = self.sizes[self.rank() - 1 - i / 2];
    if (!size.known() || !pad[i].known() || *pad[i].value() <= 0) continue;
    const std::int64_t p = *pad[i].value(), n = *size.value();
    const bool fits = mode == "reflect" ? p < n : mode == "circular" ? p <= n : n > 0;
    if (!fits) return context.fail("padding ", p, " is too large for size ", n);
  }
  TensorType out = make_type(self.dtype, std::move(sizes), self.device);
  out.strides = rules::format_strides(out.sizes, format);
  context.add(std::move(out));
  return {};
}

inline Status check_rank(InferContext& context, std::size_t dimensions) {
  const std::size_t rank = context.tensor(0).rank();
  if (rank != dimensions + 1 && rank != dimensions + 2)
    return context.fail("expected ", dimensions + 1, " or ", dimensions + 2, " dimensions, found ",
                        rank);
  if (context.integers(1).size() != 2 * dimensions)
    return context.fail("expected ", 2 * dimensions, " numbers of padding, found ",
                        context.integers(1).size());
  return {};
}
template <std::size_t Dimensions>
Status reflection(InferContext& context) {
  TREADLE_CHECK(check_rank(context, Dimensions));
  return mirrored(
      context, "reflect",
      Dimensions == 2 ? rules::suggested_format(context.tensor(0)) : MemoryFormat::contiguous);
}
template <std::size_t Dimensions>
Status replication(InferContext& context) {
  TREADLE_CHECK(check_rank(context, Dimensions));
  return mirrored(
      context, "replicate",
      Dimensions == 2 ? rules::suggested_format(context.tensor(0)) : MemoryFormat::contiguous);
}

inline Status pad(InferContext& context) {
  const std::string_view mode = context.string(2);
  if (mode == "constant") return constant(context);
  if (mode != "reflect" && mode != "replicate" && mode != "circular")
    return context.fail("unknown padding mode '", mode, "'");
  const bool planes = mode != "circular" && context.integers(1).size() == 4;
  return mirrored(context, mode,
                  planes ? rules::suggested_format(context.tensor(0)) : MemoryFormat::contiguous);
}

inline Status circular(InferContext& context) {
  return mirrored(context, "circular", MemoryFormat::contiguous);
}

inline constexpr OpDef pad_table[] = {
    {"aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", constant},
    {"aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor",
     pad},
    {"aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor", circular},
    {"aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor", reflection<1>},
    {"aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor", reflection<2>},
    {"aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor", reflection<3>},
    {"aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor", replication<1>},
    {"aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor", replication<2>},
    {"aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor", replication<3>},
};

}  // namespace detail::padding

TREADLE_INLINE std::span<const OpDef> pad_ops() { return detail::padding::pad_table; }

}  // namespace treadle::inline v0
