// Shape rules of convolutions.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/linear/product_rules.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// The settings of a convolution, one number a spatial dimension.
struct ConvSettings {
  SymDims stride, padding, dilation, output_padding;
  SymInt groups = 1;
  bool transposed = false;
  bool same = false;  ///< padding that keeps the sizes
};

/// `list` with `rank` numbers: a single one stands for all.
[[nodiscard]] inline Result<SymDims> spatial_list(const InferContext& context,
                                                  std::string_view argument, std::size_t rank,
                                                  const SymInt& otherwise) {
  const int i = context.schema().find(argument);
  if (i < 0) return SymDims(rank, otherwise);
  SymDims list = context.integers(static_cast<std::size_t>(i));
  if (list.size() == 1) list.resize(rank, list[0]);
  if (list.size() == rank) return list;
  return context.fail("'", argument, "' needs ", rank, " numbers, found ", list.size());
}

[[nodiscard]] inline Result<ConvSettings> conv_settings(const InferContext& context,
                                                        std::size_t rank) {
  ConvSettings settings;
  const Schema& schema = context.schema();
  const int padding = schema.find("padding"), transposed = schema.find("transposed");
  TREADLE_TRY(settings.stride, spatial_list(context, "stride", rank, 1));
  TREADLE_TRY(settings.dilation, spatial_list(context, "dilation", rank, 1));
  TREADLE_TRY(settings.output_padding, spatial_list(context, "output_padding", rank, 0));
  for (const auto* numbers : {&settings.stride, &settings.dilation, &settings.output_padding})
    TREADLE_CHECK(check_window_numbers(context, *numbers));
  settings.groups = context.integer(static_cast<std::size_t>(schema.find("groups")));
  settings.transposed = transposed < 0 ? schema.name.find("transpose") != std::string_view::npos
                                       : context.boolean(static_cast<std::size_t>(transposed));
  if (schema.arguments[static_cast<std::size_t>(padding)].kind != SchemaKind::string) {
    TREADLE_TRY(settings.padding, spatial_list(context, "padding", rank, 0));
    TREADLE_CHECK(check_window_numbers(context, settings.padding));
    return settings;
  }
  const std::string_view text = context.string(static_cast<std::size_t>(padding));
  if (text != "same" && text != "valid")
    return context.fail("padding must be 'same' or 'valid', found '", text, "'");
  settings.padding = SymDims(rank, 0);
  settings.same = text == "same";
  for (const auto& stride : settings.stride)
    if (settings.same && !stride.is(1))
      return context.fail("padding 'same' needs a stride of 1, found ", to_string(stride));
  return settings;
}

[[nodiscard]] inline Result<SymInt> conv_size(const InferContext& context,
                                              const ConvSettings& settings, const SymInt& input,
                                              const SymInt& kernel, std::size_t d) {
  if (settings.stride[d].known() && *settings.stride[d].value() <= 0)
    return context.fail("strides must be positive, found ", to_string(settings.stride[d]));
  const SymInt reach = settings.dilation[d] * (kernel - 1);
  if (kernel.known() && settings.dilation[d].known() && !reach.known())
    return context.fail("a kernel of size ", to_string(kernel), " is too large for its dilation");
  if (settings.same) return input;
  const SymInt both = settings.padding[d] + settings.padding[d];
  const SymInt size =
      settings.transposed
          ? (input - 1) * settings.stride[d] - both + reach + settings.output_padding[d] + 1
          : floor_div(input + both - reach - 1, settings.stride[d]) + 1;
  if (size.known() && *size.value() < (settings.transposed ? 0 : 1))
    return context.fail("an input of size ", to_string(input),
                        " is too small for a kernel of size ", to_string(kernel));
  return size;
}

[[nodiscard]] inline Status check_channels(const InferContext& context,
                                           const ConvSettings& settings, const SymInt& channels,
                                           const TensorType& weight) {
  const auto groups = settings.groups.value();
  if (groups && *groups <= 0) return context.fail("groups must be positive, found ", *groups);
  if (settings.transposed) return check_same_size(context, channels, weight.sizes[0]);
  TREADLE_CHECK(check_same_size(context, channels, weight.sizes[1] * settings.groups));
  const auto out = weight.sizes[0].value();
  if (groups && out && *out % *groups != 0)
    return context.fail(*out, " output channels can't be split into ", *groups, " groups");
  return {};
}

/// Lays the result out channels last if the input or the weight suggests that.
inline void set_conv_format(const TensorType& input, const TensorType& weight, bool is_batch,
                            TensorType& out) {
  if (weight.rank() < 4) return;
  TensorType images = input;
  SymDims sizes = out.sizes;
  if (!is_batch) {
    images.sizes.insert(images.sizes.begin(), 1);
    images.strides.insert(images.strides.begin(), input.sizes[0] * input.strides[0]);
    sizes.insert(sizes.begin(), 1);
  }
  if (!suggests_channels_last(images) && !suggests_channels_last(weight)) return;
  out.strides = format_strides(
      sizes, weight.rank() == 4 ? MemoryFormat::channels_last : MemoryFormat::channels_last_3d);
  if (!is_batch) out.strides.erase(out.strides.begin());
}

inline Status conv_rule(InferContext& context) {
  const TensorType &input = context.tensor(0), &weight = context.tensor(1);
  TREADLE_CHECK(check_same_dtype(context, {0, 1, 2}));
  if (weight.rank() < 3 || weight.rank() > 5)
    return context.fail("a weight of sizes ", to_string(weight.sizes),
                        " does not have 1 to 3 spatial dimensions");
  const std::size_t rank = weight.rank() - 2;
  const bool is_batch = input.rank() == rank + 2;
  if (!is_batch && input.rank() != rank + 1)
    return context.fail("an input of sizes ", to_string(input.sizes),
                        " does not fit a weight of sizes ", to_string(weight.sizes));
  TREADLE_TRY(const ConvSettings settings, conv_settings(context, rank));
  const std::size_t first = is_batch ? 2 : 1;
  TREADLE_CHECK(check_channels(context, settings, input.sizes[first - 1], weight));
  SymDims sizes;
  if (is_batch) sizes.push_back(input.sizes[0]);
  sizes.push_back(settings.transposed ? weight.sizes[1] * settings.groups : weight.sizes[0]);
  if (!context.is_none(2)) {
    TREADLE_CHECK(check_rank(context, 2, 1));
    TREADLE_CHECK(check_same_size(context, context.tensor(2).sizes[0], sizes.back()));
  }
  for (std::size_t d = 0; d < rank; ++d) {
    TREADLE_TRY(SymInt size,
                conv_size(context, settings, input.sizes[first + d], weight.sizes[2 + d], d));
    sizes.push_back(std::move(size));
  }
  TensorType out = make_type(input.dtype, std::move(sizes), first_device(context));
  set_conv_format(input, weight, is_batch, out);
  context.add(std::move(out));
  return {};
}

}  // namespace treadle::inline v0::rules
