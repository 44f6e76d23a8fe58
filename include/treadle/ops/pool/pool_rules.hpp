// Shape rules of pooling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/norm/norm_rules.hpp>

namespace treadle::inline v0::rules {

/// The window of a pooling operator, one entry a pooled dimension.
struct PoolWindow {
  SymDims kernel, stride, padding, dilation;
  bool ceil_mode = false;
};

/// A list argument with one entry for each of `dims` dimensions, `otherwise` if it is not given.
[[nodiscard]] inline SymDims window_list(const InferContext& context, std::string_view name,
                                         std::size_t dims, const SymDims& otherwise) {
  const auto i = given(context, name);
  SymDims list = i ? context.integers(*i) : SymDims{};
  if (list.empty()) return otherwise;
  if (list.size() == 1) list.resize(dims, list[0]);
  return list;
}

[[nodiscard]] inline Result<PoolWindow> pool_window(const InferContext& context, std::size_t dims) {
  PoolWindow window;
  window.kernel = window_list(context, "kernel_size", dims, SymDims(dims, 1));
  window.stride = window_list(context, "stride", dims, window.kernel);
  window.padding = window_list(context, "padding", dims, SymDims(dims, 0));
  window.dilation = window_list(context, "dilation", dims, SymDims(dims, 1));
  window.ceil_mode = flag(context, "ceil_mode");
  for (const auto* list : {&window.kernel, &window.stride, &window.padding, &window.dilation}) {
    if (list->size() != dims)
      return context.fail("expected ", dims, " window numbers, found ", list->size());
    TREADLE_CHECK(check_window_numbers(context, *list));
  }
  for (std::size_t d = 0; d < dims; ++d) {
    if (window.kernel[d].value_or(1) <= 0 || window.stride[d].value_or(1) <= 0 ||
        window.dilation[d].value_or(1) <= 0)
      return context.fail("window sizes, strides and dilations must be positive");
    const auto padding = window.padding[d].value_or(0);
    if (padding < 0 || padding > window.kernel[d].value_or(2 * padding) / 2)
      return context.fail("padding ", padding, " must be at most half the window size ",
                          to_string(window.kernel[d]));
  }
  return window;
}

/// How many windows fit into `size`.
[[nodiscard]] inline SymInt pooled_size(const PoolWindow& window, std::size_t d,
                                        const SymInt& size) {
  const SymInt &stride = window.stride[d], &padding = window.padding[d];
  const SymInt reach = window.dilation[d] * (window.kernel[d] - 1);
  const SymInt room = size + SymInt(2) * padding - reach - 1;
  const SymInt extra = window.ceil_mode ? stride - 1 : SymInt(0);
  SymInt count = floor_div(room + extra, stride) + 1;
  // The last window must start inside the input or the left padding.
  if (window.ceil_mode && count.known() && size.known() && stride.known() && padding.known() &&
      (*count.value() - 1) * *stride.value() >= *size.value() + *padding.value())
    count = count - 1;
  return count;
}

[[nodiscard]] inline Status check_pool_rank(const InferContext& context, std::size_t dims) {
  const std::size_t rank = context.tensor(0).rank();
  if (rank == dims + 1 || rank == dims + 2) return {};
  return context.fail("expected ", dims + 1, " or ", dims + 2, " dimensions, found sizes ",
                      sizes_text(context.tensor(0).sizes));
}

inline Status pool(InferContext& context, std::size_t dims, bool places) {
  TREADLE_CHECK(check_pool_rank(context, dims));
  TREADLE_TRY(const auto window, pool_window(context, dims));
  const TensorType& input = context.tensor(0);
  SymDims sizes = input.sizes;
  for (std::size_t d = 0; d < dims; ++d) {
    SymInt& size = sizes[sizes.size() - dims + d];
    const SymInt pooled = pooled_size(window, d, size);
    if (pooled.known() && *pooled.value() < 1)
      return context.fail("size ", to_string(size), " is too small for the window");
    size = pooled;
  }
  context.add(with_suggested_format(input, sizes, input.dtype));
  if (places) context.add(with_suggested_format(input, sizes, DType::int64));
  return {};
}
template <std::size_t Dims, bool Places>
Status pool_rule(InferContext& context) {
  return pool(context, Dims, Places);
}

inline Status adaptive_pool(InferContext& context, std::size_t dims, bool places) {
  TREADLE_CHECK(check_pool_rank(context, dims));
  const SymDims wanted = window_list(context, "output_size", dims, {});
  if (wanted.size() != dims)
    return context.fail("expected ", dims, " output sizes, found ", wanted.size());
  const TensorType& input = context.tensor(0);
  SymDims sizes = input.sizes;
  for (std::size_t d = 0; d < dims; ++d) sizes[sizes.size() - dims + d] = wanted[d];
  context.add(with_suggested_format(input, sizes, input.dtype));
  if (places) context.add(with_suggested_format(input, sizes, DType::int64));
  return {};
}
template <std::size_t Dims, bool Places>
Status adaptive_pool_rule(InferContext& context) {
  return adaptive_pool(context, Dims, Places);
}

/// `fractional_max_pool2d(self, kernel_size, output_size, random_samples)`: row-major results.
template <std::size_t Dims>
Status fractional_pool_rule(InferContext& context) {
  TREADLE_CHECK(check_pool_rank(context, Dims));
  const TensorType& input = context.tensor(0);
  const SymDims kernel = window_list(context, "kernel_size", Dims, {});
  const SymDims wanted = window_list(context, "output_size", Dims, {});
  if (kernel.size() != Dims || wanted.size() != Dims)
    return context.fail("expected ", Dims, " window and output sizes");
  SymDims sizes = input.sizes;
  for (std::size_t d = 0; d < Dims; ++d) {
    SymInt& size = sizes[sizes.size() - Dims + d];
    const SymInt room = size - kernel[d] - wanted[d] + 1;
    if (kernel[d].value_or(1) < 1 || wanted[d].value_or(1) < 1 || room.value_or(0) < 0)
      return context.fail("size ", to_string(size), " is too small for ", to_string(wanted[d]),
                          " windows of ", to_string(kernel[d]));
    size = wanted[d];
  }
  context.add(make_type(input.dtype, sizes, input.device));
  context.add(make_type(DType::int64, sizes, input.device));
  return {};
}

}  // namespace treadle::inline v0::rules
