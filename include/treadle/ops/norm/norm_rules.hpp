// Shape rules of normalisation.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/promotion.hpp>
#include <treadle/ops/reduction/reduction_rules.hpp>

namespace treadle::inline v0::rules {

/// New memory laid out as the input's strides suggest.
[[nodiscard]] inline TensorType with_suggested_format(const TensorType& type, SymDims sizes,
                                                      DType dtype) {
  TensorType out = make_type(dtype, std::move(sizes), type.device);
  if (out.rank() == type.rank()) out.strides = format_strides(out.sizes, suggested_format(type));
  return out;
}

/// New memory like the input's: row-major, else channels last if it surely is either.
[[nodiscard]] inline TensorType with_own_format(const TensorType& type) {
  TensorType out = make_type(type.dtype, type.sizes, type.device);
  if (is_contiguous(type)) return out;
  for (const auto format : {MemoryFormat::channels_last, MemoryFormat::channels_last_3d})
    if (has_format(type, format)) out.strides = format_strides(out.sizes, format);
  return out;
}

/// The dtype that statistics of half-width inputs have.
[[nodiscard]] inline DType statistics_dtype(const InferContext& context) {
  const DType input = context.tensor(0).dtype;
  const auto weight = given(context, "weight");
  return weight ? promote_types(input, context.tensor(*weight).dtype) : input;
}

/// How many dimensions are in front of `normalized_shape`; checks that the rest matches it.
[[nodiscard]] inline Result<std::size_t> outer_dimensions(const InferContext& context) {
  const TensorType& input = context.tensor(0);
  const SymDims shape = context.integers(1);
  bool fits = !shape.empty() && shape.size() <= input.rank();
  const std::size_t outer = fits ? input.rank() - shape.size() : 0;
  for (std::size_t i = 0; fits && i < shape.size(); ++i) {
    const SymInt& size = input.sizes[outer + i];
    fits = !size.known() || !shape[i].known() || size == shape[i];
  }
  if (!fits)
    return context.fail("an input of sizes ", sizes_text(input.sizes),
                        " does not end in the normalized shape ", sizes_text(shape));
  return outer;
}

/// Sizes of row statistics: the outer dimensions, then ones.
[[nodiscard]] inline SymDims statistics_sizes(const TensorType& input, std::size_t outer) {
  SymDims sizes = input.sizes;
  for (std::size_t i = outer; i < sizes.size(); ++i) sizes[i] = 1;
  return sizes;
}

inline Status layer_norm_rule(InferContext& context) {
  TREADLE_TRY(const std::size_t outer, outer_dimensions(context));
  static_cast<void>(outer);
  const TensorType& input = context.tensor(0);
  context.add(make_type(input.dtype, input.sizes, input.device));
  return {};
}

inline Status native_layer_norm_rule(InferContext& context) {
  TREADLE_TRY(const std::size_t outer, outer_dimensions(context));
  const TensorType& input = context.tensor(0);
  context.add(make_type(input.dtype, input.sizes, input.device));
  const auto sizes = statistics_sizes(input, outer);
  for (int i = 0; i < 2; ++i)
    context.add(make_type(statistics_dtype(context), sizes, input.device));
  return {};
}

inline Status rms_norm_rule(InferContext& context) {
  TREADLE_CHECK(outer_dimensions(context));
  const TensorType& input = context.tensor(0);
  context.add(make_type(statistics_dtype(context), input.sizes, input.device));
  return {};
}
inline Status fused_rms_norm_rule(InferContext& context) {
  TREADLE_TRY(const std::size_t outer, outer_dimensions(context));
  TREADLE_CHECK(rms_norm_rule(context));
  const TensorType& input = context.tensor(0);
  const DType input_dtype = input.dtype;
  const DType dtype = size_of(input_dtype) < 4 ? DType::float32 : input_dtype;
  context.add(make_type(dtype, statistics_sizes(input, outer), input.device));
  return {};
}

/// How many channels an input has: none if it is an empty vector.
[[nodiscard]] inline SymInt channel_count(const TensorType& input) {
  return input.rank() > 1 ? input.sizes[1] : SymInt(0);
}

[[nodiscard]] inline Status check_channels(const InferContext& context, std::size_t least_rank) {
  const TensorType& input = context.tensor(0);
  const bool nothing = input.rank() == 1 && input.sizes[0].is(0);
  if (input.rank() < 2 && !(nothing && least_rank == 1))
    return context.fail("expected at least two dimensions, found sizes ", sizes_text(input.sizes));
  const SymInt channels = channel_count(input);
  for (const std::string_view name : {"weight", "bias", "running_mean", "running_var"})
    if (const auto i = given(context, name)) {
      const SymDims& sizes = context.tensor(*i).sizes;
      const bool known = channels.known() && sizes.size() == 1 && sizes[0].known();
      if (sizes.size() != 1 || (known && !(sizes[0] == channels)))
        return context.fail("'", name, "' has sizes ", sizes_text(sizes),
                            ", expected one of each of ", to_string(channels), " channels");
    }
  return {};
}

inline Status batch_norm_rule(InferContext& context) {
  TREADLE_CHECK(check_channels(context, 1));
  context.add(with_own_format(context.tensor(0)));
  return {};
}

/// Always row-major: samples and channels become one dimension on the way.
inline Status instance_norm_rule(InferContext& context) {
  TREADLE_CHECK(check_channels(context, 2));
  const TensorType& input = context.tensor(0);
  context.add(make_type(input.dtype, input.sizes, input.device));
  return {};
}

/// The output, then the statistics that training saves: one a channel, or none in evaluation.
inline Status native_batch_norm_rule(InferContext& context) {
  TREADLE_CHECK(batch_norm_rule(context));
  const TensorType& input = context.tensor(0);
  const SymInt saved = flag(context, "training") ? channel_count(input) : SymInt(0);
  const bool keeps = context.schema().name.ends_with("no_training");
  bool wide_parameters = false;
  for (const std::string_view name : {"weight", "bias", "running_mean", "running_var"})
    if (const auto i = given(context, name))
      wide_parameters |= context.tensor(*i).dtype == DType::float32;
  const bool widens = size_of(input.dtype) < 4 && wide_parameters && !keeps;
  for (int i = 0; i < 2; ++i)
    context.add(make_type(widens ? DType::float32 : input.dtype, {saved}, input.device));
  return {};
}

inline Status group_norm_rule(InferContext& context) {
  TREADLE_CHECK(check_channels(context, 2));
  const TensorType& input = context.tensor(0);
  const auto groups = context.integer(*given(context, "num_groups")).value_or(1);
  if (groups <= 0 || (input.sizes[1].known() && *input.sizes[1].value() % groups != 0))
    return context.fail(to_string(input.sizes[1]), " channels can't be put into ", groups,
                        " equal groups");
  context.add(with_suggested_format(input, input.sizes, input.dtype));
  return {};
}

inline Status native_group_norm_rule(InferContext& context) {
  const TensorType& input = context.tensor(0);
  context.add(with_suggested_format(input, input.sizes, input.dtype));
  const SymDims sizes = {context.integer(*given(context, "N")),
                         context.integer(*given(context, "group"))};
  for (int i = 0; i < 2; ++i)
    context.add(make_type(statistics_dtype(context), sizes, input.device));
  return {};
}

inline Status weight_norm_rule(InferContext& context) {
  const TensorType& v = context.tensor(0);
  context.add(make_type(v.dtype, v.sizes, v.device));
  if (context.schema().result_count == 2) {
    const TensorType& g = context.tensor(1);
    context.add(make_type(size_of(g.dtype) < 4 ? DType::float32 : g.dtype, g.sizes, g.device));
  }
  return {};
}

}  // namespace treadle::inline v0::rules
