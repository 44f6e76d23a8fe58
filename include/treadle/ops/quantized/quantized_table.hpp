// Quantisation: schemas, shape rules, and the definitions of what chooses scales.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/quantized/choose_parameters.hpp>
#include <treadle/ops/quantized/quantized_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef quantized_table[] = {
    {"quantized_decomposed::quantize_per_tensor(Tensor input, float scale, int zero_point, "
     "int quant_min, int quant_max, ScalarType dtype) -> Tensor",
     &rules::quantize_rule},
    {"quantized_decomposed::quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor "
     "zero_point, int quant_min, int quant_max, ScalarType dtype) -> Tensor",
     &rules::quantize_rule},
    {"quantized_decomposed::quantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor "
     "zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype) -> Tensor",
     &rules::quantize_rule},
    {"quantized_decomposed::quantize_per_channel(Tensor input, Tensor scales, Tensor "
     "zero_points, int axis, int quant_min, int quant_max, ScalarType dtype) -> Tensor",
     &rules::quantize_rule},
    {"quantized_decomposed::quantize_per_token(Tensor input, Tensor scales, Tensor "
     "zero_points, int quant_min, int quant_max, ScalarType dtype) -> Tensor",
     &rules::quantize_rule},
    {"quantized_decomposed::quantize_per_channel_group(Tensor input, Tensor scales, Tensor "
     "zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size) -> Tensor",
     &rules::grouped_rule<&rules::quantize_rule>},
    {"quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int "
     "zero_point, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? "
     "out_dtype=None) -> Tensor",
     &rules::dequantize_rule},
    {"quantized_decomposed::dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor "
     "zero_point, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? "
     "out_dtype=None) -> Tensor",
     &rules::dequantize_rule},
    {"quantized_decomposed::dequantize_per_tensor.tensor2(Tensor input, Tensor scale, "
     "Tensor zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype, *, "
     "ScalarType? out_dtype=None) -> Tensor",
     &rules::dequantize_rule},
    {"quantized_decomposed::dequantize_per_channel(Tensor input, Tensor scales, Tensor? "
     "zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? "
     "out_dtype=None) -> Tensor",
     &rules::dequantize_rule},
    {"quantized_decomposed::dequantize_per_token(Tensor input, Tensor scales, Tensor "
     "zero_points, int quant_min, int quant_max, ScalarType dtype, ScalarType output_dtype) "
     "-> Tensor",
     &rules::dequantize_rule},
    {"quantized_decomposed::dequantize_per_channel_group(Tensor input, Tensor scales, "
     "Tensor? zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size, "
     "ScalarType output_dtype) -> Tensor",
     &rules::grouped_rule<&rules::dequantize_rule>},
    {"quantized_decomposed::fake_quant_per_channel(Tensor input, Tensor scales, Tensor "
     "zero_points, int axis, int quant_min, int quant_max) -> Tensor",
     &rules::fake_quantize_rule},
    {"aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int "
     "quant_min, int quant_max) -> Tensor",
     &rules::fake_quantize_rule},
    {"aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, "
     "Tensor zero_point, int quant_min, int quant_max) -> Tensor",
     &rules::fake_quantize_rule},
    {"aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int "
     "zero_point, int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
     &rules::fake_quantize_rule},
    {"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor "
     "scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> "
     "(Tensor output, Tensor mask)",
     &rules::fake_quantize_rule},
    {"aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, "
     "int axis, int quant_min, int quant_max) -> Tensor",
     &rules::fake_quantize_rule},
    {"aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor "
     "zero_point, int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
     &rules::fake_quantize_rule},
    {"quantized_decomposed::choose_qparams.tensor(Tensor input, int quant_min, int "
     "quant_max, float eps, ScalarType dtype) -> (Tensor, Tensor)",
     &rules::choose_parameters_rule,
     {},
     {},
     &composite::choose_parameters},
    {"quantized_decomposed::choose_qparams_symmetric.tensor(Tensor input, int quant_min, "
     "int quant_max, float eps, ScalarType dtype) -> (Tensor, Tensor)",
     &rules::choose_parameters_rule,
     {},
     {},
     &composite::choose_symmetric_parameters},
    {"quantized_decomposed::choose_qparams_per_token(Tensor input, ScalarType dtype) -> "
     "(Tensor, Tensor)",
     &rules::choose_token_parameters_rule<true>,
     {},
     {},
     &composite::choose_token_parameters},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric(Tensor input, ScalarType "
     "dtype) -> (Tensor, Tensor)",
     &rules::choose_token_parameters_rule<false>,
     {},
     {},
     &composite::choose_asymmetric_token_parameters},
    {"quantized_decomposed::_choose_qparams_per_token_asymmetric_impl(Tensor input, "
     "ScalarType dtype) -> (Tensor, Tensor)",
     &rules::choose_token_parameters_rule<false>,
     {},
     {},
     &composite::choose_asymmetric_token_parameters},
    {"quantized_decomposed::convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> "
     "Tensor",
     nullptr,
     {},
     {},
     &composite::convert_no_fuse},
};

}  // namespace treadle::inline v0::detail
