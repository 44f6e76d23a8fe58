// Shape rules of views that show the same bytes as elements of another dtype.
#pragma once

#include <utility>

#include <treadle/ops/promotion.hpp>
#include <treadle/ops/view/slice-inl.hpp>

namespace treadle::inline v0::detail::views {

/// `n / d` if that is surely exact.
inline std::optional<SymInt> exact_quotient(const SymInt& n, std::int64_t d) {
  if (n.known() && *n.value() % d != 0) return std::nullopt;
  return floor_div(n, SymInt(d));
}

inline Status as_wider(InferContext& context, TensorType out, std::int64_t ratio) {
  if (out.rank() == 0 || !(out.strides.back().is(1) || out.sizes.back().is(1)))
    return context.fail("a view as wider elements needs a last dimension of stride 1");
  for (std::size_t i = 0; i < out.rank(); ++i) {
    const bool last = i + 1 == out.rank();
    SymInt& number = last ? out.sizes[i] : out.strides[i];
    auto quotient = exact_quotient(number, ratio);
    if (!quotient)
      return context.fail("the ", last ? "last size " : "stride ", to_string(number),
                          " is not a multiple of ", ratio);
    number = *std::move(quotient);
  }
  auto offset = exact_quotient(out.storage_offset, ratio);
  if (!offset)
    return context.fail("the storage offset ", to_string(out.storage_offset),
                        " is not a multiple of ", ratio);
  out.strides.back() = 1;
  out.storage_offset = *std::move(offset);
  context.add_view(std::move(out), 0);
  return {};
}

inline Status view_dtype(InferContext& context) {
  const auto& self = context.tensor(0);
  TensorType out = show(self, self.sizes, self.strides);
  out.dtype = context.dtype(1).value_or(self.dtype);
  const auto from = static_cast<std::int64_t>(size_of(self.dtype));
  const auto to = static_cast<std::int64_t>(size_of(out.dtype));
  if (from == 0 || to == 0) return context.fail("a view needs a dtype with a size");
  if (to > from) return as_wider(context, std::move(out), to / from);
  if (to < from) {
    if (out.rank() == 0 || !(out.strides.back().is(1) || out.sizes.back().is(1)))
      return context.fail("a view as narrower elements needs a last dimension of stride 1");
    const SymInt ratio = from / to;
    for (auto& stride : out.strides) stride = stride * ratio;
    out.strides.back() = 1;
    out.sizes.back() = out.sizes.back() * ratio;
    out.storage_offset = out.storage_offset * ratio;
  }
  context.add_view(std::move(out), 0);
  return {};
}

inline TensorType real_pairs(const TensorType& self) {
  TensorType out = show(self, self.sizes, self.strides);
  out.dtype = real_dtype(self.dtype);
  for (auto& stride : out.strides) stride = stride * SymInt(2);
  out.sizes.push_back(2);
  out.strides.push_back(1);
  out.storage_offset = self.storage_offset * SymInt(2);
  return out;
}

inline Status view_as_real(InferContext& context) {
  const auto& self = context.tensor(0);
  if (!is_complex(self.dtype))
    return context.fail("expected a complex tensor, found ", name(self.dtype));
  context.add_view(real_pairs(self), 0);
  return {};
}

inline Status view_as_complex(InferContext& context) {
  const auto& self = context.tensor(0);
  if (self.dtype != DType::float32 && self.dtype != DType::float64 && self.dtype != DType::float16)
    return context.fail("expected float16, float32 or float64, found ", name(self.dtype));
  if (self.rank() == 0 || (self.sizes.back().known() && !self.sizes.back().is(2)) ||
      (self.strides.back().known() && !self.strides.back().is(1)))
    return context.fail("expected a last dimension of size 2 and stride 1, found sizes ",
                        to_string(self.sizes), " and strides ", to_string(self.strides));
  TensorType out = show(self, self.sizes, self.strides);
  out.dtype = complex_dtype(self.dtype);
  out.sizes.pop_back();
  out.strides.pop_back();
  auto offset = exact_quotient(out.storage_offset, 2);
  if (!offset)
    return context.fail("the storage offset must be even, found ", to_string(out.storage_offset));
  out.storage_offset = *std::move(offset);
  for (auto& stride : out.strides) {
    auto quotient = exact_quotient(stride, 2);
    if (!quotient) return context.fail("strides must be even, found ", to_string(self.strides));
    stride = *std::move(quotient);
  }
  context.add_view(std::move(out), 0);
  return {};
}

inline Status real(InferContext& context) {
  const auto& self = context.tensor(0);
  if (is_complex(self.dtype))
    context.add_view(selected(real_pairs(self), self.rank(), 0), 0);
  else
    context.add_alias(0);
  return {};
}
inline Status imag(InferContext& context) {
  const auto& self = context.tensor(0);
  if (!is_complex(self.dtype))
    return context.fail("expected a complex tensor, found ", name(self.dtype));
  context.add_view(selected(real_pairs(self), self.rank(), 1), 0);
  return {};
}

}  // namespace treadle::inline v0::detail::views
